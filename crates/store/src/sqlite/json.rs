//! JSON values as text, so that what was written can always be read again.

use recalld_memory::ports::StoreError;
use serde_json::Value;

use super::error::SqlResult;
use super::rows::unreadable;

/// How deep a value may be nested. Deeper ones can be written but not read.
const DEPTH_MAX: usize = 127;

/// Writes a value.
pub(super) fn write(value: &Value) -> SqlResult<String> {
    if !fits(value, DEPTH_MAX) {
        let refused = format!("a JSON value is nested more than {DEPTH_MAX} deep");
        return Err(StoreError::Failed(refused.into()).into());
    }
    Ok(value.to_string())
}

/// Reads what [`write`] wrote.
pub(super) fn read(what: &str, text: &str) -> SqlResult<Value> {
    // The error names a position and shows nothing of the text.
    serde_json::from_str(text).map_err(|error| unreadable(what, &error))
}

fn fits(value: &Value, depth: usize) -> bool {
    let inner = |value: &Value| fits(value, depth - 1);
    match value {
        Value::Array(items) => 0 < depth && items.iter().all(inner),
        Value::Object(fields) => 0 < depth && fields.values().all(inner),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nested(depth: usize) -> Value {
        (0..depth).fold(Value::Null, |inner, level| match level % 2 {
            0 => Value::Array(vec![inner]),
            _ => serde_json::json!({ "in": inner }),
        })
    }

    #[test]
    fn whatever_is_written_can_be_read() {
        let deepest = nested(DEPTH_MAX);
        let text = write(&deepest).unwrap();
        assert_eq!(read("a value", &text).unwrap(), deepest);
        assert!(write(&nested(DEPTH_MAX + 1)).is_err());
    }

    #[test]
    fn numbers_keep_every_bit() {
        for value in [
            serde_json::json!(31.245270191439438),
            serde_json::json!(f64::MIN_POSITIVE),
            serde_json::json!(u64::MAX),
            serde_json::json!(-0.0),
        ] {
            assert_eq!(read("a number", &write(&value).unwrap()).unwrap(), value);
        }
    }
}
