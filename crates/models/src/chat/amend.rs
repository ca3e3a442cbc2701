//! What is changed in a request that a model will not have: newer models refuse what older ones
//! took, and older servers what is new.

use serde_json::{Map, Value, json};

/// What only tunes an answer, and can be left out.
const TUNING: [&str; 12] = [
    "temperature",
    "top_p",
    "top_k",
    "stop",
    "stop_sequences",
    "seed",
    "frequency_penalty",
    "presence_penalty",
    "logit_bias",
    "top_logprobs",
    "parallel_tool_calls",
    "stream_options",
];

/// How often a request is changed at the most.
pub(super) const AMENDMENTS_MAX: usize = 4;

/// Changes what `reason` says is refused. Tells whether anything was.
pub(super) fn amend(body: &mut Value, reason: &str) -> bool {
    let Some(fields) = body.as_object_mut() else {
        return false;
    };
    if reason.contains("max_completion_tokens")
        && let Some(most) = fields.remove("max_tokens")
    {
        fields.insert("max_completion_tokens".to_owned(), most);
        return true;
    }
    if reason.contains("reasoning_effort") && fields.contains_key("tools") && fields.contains_key("messages")
    {
        let thinks = fields.insert("reasoning_effort".to_owned(), json!("none"));
        return thinks != Some(json!("none"));
    }
    if reason.contains("output_config") {
        return by_tool(fields);
    }
    if reason.contains("tool_choice") || reason.contains("forced tool") {
        return by_format(fields);
    }
    let names = |name: &&&str| reason.contains(**name) && fields.contains_key(**name);
    match TUNING.iter().find(names) {
        Some(name) => fields.remove(*name).is_some(),
        None => false,
    }
}

/// The tool through which a structured answer is given where there is no other way: its arguments
/// are the answer.
pub(super) const ANSWER_TOOL: &str = "answer";

/// Asks for a structured answer as an answer of that shape.
pub(super) fn format(schema: &Value) -> Value {
    json!({ "format": { "type": "json_schema", "schema": schema } })
}

/// The tool whose arguments are the answer.
pub(super) fn tool(schema: &Value) -> Value {
    json!({ "name": ANSWER_TOOL, "description": "Gives the answer.", "input_schema": schema })
}

fn by_tool(fields: &mut Map<String, Value>) -> bool {
    let Some(config) = fields.remove("output_config") else {
        return false;
    };
    if let Some(schema) = config.pointer("/format/schema") {
        let tools = fields.entry("tools").or_insert_with(|| json!([]));
        if let Some(tools) = tools.as_array_mut() {
            tools.push(tool(schema));
        }
        fields.insert(
            "tool_choice".to_owned(),
            json!({ "type": "tool", "name": ANSWER_TOOL }),
        );
    }
    true
}

fn by_format(fields: &mut Map<String, Value>) -> bool {
    if fields
        .get("tool_choice")
        .is_none_or(|choice| choice["name"] != ANSWER_TOOL)
    {
        return false;
    }
    let tools = fields.get_mut("tools").and_then(Value::as_array_mut);
    let Some(answer) = tools.and_then(Vec::pop) else {
        return false;
    };
    fields.remove("tool_choice");
    if fields["tools"].as_array().is_some_and(Vec::is_empty) {
        fields.remove("tools");
    }
    fields.insert("output_config".to_owned(), format(&answer["input_schema"]));
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_refused_by_name_is_changed_and_nothing_else() {
        let messages = || json!([{ "role": "user", "content": "the temperature" }]);
        for (before, reason, after) in [
            (
                json!({ "temperature": 0.7, "top_p": 1 }),
                "Unsupported value: 'temperature' does not support 0.7",
                Some(json!({ "top_p": 1 })),
            ),
            (
                json!({ "max_tokens": 9 }),
                "'max_tokens' is not supported. Use 'max_completion_tokens' instead.",
                Some(json!({ "max_completion_tokens": 9 })),
            ),
            (
                json!({ "messages": messages(), "tools": [1] }),
                "Function tools with reasoning_effort are not supported; set reasoning_effort to 'none'",
                Some(json!({ "messages": messages(), "tools": [1], "reasoning_effort": "none" })),
            ),
            (
                json!({ "messages": messages() }),
                "temperature is too low in here",
                None,
            ),
            (json!({ "model": "x" }), "the model x does not exist", None),
        ] {
            let mut body = before.clone();
            assert_eq!(amend(&mut body, reason), after.is_some(), "{reason}");
            assert_eq!(body, after.unwrap_or(before));
        }
    }

    #[test]
    fn a_structured_answer_is_asked_for_in_the_other_way() {
        let schema = json!({ "type": "object" });
        let formatted = json!({ "output_config": format(&schema) });
        let mut body = formatted.clone();
        assert!(amend(&mut body, "output_config: Extra inputs are not permitted"));
        assert_eq!(body["tool_choice"]["name"], ANSWER_TOOL);
        assert!(amend(
            &mut body,
            "tool_choice forces tool use, which is not supported"
        ));
        assert_eq!(body, formatted);
    }
}
