//! Reads a request for a message. What is not known passes on.

use recalld_agent::chat::{MemoryState, PassthroughRequest};
use recalld_memory::id::ConversationId;
use recalld_memory::ports::ChatRequest;
use recalld_memory::ports::chat::{Part, ToolCall, ToolChoice, ToolSpec, Turn};
use serde_json::{Map, Value};

use super::super::super::json_body::invalid;
use crate::error::ApiError;

/// A request, understood.
#[derive(Debug)]
pub(super) struct MessagesRequest {
    pub(super) passthrough: PassthroughRequest,
    /// The model as the caller names it.
    pub(super) model: Option<String>,
    pub(super) stream: bool,
}

/// Reads the body.
pub(super) fn read(
    mut body: Map<String, Value>,
    named: Option<ConversationId>,
) -> Result<MessagesRequest, ApiError> {
    let mut take = |name: &str| body.shift_remove(name).filter(|value| !value.is_null());
    let Some(Value::Array(messages)) = take("messages") else {
        return Err(invalid("messages must be an array"));
    };
    let model = take("model").and_then(|model| model.as_str().map(str::to_owned));
    let tokens = take("max_tokens").and_then(|most| most.as_u64());
    let tokens = tokens.ok_or_else(|| invalid("max_tokens is required"))?;
    let stream = take("stream").is_some_and(|stream| stream == true);
    let mut turns = Vec::new();
    if let Some(system) = take("system") {
        turns.push(Turn::System(text(&system)));
    }
    for message in &messages {
        add_turns(message, &mut turns)?;
    }
    let tools = match take("tools") {
        Some(Value::Array(tools)) => tools.into_iter().map(tool).collect::<Result<_, _>>()?,
        Some(_) => return Err(invalid("tools must be an array")),
        None => Vec::new(),
    };
    let tool_choice = take("tool_choice").map_or(Ok(ToolChoice::Auto), choice)?;
    let temperature = take("temperature").and_then(|temperature| temperature.as_f64());
    // Ids of users are for us alone, and the names of betas for the vendor's own server.
    for ours in ["metadata", "betas", "container", "service_tier"] {
        body.shift_remove(ours);
    }
    Ok(MessagesRequest {
        passthrough: PassthroughRequest {
            turns,
            tools,
            request: ChatRequest {
                tool_choice,
                tokens_max: Some(tokens.min(1 << 30) as u32),
                temperature,
                extra: body,
                ..ChatRequest::default()
            },
            model: model
                .clone()
                .filter(|name| !matches!(name.as_str(), "" | "recalld" | "default")),
            conversation: named,
            memory: MemoryState::On,
        },
        model,
        stream,
    })
}

fn tool(tool: Value) -> Result<ToolSpec, ApiError> {
    let name = tool["name"]
        .as_str()
        .ok_or_else(|| invalid("every tool needs a name"))?;
    match (&tool["input_schema"], tool["type"].as_str()) {
        (schema @ Value::Object(_), None | Some("custom")) => Ok(ToolSpec {
            name: name.to_owned(),
            description: tool["description"].as_str().unwrap_or("").to_owned(),
            schema: schema.clone(),
            raw: None,
        }),
        (_, kind) => Err(invalid(format!(
            "the tool {name:?} of type {} is not served here: give it an input_schema",
            kind.unwrap_or("custom")
        ))),
    }
}

fn choice(choice: Value) -> Result<ToolChoice, ApiError> {
    match (choice["type"].as_str(), choice["name"].as_str()) {
        (Some("auto"), _) => Ok(ToolChoice::Auto),
        (Some("none"), _) => Ok(ToolChoice::None),
        (Some("any"), _) => Ok(ToolChoice::Required),
        (Some("tool"), Some(name)) => Ok(ToolChoice::Named(name.to_owned())),
        _ => Err(invalid("tool_choice must be auto, any, none or name a tool")),
    }
}

/// Adds what a message says: results of tools are turns of their own.
fn add_turns(message: &Value, turns: &mut Vec<Turn>) -> Result<(), ApiError> {
    let content = &message["content"];
    let blocks = content.as_array().cloned().unwrap_or_default();
    match message["role"].as_str() {
        Some("assistant") => {
            let uses = blocks.iter().filter(|block| block["type"] == "tool_use");
            let call = |block: &Value| ToolCall {
                id: block["id"].as_str().unwrap_or("").to_owned(),
                name: block["name"].as_str().unwrap_or("").to_owned(),
                arguments: block["input"].to_string(),
            };
            turns.push(Turn::Assistant {
                text: text(content),
                calls: uses.map(call).collect(),
            });
            Ok(())
        }
        Some("user") => {
            for block in blocks.iter().filter(|block| block["type"] == "tool_result") {
                turns.push(Turn::Tool {
                    call: block["tool_use_id"].as_str().unwrap_or("").to_owned(),
                    name: String::new(),
                    text: text(&block["content"]),
                    failed: block["is_error"] == true,
                });
            }
            let parts: Vec<Part> = match content {
                Value::String(text) => vec![Part::Text(text.clone())],
                _ => blocks.iter().filter_map(part).collect(),
            };
            if !parts.is_empty() {
                turns.push(Turn::User(parts));
            }
            Ok(())
        }
        Some("system") => {
            turns.push(Turn::System(text(content)));
            Ok(())
        }
        _ => Err(invalid("every message needs a role: user or assistant")),
    }
}

fn part(block: &Value) -> Option<Part> {
    match block["type"].as_str()? {
        "text" => Some(Part::Text(block["text"].as_str()?.to_owned())),
        "image" => {
            let source = &block["source"];
            let url = match source["type"].as_str()? {
                "url" => source["url"].as_str()?.to_owned(),
                _ => format!(
                    "data:{};base64,{}",
                    source["media_type"].as_str()?,
                    source["data"].as_str()?
                ),
            };
            Some(Part::Image { url })
        }
        "tool_result" => None,
        _ => Some(Part::Raw(block.clone())),
    }
}

fn text(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(blocks) => {
            let texts: Vec<&str> = blocks.iter().filter_map(|block| block["text"].as_str()).collect();
            texts.join("\n")
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn messages_become_turns() {
        let body = json!({
            "model": "claude", "max_tokens": 10, "system": [{"type": "text", "text": "Be brief"}], "top_p": 0.5,
            "messages": [
                {"role": "user", "content": "Hi"},
                {"role": "assistant", "content": [{"type": "text", "text": "Let me see"}, {"type": "tool_use", "id": "t1", "name": "look", "input": {"a": 1}}]},
                {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "42"}], "is_error": true}, {"type": "text", "text": "And?"}]},
            ],
        });
        let asked = read(body.as_object().unwrap().clone(), None).unwrap();
        let turns = &asked.passthrough.turns;
        assert_eq!(turns[0], Turn::System("Be brief".to_owned()));
        assert!(matches!(&turns[2], Turn::Assistant { calls, .. } if calls[0].arguments == r#"{"a":1}"#));
        assert!(matches!(&turns[3], Turn::Tool { text, failed: true, .. } if text == "42"));
        assert_eq!(turns[4], Turn::User(vec![Part::Text("And?".to_owned())]));
        assert_eq!(asked.passthrough.request.extra["top_p"], 0.5);
        assert!(read(Map::new(), None).is_err());
    }
}
