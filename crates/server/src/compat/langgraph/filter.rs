//! Filters on values: equality, nested, and comparisons.

use std::cmp::Ordering;

use serde_json::{Map, Value};

/// Tells whether a value fits every part of a filter.
pub(super) fn matches_all(value: &Value, filter: &Map<String, Value>) -> bool {
    filter
        .iter()
        .all(|(name, wanted)| fits(value.get(name).unwrap_or(&Value::Null), wanted))
}

fn fits(value: &Value, wanted: &Value) -> bool {
    match wanted {
        Value::Object(parts) if parts.keys().any(|name| name.starts_with('$')) => parts
            .iter()
            .all(|(operator, with)| compares(value, operator, with)),
        Value::Object(parts) => value.is_object() && matches_all(value, parts),
        Value::Array(items) => value.as_array().is_some_and(|values| {
            values.len() == items.len() && values.iter().zip(items).all(|(value, item)| fits(value, item))
        }),
        plain => same(value, plain),
    }
}

fn compares(value: &Value, operator: &str, with: &Value) -> bool {
    let order = || order(value, with);
    match operator {
        "$eq" => same(value, with),
        "$ne" => !same(value, with),
        "$gt" => order() == Some(Ordering::Greater),
        "$gte" => matches!(order(), Some(Ordering::Greater | Ordering::Equal)),
        "$lt" => order() == Some(Ordering::Less),
        "$lte" => matches!(order(), Some(Ordering::Less | Ordering::Equal)),
        _ => false,
    }
}

/// Numbers are the same whether they are written as whole ones or not.
fn same(a: &Value, b: &Value) -> bool {
    match (a.as_f64(), b.as_f64()) {
        (Some(a), Some(b)) => a == b,
        _ => a == b,
    }
}

fn order(a: &Value, b: &Value) -> Option<Ordering> {
    match (a, b) {
        (Value::String(a), Value::String(b)) => Some(a.cmp(b)),
        _ => a.as_f64()?.partial_cmp(&b.as_f64()?),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn filters_compare_and_nest() {
        let value = json!({"kind": "note", "score": 4.5, "n": 1, "meta": {"lang": "de", "tags": ["a"]}});
        let fits = |filter: Value| matches_all(&value, filter.as_object().unwrap());
        for yes in [
            json!({}),
            json!({"kind": "note"}),
            json!({"n": 1.0}),
            json!({"score": {"$gt": 4, "$lte": 4.5}}),
            json!({"kind": {"$ne": "x"}, "meta": {"lang": "de"}}),
            json!({"meta": {"lang": {"$eq": "de"}, "tags": ["a"]}}),
            json!({"absent": {"$ne": 1}}),
        ] {
            assert!(fits(yes.clone()), "{yes}");
        }
        for no in [
            json!({"kind": "other"}),
            json!({"score": {"$lt": 4.5}}),
            json!({"kind": {"$gt": 1}}),
            json!({"meta": {"lang": "en"}}),
            json!({"meta": {"tags": []}}),
            json!({"n": {"$in": [1]}}),
            json!({"absent": 1}),
        ] {
            assert!(!fits(no.clone()), "{no}");
        }
    }
}
