//! JSON values as text, so that what was written can always be read again, to the order of its
//! fields.

use recalld_memory::ports::StoreError;
use serde_json::Value;

use super::error::DbResult;
use super::rows::unreadable;

/// How deep a value may be nested. Deeper ones can be written but not read.
const DEPTH_MAX: usize = 127;

/// Writes a value.
pub(super) fn write(value: &Value) -> Result<String, StoreError> {
    if !fits(value, DEPTH_MAX) {
        let refused = format!("a JSON value is nested more than {DEPTH_MAX} deep");
        return Err(StoreError::Failed(refused.into()));
    }
    Ok(value.to_string())
}

/// Reads what [`write`] wrote.
pub(super) fn read(what: &str, text: &str) -> DbResult<Value> {
    // The error tells a place, and nothing of the text.
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
