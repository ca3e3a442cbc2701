//! Reads a request for a chat completion. What is not known passes on.

use recalld_agent::chat::{MemoryState, PassthroughRequest};
use recalld_memory::id::ConversationId;
use recalld_memory::ports::ChatRequest;
use recalld_memory::ports::chat::{Part, ToolCall, ToolChoice, ToolSpec, Turn};
use serde_json::{Map, Value};

use crate::error::{ApiError, Code};

/// A request, understood.
#[derive(Debug)]
pub(super) struct CompletionsRequest {
    pub(super) passthrough: PassthroughRequest,
    pub(super) stream: bool,
    pub(super) with_usage: bool,
}

fn invalid(detail: impl Into<String>) -> ApiError {
    ApiError::new(Code::InvalidRequest, detail.into())
}

/// Reads the body. A conversation named by the header counts more than one in `metadata`.
pub(super) fn read(body: Value, named: Option<ConversationId>) -> Result<CompletionsRequest, ApiError> {
    let Value::Object(mut body) = body else {
        return Err(invalid("the body must be an object"));
    };
    let mut take = |name: &str| body.shift_remove(name).filter(|value| !value.is_null());
    let messages = match take("messages") {
        Some(Value::Array(messages)) => messages,
        _ => return Err(invalid("messages must be an array")),
    };
    let model = take("model").and_then(|model| model.as_str().map(str::to_owned));
    let stream = take("stream").is_some_and(|stream| stream == true);
    let with_usage = take("stream_options").is_some_and(|options| options["include_usage"] == true);
    let tools = match take("tools") {
        Some(Value::Array(tools)) => tools.into_iter().map(tool).collect::<Result<_, _>>()?,
        Some(_) => return Err(invalid("tools must be an array")),
        None => Vec::new(),
    };
    let tool_choice = take("tool_choice").map_or(Ok(ToolChoice::Auto), choice)?;
    if take("n").is_some_and(|n| n != 1) {
        return Err(invalid("n must be 1"));
    }
    let tokens = take("max_completion_tokens").or_else(|| take("max_tokens"));
    let temperature = take("temperature").and_then(|temperature| temperature.as_f64());
    let in_metadata = body
        .get("metadata")
        .and_then(|metadata| metadata["conversation_id"].as_str());
    let in_metadata = in_metadata.map(ConversationId::new).transpose();
    let in_metadata = in_metadata.map_err(|error| invalid(format!("metadata.conversation_id: {error}")))?;
    Ok(CompletionsRequest {
        passthrough: PassthroughRequest {
            turns: messages.iter().map(turn).collect::<Result<_, _>>()?,
            tools,
            request: ChatRequest {
                tool_choice,
                tokens_max: tokens
                    .and_then(|most| most.as_u64())
                    .map(|most| most.min(1 << 30) as u32),
                temperature,
                extra: extra(body),
                ..ChatRequest::default()
            },
            // What clients name when they must name something.
            model: model.filter(|name| !matches!(name.as_str(), "" | "recalld" | "default")),
            conversation: named.or(in_metadata),
            memory: MemoryState::On,
        },
        stream,
        with_usage,
    })
}

/// What passes on as it is; ids of users and conversations are for us alone.
fn extra(body: Map<String, Value>) -> Map<String, Value> {
    let ours = ["user", "metadata", "store"];
    body.into_iter()
        .filter(|(name, _)| !ours.contains(&name.as_str()))
        .collect()
}

fn tool(tool: Value) -> Result<ToolSpec, ApiError> {
    let function = &tool["function"];
    let name = function["name"].as_str().or(tool["name"].as_str());
    let name = name.ok_or_else(|| invalid("every tool needs function.name"))?;
    Ok(ToolSpec {
        name: name.to_owned(),
        description: function["description"].as_str().unwrap_or("").to_owned(),
        schema: match &function["parameters"] {
            Value::Null => serde_json::json!({ "type": "object", "properties": {} }),
            schema => schema.clone(),
        },
        raw: Some(tool.clone()),
    })
}

fn choice(choice: Value) -> Result<ToolChoice, ApiError> {
    match (choice.as_str(), choice["function"]["name"].as_str()) {
        (Some("auto"), _) => Ok(ToolChoice::Auto),
        (Some("none"), _) => Ok(ToolChoice::None),
        (Some("required"), _) => Ok(ToolChoice::Required),
        (None, Some(name)) => Ok(ToolChoice::Named(name.to_owned())),
        _ => Err(invalid(
            "tool_choice must be auto, none, required or name a function",
        )),
    }
}

fn turn(message: &Value) -> Result<Turn, ApiError> {
    let content = &message["content"];
    match message["role"].as_str() {
        Some("system" | "developer") => Ok(Turn::System(text(content))),
        Some("user") => Ok(Turn::User(parts(content))),
        Some("assistant") => {
            let calls = message["tool_calls"].as_array();
            let call = |call: &Value| ToolCall {
                id: call["id"].as_str().unwrap_or("").to_owned(),
                name: call["function"]["name"].as_str().unwrap_or("").to_owned(),
                arguments: call["function"]["arguments"].as_str().unwrap_or("").to_owned(),
            };
            Ok(Turn::Assistant {
                text: text(content),
                calls: calls.into_iter().flatten().map(call).collect(),
            })
        }
        Some("tool" | "function") => Ok(Turn::Tool {
            call: message["tool_call_id"].as_str().unwrap_or("").to_owned(),
            name: message["name"].as_str().unwrap_or("").to_owned(),
            text: text(content),
            failed: false,
        }),
        _ => Err(invalid(
            "every message needs a role: system, developer, user, assistant or tool",
        )),
    }
}

fn text(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let texts: Vec<&str> = parts.iter().filter_map(|part| part["text"].as_str()).collect();
            texts.join("\n")
        }
        _ => String::new(),
    }
}

fn parts(content: &Value) -> Vec<Part> {
    let Value::Array(parts) = content else {
        return vec![Part::Text(text(content))];
    };
    let part = |part: &Value| match (part["type"].as_str(), part["image_url"]["url"].as_str()) {
        (Some("text"), _) => Part::Text(part["text"].as_str().unwrap_or("").to_owned()),
        (Some("image_url"), Some(url)) if part["image_url"].as_object().is_some_and(|o| o.len() == 1) => {
            Part::Image { url: url.to_owned() }
        }
        _ => Part::Raw(part.clone()),
    };
    parts.iter().map(part).collect()
}
