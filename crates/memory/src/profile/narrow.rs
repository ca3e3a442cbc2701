//! Narrows an answer to the few entries that bear on a query.

use std::collections::HashSet;

use serde_json::{Map, Value};

/// How many entries a narrowed answer has at the most.
const ENTRIES_MAX: usize = 5;

/// An entry that scores less than this share of the best one does not matter.
const SHARE_MIN: f32 = 0.35;

/// How deep an answer is taken apart: 1 for the fields of an object or the rows of a list, 2 for
/// groups of fields.
pub(super) type Depth = usize;

/// A part of an answer that can be left out.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Entry {
    /// The names or numbers that lead to it.
    pub(super) path: Vec<String>,
    /// What it is found by.
    pub(super) text: String,
}

impl Entry {
    /// The same entry of an answer that holds this one under `name`.
    pub(super) fn under(mut self, name: &str) -> Entry {
        self.path.insert(0, name.to_owned());
        self.text = format!("{name} {}", self.text);
        self
    }
}

/// Lists the entries of an answer that is taken apart to `depth`.
pub(super) fn entries(data: &Value, depth: Depth) -> Vec<Entry> {
    let mut found = Vec::new();
    collect(data, depth, &mut Vec::new(), &mut found);
    found
}

fn collect(data: &Value, depth: Depth, path: &mut Vec<String>, found: &mut Vec<Entry>) {
    let parts: Vec<(String, &Value)> = match data {
        Value::Object(fields) if 0 < depth => {
            fields.iter().map(|(name, value)| (name.clone(), value)).collect()
        }
        Value::Array(rows) if 0 < depth => rows
            .iter()
            .enumerate()
            .map(|(number, row)| (number.to_string(), row))
            .collect(),
        Value::Null => return,
        Value::Array(items) if items.is_empty() => return,
        leaf => {
            let is_name = |step: &&String| !step.bytes().all(|byte| byte.is_ascii_digit());
            let names: Vec<&str> = path.iter().filter(is_name).map(String::as_str).collect();
            let names = names.join(" ").replace(['_', '-', '.'], " ");
            let text = format!("{names}: {}", words(leaf));
            return found.push(Entry {
                path: path.clone(),
                text,
            });
        }
    };
    for (name, part) in parts {
        path.push(name);
        // A list is taken apart into its rows, and a row not into its fields.
        let deeper = if data.is_array() { 0 } else { depth - 1 };
        collect(part, deeper, path, found);
        path.pop();
    }
}

/// The words of a value: its strings and numbers, with the names of its fields.
fn words(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(words).collect::<Vec<_>>().join(", "),
        Value::Object(fields) => {
            let field = |(name, value): (&String, &Value)| {
                format!("{} {}", name.replace(['_', '-'], " "), words(value))
            };
            fields.iter().map(field).collect::<Vec<_>>().join(", ")
        }
        other => other.to_string(),
    }
}

/// Picks from ranked entries (the best first) those that matter.
pub(super) fn telling(ranked: &[(usize, f32)]) -> Vec<usize> {
    let least = ranked.first().map_or(0.0, |(_, best)| best * SHARE_MIN);
    let picked = ranked
        .iter()
        .take(ENTRIES_MAX)
        .filter(|(_, score)| least <= *score);
    picked.map(|(place, _)| *place).collect()
}

/// Keeps the entries at `kept` and drops the rest of the answer.
pub(super) fn retain(data: Value, kept: &[&Entry]) -> Value {
    let paths: HashSet<&[String]> = kept.iter().map(|entry| entry.path.as_slice()).collect();
    keep(data, &mut Vec::new(), &paths).unwrap_or(Value::Null)
}

fn keep(data: Value, path: &mut Vec<String>, kept: &HashSet<&[String]>) -> Option<Value> {
    if kept.contains(path.as_slice()) {
        return Some(data);
    }
    if !kept.iter().any(|entry| entry.starts_with(path)) {
        return None;
    }
    match data {
        Value::Object(fields) => {
            let mut left = Map::new();
            for (name, value) in fields {
                path.push(name.clone());
                if let Some(value) = keep(value, path, kept) {
                    left.insert(name, value);
                }
                path.pop();
            }
            Some(Value::Object(left))
        }
        Value::Array(rows) => {
            let mut left = Vec::new();
            for (number, row) in rows.into_iter().enumerate() {
                path.push(number.to_string());
                left.extend(keep(row, path, kept));
                path.pop();
            }
            Some(Value::Array(left))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_answer_is_taken_apart_and_put_together_again() {
        let data = json!({
            "signals": [{"signal_type": "funding"}, {"signal_type": "data_breach"}],
            "tone": {"style": "formal", "length": "short"},
            "note": null,
        });
        let entries = entries(&data, 2);
        let texts: Vec<&str> = entries.iter().map(|entry| entry.text.as_str()).collect();
        assert_eq!(
            texts,
            [
                "signals: signal type funding",
                "signals: signal type data_breach",
                "tone style: formal",
                "tone length: short",
            ]
        );
        let kept = retain(data.clone(), &[&entries[1], &entries[2]]);
        assert_eq!(
            kept,
            json!({"signals": [{"signal_type": "data_breach"}], "tone": {"style": "formal"}})
        );
        let all: Vec<&Entry> = entries.iter().collect();
        let mut without_null = data;
        without_null.as_object_mut().unwrap().shift_remove("note");
        assert_eq!(retain(without_null.clone(), &all), without_null);
    }

    #[test]
    fn what_scores_far_below_the_best_does_not_matter() {
        assert_eq!(telling(&[(3, 1.0), (1, 0.6), (0, 0.1)]), [3, 1]);
        assert_eq!(telling(&[]), Vec::<usize>::new());
        let many: Vec<(usize, f32)> = (0..50).map(|place| (place, 1.0)).collect();
        assert_eq!(telling(&many).len(), ENTRIES_MAX);
    }
}
