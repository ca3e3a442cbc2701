//! The words of an item: all texts of its value, or those at the paths that its writer names.

use recalld_memory::items::ItemText;
use serde_json::Value;

use super::super::json_body::invalid;
use crate::error::ApiError;

/// Reads which words of a value are found: `false` for none, paths, or all.
pub(super) fn of(value: &Value, index: Option<Value>) -> Result<Option<ItemText>, ApiError> {
    let mut found = Vec::new();
    match index {
        None | Some(Value::Bool(true)) => texts(value, "", &mut found),
        Some(Value::Bool(false)) => {}
        Some(Value::Array(paths)) => {
            for path in &paths {
                let path = path
                    .as_str()
                    .ok_or_else(|| invalid("index must be false or a list of paths"))?;
                at_path(value, &steps(path), String::new(), &mut found);
            }
        }
        Some(_) => return Err(invalid("index must be false or a list of paths")),
    }
    Ok(match found.as_slice() {
        [] => None,
        [(pointer, text)] => Some(ItemText {
            text: text.clone(),
            pointer: Some(pointer.clone()),
        }),
        several => {
            let line = |(pointer, text): &(String, String)| {
                let name = pointer.trim_start_matches('/').replace('/', ".");
                format!("{name}: {text}")
            };
            let lines: Vec<String> = several.iter().map(line).collect();
            Some(ItemText {
                text: lines.join("\n"),
                pointer: None,
            })
        }
    })
}

/// Collects the texts inside a value, with their places.
fn texts(value: &Value, place: &str, found: &mut Vec<(String, String)>) {
    match value {
        Value::String(text) if !text.trim().is_empty() => found.push((place.to_owned(), text.clone())),
        Value::Array(items) => {
            for (number, item) in items.iter().enumerate() {
                texts(item, &format!("{place}/{number}"), found);
            }
        }
        Value::Object(fields) => {
            for (name, field) in fields {
                texts(field, &format!("{place}/{}", escaped(name)), found);
            }
        }
        _ => {}
    }
}

fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// Splits `a.b[*].c` into its steps; `$` is the whole value.
fn steps(path: &str) -> Vec<String> {
    let parts = path.split(['.', '[']).map(|part| part.trim_end_matches(']'));
    let parts = parts.filter(|part| !part.is_empty() && *part != "$");
    parts.map(str::to_owned).collect()
}

fn at_path(value: &Value, steps: &[String], place: String, found: &mut Vec<(String, String)>) {
    let Some((step, rest)) = steps.split_first() else {
        return texts(value, &place, found);
    };
    match value {
        Value::Object(fields) => {
            if let Some(field) = fields.get(step) {
                at_path(field, rest, format!("{place}/{}", escaped(step)), found);
            }
        }
        Value::Array(items) if step == "*" => {
            for (number, item) in items.iter().enumerate() {
                at_path(item, rest, format!("{place}/{number}"), found);
            }
        }
        Value::Array(items) => {
            let number = step.parse::<i64>().ok().and_then(|number| match number < 0 {
                true => items.len().checked_sub(number.unsigned_abs() as usize),
                false => usize::try_from(number).ok(),
            });
            if let Some((number, item)) = number.and_then(|number| Some((number, items.get(number)?))) {
                at_path(item, rest, format!("{place}/{number}"), found);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn text(value: Value, index: Option<Value>) -> Option<String> {
        of(&value, index).unwrap().map(|text| text.text)
    }

    #[test]
    fn words_are_those_of_the_paths_or_all() {
        let value = json!({"a": "one", "n": 3, "b": [{"c": "two"}, {"c": "three"}]});
        assert_eq!(text(json!({"text": "only"}), None).unwrap(), "only");
        assert_eq!(text(json!({"n": 3}), None), None);
        assert_eq!(text(value.clone(), Some(json!(false))), None);
        assert_eq!(text(value.clone(), Some(json!(["a"]))).unwrap(), "one");
        assert_eq!(text(value.clone(), Some(json!(["b[-1].c"]))).unwrap(), "three");
        assert_eq!(
            text(value.clone(), Some(json!(["b[*].c"]))).unwrap(),
            "b.0.c: two\nb.1.c: three"
        );
        assert_eq!(text(value, Some(json!(["$"]))).unwrap().lines().count(), 3);
        assert!(of(&json!({}), Some(json!("x"))).is_err());
    }
}
