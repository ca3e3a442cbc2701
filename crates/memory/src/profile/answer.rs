//! How a category answers: what a model or a program is shown of the stored value.

use std::collections::HashMap;

use serde_json::{Map, Value};

use crate::catalogue::{AnswerShape, ProfileCategory};

/// The group of a preference whose key names none.
const NO_GROUP: &str = "general";

/// Gives what `category` answers from `kept`; none when there is nothing to tell.
pub(super) fn answer(category: &ProfileCategory, kept: &Value) -> Option<Value> {
    match category.answer {
        AnswerShape::Plain => chosen(kept, category),
        AnswerShape::Active => chosen(active(kept)?, category),
        AnswerShape::Rows => rows(kept, category, |_| true),
        AnswerShape::EnabledRows => rows(kept, category, |row| {
            row.get("enabled") != Some(&Value::Bool(false))
        }),
        AnswerShape::Nested => nested(kept),
    }
}

/// Gives what `category` is shown as, beside others, when there is nothing to tell.
pub(super) fn nothing(category: &ProfileCategory) -> Value {
    match category.answer {
        AnswerShape::Rows | AnswerShape::EnabledRows => Value::Array(Vec::new()),
        AnswerShape::Plain | AnswerShape::Active | AnswerShape::Nested => Value::Null,
    }
}

/// The object itself, or of several the first that is marked active, or else the first that is not
/// marked inactive.
fn active(kept: &Value) -> Option<&Value> {
    let mark = |profile: &Value| profile.get("is_active").and_then(Value::as_bool);
    match kept {
        Value::Array(profiles) => {
            let marked = profiles.iter().find(|profile| mark(profile) == Some(true));
            marked.or_else(|| profiles.iter().find(|profile| mark(profile).is_none()))
        }
        profile => (mark(profile) != Some(false)).then_some(profile),
    }
}

/// The fields that are shown; a field that is not stored is null, or empty if it is a list. None
/// when not one of them is stored.
fn chosen(value: &Value, category: &ProfileCategory) -> Option<Value> {
    let fields = category.fields.as_slice();
    match value {
        Value::Null => None,
        Value::Object(kept) if fields.is_empty() => (!kept.is_empty()).then(|| value.clone()),
        Value::Object(kept) => {
            let stored = |field: &String| kept.get(field).filter(|value| !value.is_null());
            let absent = |field: &String| match category.lists.contains(field) {
                true => Value::Array(Vec::new()),
                false => Value::Null,
            };
            let of = |field: &String| {
                let value = stored(field).cloned();
                (field.clone(), value.unwrap_or_else(|| absent(field)))
            };
            let any = fields.iter().any(|field| stored(field).is_some());
            any.then(|| Value::Object(fields.iter().map(of).collect()))
        }
        other => Some(other.clone()),
    }
}

fn rows(kept: &Value, category: &ProfileCategory, wanted: impl Fn(&Value) -> bool) -> Option<Value> {
    let rows = kept.as_array()?.iter().filter(|row| wanted(row));
    let shown: Vec<Value> = rows.filter_map(|row| chosen(row, category)).collect();
    (!shown.is_empty()).then_some(Value::Array(shown))
}

fn nested(kept: &Value) -> Option<Value> {
    let mut surest: HashMap<(&str, &str), f64> = HashMap::new();
    let mut groups: Map<String, Value> = Map::new();
    for row in kept.as_array()? {
        let (Some(key), Some(value)) = (row.get("key").and_then(Value::as_str), row.get("value")) else {
            continue;
        };
        let (group, field) = key.split_once('.').unwrap_or((NO_GROUP, key));
        let confidence = row.get("confidence").and_then(Value::as_f64).unwrap_or(0.0);
        // Of two that are equally sure, the one that was written later stands.
        if surest
            .get(&(group, field))
            .is_some_and(|known| confidence < *known)
        {
            continue;
        }
        surest.insert((group, field), confidence);
        let of_group = groups
            .entry(group.to_owned())
            .or_insert_with(|| Value::Object(Map::new()));
        if let Some(of_group) = of_group.as_object_mut() {
            of_group.insert(field.to_owned(), value.clone());
        }
    }
    (!groups.is_empty()).then_some(Value::Object(groups))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::catalogue::Catalogue;

    fn told(category: &str, kept: Value) -> Option<Value> {
        let catalogue = Catalogue::default();
        answer(catalogue.find(category).unwrap(), &kept)
    }

    #[test]
    fn the_active_profile_answers_with_its_fields() {
        let kept = json!([
            {"is_active": false, "target_titles": ["CFO"]},
            {"name": "main", "is_active": true, "target_titles": ["CISO"], "employee_range": "1000-5000"},
        ]);
        let expected = json!({
            "company_types": [], "target_titles": ["CISO"], "employee_range": "1000-5000",
            "revenue_range": null, "focus_industries": [], "icp_definition": null,
        });
        assert_eq!(told("icp", kept), Some(expected));
        assert_eq!(
            told("icp", json!([{"is_active": false, "target_titles": ["CFO"]}])),
            None
        );
        assert_eq!(told("icp", json!({})), None);
    }

    #[test]
    fn a_category_that_replaces_another_keeps_its_lists() {
        let icp = r#"[{"name": "icp", "answer": "active", "fields": ["company_types", "employee_range"]}]"#;
        let more = serde_json::from_str(icp).unwrap();
        let catalogue = Catalogue::default().with(more).unwrap();
        let told = answer(
            catalogue.find("icp").unwrap(),
            &json!({"company_types": null, "employee_range": "1-9"}),
        );
        assert_eq!(told, Some(json!({"company_types": [], "employee_range": "1-9"})));
    }

    #[test]
    fn the_most_confident_preference_wins() {
        let kept = json!([
            {"key": "tone.style", "value": "formal", "confidence": 0.9},
            {"key": "tone.style", "value": "casual", "confidence": 0.4},
            {"key": "tone.length", "value": "short"},
            {"key": "report.format.file", "value": "pdf", "confidence": 0.5},
            {"key": "report.format.file", "value": "html", "confidence": 0.5},
        ]);
        let expected = json!({
            "tone": {"style": "formal", "length": "short"},
            "report": {"format.file": "html"},
        });
        assert_eq!(told("preferences", kept), Some(expected));
        assert_eq!(told("preferences", json!([])), None);
    }

    #[test]
    fn criteria_that_are_switched_off_are_not_told() {
        let kept = json!([
            {"criterion": "uses AWS", "weight": 3, "is_disqualifier": false, "enabled": true},
            {"criterion": "is a bank", "enabled": false},
        ]);
        let expected = json!([{"criterion": "uses AWS", "weight": 3, "is_disqualifier": false}]);
        assert_eq!(told("criteria", kept), Some(expected));
        assert_eq!(
            told("criteria", json!([{"criterion": "is a bank", "enabled": false}])),
            None
        );
    }

    #[test]
    fn what_does_not_have_the_shape_tells_nothing() {
        for odd in [json!(null), json!(7), json!("x"), json!({"a": 1}), json!([[], 3])] {
            assert_eq!(told("preferences", odd), None);
        }
        assert_eq!(told("signals", json!({"signal_type": "funding"})), None);
    }
}
