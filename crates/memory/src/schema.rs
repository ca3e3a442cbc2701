//! JSON Schemas that a deployment or a user sets: whether a value fits, and what a padding null
//! means.

use serde_json::{Map, Value};
use thiserror::Error;

/// Why a value or a schema is not acceptable.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SchemaError {
    /// The value does not fit. Each problem has a JSON pointer to where it is.
    #[error("the value does not fit its schema: {}", first(.problems))]
    Misfit { problems: Vec<Problem> },
    /// The schema is not a schema.
    #[error("the schema is not a valid JSON Schema: {reason}")]
    NotASchema { reason: String },
}

/// One place at which a value does not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// A JSON pointer into the value.
    pub pointer: String,
    pub reason: String,
}

fn first(problems: &[Problem]) -> String {
    problems
        .first()
        .map(|problem| format!("{}: {}", problem.pointer, problem.reason))
        .unwrap_or_default()
}

/// How many problems are told at once.
const PROBLEMS_MAX: usize = 20;

/// Checks `value` against `schema`. References to other documents are refused: nothing is fetched.
pub fn check(value: &Value, schema: &Value) -> Result<(), SchemaError> {
    let validator = compile(schema)?;
    let problem = |error: jsonschema::ValidationError<'_>| Problem {
        pointer: error.instance_path().to_string(),
        reason: recalld_index::text::plain::shorten(&error.to_string(), 200),
    };
    let problems: Vec<Problem> = validator
        .iter_errors(value)
        .take(PROBLEMS_MAX)
        .map(problem)
        .collect();
    match problems.is_empty() {
        true => Ok(()),
        false => Err(SchemaError::Misfit { problems }),
    }
}

/// Checks that `schema` is one.
pub fn check_schema(schema: &Value) -> Result<(), SchemaError> {
    compile(schema).map(drop)
}

fn compile(schema: &Value) -> Result<jsonschema::Validator, SchemaError> {
    let not_a_schema = |reason: String| SchemaError::NotASchema {
        reason: recalld_index::text::plain::shorten(&reason, 300),
    };
    if !schema.is_object() {
        return Err(not_a_schema("it is not an object".to_owned()));
    }
    jsonschema::validator_for(schema).map_err(|error| not_a_schema(error.to_string()))
}

/// Takes the nulls out of a merge patch that a model in strict mode only put in because it had to
/// name every field: those of optional fields whose schema does not allow null.
pub fn without_padding(patch: &Value, schema: Option<&Value>) -> Value {
    let (Value::Object(fields), Some(schema)) = (patch, schema) else {
        return patch.clone();
    };
    let properties = schema.get("properties").and_then(Value::as_object);
    let required = schema.get("required").and_then(Value::as_array);
    let is_required = |name: &str| required.is_some_and(|names| names.iter().any(|known| known == name));
    let mut kept = Map::new();
    for (name, value) in fields {
        let of_field = properties.and_then(|properties| properties.get(name));
        let padding =
            value.is_null() && of_field.is_some_and(|field| !is_required(name) && !allows_null(field));
        if !padding {
            kept.insert(name.clone(), without_padding(value, of_field));
        }
    }
    Value::Object(kept)
}

fn allows_null(schema: &Value) -> bool {
    match schema.get("type") {
        Some(Value::String(name)) => name == "null",
        Some(Value::Array(names)) => names.iter().any(|name| name == "null"),
        _ => {
            let ways = ["anyOf", "oneOf"]
                .into_iter()
                .filter_map(|way| schema.get(way)?.as_array())
                .flatten();
            let listed = schema.get("enum").and_then(Value::as_array);
            ways.into_iter().any(allows_null) || listed.is_some_and(|values| values.contains(&Value::Null))
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn problems_say_where_they_are() {
        let schema =
            json!({"type": "object", "properties": {"age": {"type": "integer"}}, "required": ["name"]});
        assert_eq!(check(&json!({"name": "Ana", "age": 3}), &schema), Ok(()));
        let Err(SchemaError::Misfit { problems }) = check(&json!({"age": "three"}), &schema) else {
            panic!("it does not fit");
        };
        assert_eq!(problems.len(), 2);
        assert!(problems.iter().any(|problem| problem.pointer == "/age"));
    }

    #[test]
    fn padding_nulls_are_told_from_deletions() {
        let schema = json!({
            "properties": {"goal": {"type": "string"}, "note": {"type": ["string", "null"]}, "team": {"type": "object",
                "properties": {"size": {"type": "integer"}}}},
            "required": ["note"],
        });
        let patch = json!({"goal": null, "note": null, "team": {"size": null}, "other": null});
        assert_eq!(
            without_padding(&patch, Some(&schema)),
            json!({"note": null, "team": {}, "other": null})
        );
        assert_eq!(without_padding(&patch, None), patch);
    }

    #[test]
    fn a_schema_that_refers_elsewhere_is_refused() {
        assert!(check_schema(&json!({"$ref": "http://127.0.0.1:9/x"})).is_err());
        assert!(check_schema(&json!(7)).is_err());
        assert!(check_schema(&json!({"type": "no such type"})).is_err());
    }
}
