//! Secrets in JSON: in texts, in numbers, and in values that only their field's name gives away.

use serde_json::Value;

use super::{Secret, find, find_named, redact};

/// Finds a secret in any text or number of `value`; the name of a field counts for its value.
pub fn find_in_json(value: &Value) -> Option<Secret> {
    under("", value)
}

fn under(name: &str, value: &Value) -> Option<Secret> {
    match value {
        Value::String(text) => named(name, text),
        Value::Number(number) => named(name, &number.to_string()),
        Value::Array(items) => items.iter().find_map(|item| under(name, item)),
        Value::Object(fields) => fields
            .iter()
            .find_map(|(name, value)| find(name).or_else(|| under(name, value))),
        Value::Null | Value::Bool(_) => None,
    }
}

fn named(name: &str, text: &str) -> Option<Secret> {
    match name.is_empty() {
        true => find(text),
        false => find_named(name, text),
    }
}

/// Replaces each secret in `value` by its mark. A field whose name gives its value away loses the
/// whole value, and a field name that is a secret itself is redacted too.
pub fn redact_json(value: &mut Value) {
    redact_under("", value);
}

fn redact_under(name: &str, value: &mut Value) {
    match value {
        Value::String(text) => {
            if let Some(marked) = redacted(name, text) {
                *text = marked;
            }
        }
        Value::Number(number) => {
            if let Some(secret) = named(name, &number.to_string()) {
                *value = Value::String(mark(secret));
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| redact_under(name, item)),
        Value::Object(fields) => {
            fields
                .iter_mut()
                .for_each(|(name, value)| redact_under(name, value));
            if fields.keys().any(|name| find(name).is_some()) {
                let renamed = std::mem::take(fields)
                    .into_iter()
                    .map(|(name, value)| (redact(&name).into_owned(), value));
                *fields = renamed.collect();
            }
        }
        Value::Null | Value::Bool(_) => {}
    }
}

fn redacted(name: &str, text: &str) -> Option<String> {
    let marked = redact(text);
    match marked == text {
        false => Some(marked.into_owned()),
        true => named(name, text).map(mark),
    }
}

fn mark(secret: Secret) -> String {
    format!("[redacted: {}]", secret.as_str())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_name_of_a_field_gives_its_value_away() {
        let mut value = json!({
            "wifi": { "password": "sunflower", "ssid": "home" }, "pin": 4711, "rooms": [1, 2],
            "note": "my password is hunter2, do not tell",
        });
        assert!(find_in_json(&value).is_some());
        redact_json(&mut value);
        let expected = json!({
            "wifi": { "password": "[redacted: password]", "ssid": "home" },
            "pin": "[redacted: pin]", "rooms": [1, 2],
            "note": "my password is [redacted: password], do not tell",
        });
        assert_eq!(value, expected);
        assert_eq!(find_in_json(&value), None);
    }
}
