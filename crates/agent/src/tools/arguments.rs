//! Arguments of tools: their schema from their types, and messages that a model can act on when a
//! call does not fit.

use std::any::TypeId;
use std::collections::HashMap;
use std::sync::LazyLock;

use parking_lot::RwLock;
use recalld_index::text::json_words::in_json_words;
use recalld_index::text::plain::shorten;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::answer::ToolError;

/// Gives the schema of `A` as model providers take it: one plain object, nothing referenced, no
/// null in types. (A null for an optional argument is accepted all the same: models in strict mode
/// pad with them.)
pub(super) fn schema_of<A: JsonSchema + 'static>() -> Value {
    // It is asked for with every message, and always the same.
    static KNOWN: LazyLock<RwLock<HashMap<TypeId, Value>>> = LazyLock::new(RwLock::default);
    let known = || KNOWN.read();
    if let Some(schema) = known().get(&TypeId::of::<A>()) {
        return schema.clone();
    }
    let schema = made::<A>();
    let mut known = KNOWN.write();
    known.entry(TypeId::of::<A>()).or_insert(schema).clone()
}

fn made<A: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<A>().to_value();
    tidy(&mut schema);
    schema
}

fn tidy(schema: &mut Value) {
    match schema {
        Value::Object(map) => {
            map.remove("title");
            map.remove("format");
            drop_null(map);
            map.values_mut().for_each(tidy);
        }
        Value::Array(items) => items.iter_mut().for_each(tidy),
        _ => {}
    }
}

/// Makes `["string", "null"]` a plain `"string"`, also when null is one of several alternatives or
/// values.
fn drop_null(map: &mut Map<String, Value>) {
    if let Some(Value::Array(types)) = map.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            map.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(values)) = map.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    if let Some(Value::Array(ways)) = map.get_mut("anyOf") {
        ways.retain(|way| way.get("type").and_then(Value::as_str) != Some("null"));
        if let [Value::Object(only)] = ways.as_slice() {
            let only = only.clone();
            map.remove("anyOf");
            // What is said at the argument itself (its description) counts more than what its type
            // says.
            for (name, value) in only {
                map.entry(name).or_insert(value);
            }
        }
    }
}

/// Checks that `arguments` is an object with the required arguments and no unknown ones, and names
/// those that offend.
pub(super) fn check(arguments: &Value, schema: &Value) -> Result<(), ToolError> {
    let Some(given) = arguments.as_object() else {
        return Err(ToolError::arguments("the arguments must be one JSON object"));
    };
    let properties = schema.get("properties").and_then(Value::as_object);
    let known: Vec<&str> = properties
        .into_iter()
        .flat_map(|map| map.keys())
        .map(String::as_str)
        .collect();
    let list = |names: &[&str]| {
        names
            .iter()
            .map(|name| format!("\"{}\"", shorten(name, 60)))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let unknown: Vec<&str> = given
        .keys()
        .map(String::as_str)
        .filter(|name| !known.contains(name))
        .take(8)
        .collect();
    if !unknown.is_empty() {
        let known = if known.is_empty() {
            "none".to_owned()
        } else {
            list(&known)
        };
        return Err(ToolError::arguments(format!(
            "unknown argument {}; known are {known}",
            list(&unknown)
        )));
    }
    let required = schema.get("required").and_then(Value::as_array);
    let required = required.into_iter().flatten().filter_map(Value::as_str);
    let missing: Vec<&str> = required
        .filter(|name| given.get(*name).is_none_or(Value::is_null))
        .collect();
    match missing.is_empty() {
        true => Ok(()),
        false => Err(ToolError::arguments(format!(
            "missing argument {}",
            list(&missing)
        ))),
    }
}

/// Reads checked arguments as their type.
pub(super) fn read<A: DeserializeOwned>(arguments: Value) -> Result<A, ToolError> {
    serde_path_to_error::deserialize(arguments).map_err(|error| {
        let path = error.path().to_string();
        let reason = shorten(&in_json_words(&error.into_inner().to_string()), 300);
        match path.as_str() {
            "." => ToolError::arguments(reason),
            path => ToolError::arguments(format!("argument \"{path}\": {reason}")),
        }
    })
}

/// Keeps a limit within what a tool may show: at least 1, at most `most`.
pub(super) fn limit(given: Option<u64>, default: usize, most: usize) -> Result<usize, ToolError> {
    match given {
        None => Ok(default),
        Some(0) => Err(ToolError::arguments("argument \"limit\": must be at least 1")),
        Some(given) => Ok(usize::try_from(given).unwrap_or(most).min(most)),
    }
}

/// Refuses a text that says nothing.
pub(super) fn said(argument: &'static str, text: &str) -> Result<(), ToolError> {
    match text.trim().is_empty() {
        true => Err(ToolError::arguments(format!("argument \"{argument}\": is blank"))),
        false => Ok(()),
    }
}

/// Turns an invalid value of one argument into the message about it.
pub(super) fn invalid(argument: &'static str) -> impl Fn(&dyn std::fmt::Display) -> ToolError {
    move |reason| ToolError::arguments(format!("argument \"{argument}\": {reason}"))
}
