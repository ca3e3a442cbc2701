//! Fields that callers send in the shape of OpenAI Chat Completions, as the other protocols have
//! them. What they do not have is left out: they refuse what they do not know.

use serde_json::{Map, Value, json};

/// The fields for OpenAI Responses.
pub(super) fn for_responses(extra: &Map<String, Value>) -> Map<String, Value> {
    let mut fields = Map::new();
    let mut text = Map::new();
    for (name, value) in extra {
        match name.as_str() {
            "reasoning_effort" => drop(fields.insert("reasoning".to_owned(), json!({ "effort": value }))),
            "verbosity" => drop(text.insert("verbosity".to_owned(), value.clone())),
            "response_format" => drop(text.insert("format".to_owned(), flat(value))),
            "top_p" | "parallel_tool_calls" | "service_tier" | "safety_identifier" | "prompt_cache_key" => {
                fields.insert(name.clone(), value.clone());
            }
            _ => {}
        }
    }
    if !text.is_empty() {
        fields.insert("text".to_owned(), Value::Object(text));
    }
    fields
}

/// The fields for Anthropic Messages.
pub(super) fn for_anthropic(extra: &Map<String, Value>) -> Map<String, Value> {
    let mut fields = Map::new();
    let mut output = Map::new();
    for (name, value) in extra {
        match name.as_str() {
            "reasoning_effort" if value != "none" && value != "minimal" => {
                output.insert("effort".to_owned(), value.clone());
            }
            "response_format" if value["type"] == "json_schema" => {
                let schema = &value["json_schema"]["schema"];
                output.insert(
                    "format".to_owned(),
                    json!({ "type": "json_schema", "schema": schema }),
                );
            }
            "stop" => {
                let stop = if value.is_array() {
                    value.clone()
                } else {
                    json!([value])
                };
                fields.insert("stop_sequences".to_owned(), stop);
            }
            "top_p" => drop(fields.insert(name.clone(), value.clone())),
            _ => {}
        }
    }
    if !output.is_empty() {
        fields.insert("output_config".to_owned(), Value::Object(output));
    }
    fields
}

/// The shape of an answer without the layer that Chat Completions has around a schema.
fn flat(format: &Value) -> Value {
    let Some(inner) = format.get("json_schema").and_then(Value::as_object) else {
        return format.clone();
    };
    let mut flat = inner.clone();
    flat.insert("type".to_owned(), json!("json_schema"));
    Value::Object(flat)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_protocol_gets_what_it_has() {
        let given = json!({
            "seed": 7, "top_p": 0.9, "stop": "END", "reasoning_effort": "low",
            "response_format": { "type": "json_schema", "json_schema": { "name": "n", "schema": { "type": "object" }, "strict": true } },
        });
        let given = given.as_object().unwrap();
        assert_eq!(
            Value::Object(for_responses(given)),
            json!({
                "top_p": 0.9, "reasoning": { "effort": "low" },
                "text": { "format": { "type": "json_schema", "name": "n", "schema": { "type": "object" }, "strict": true } },
            })
        );
        assert_eq!(
            Value::Object(for_anthropic(given)),
            json!({
                "top_p": 0.9, "stop_sequences": ["END"],
                "output_config": { "effort": "low", "format": { "type": "json_schema", "schema": { "type": "object" } } },
            })
        );
    }
}
