//! Reads a request for a response.

use recalld_agent::chat::{MemoryState, PassthroughRequest};
use recalld_memory::id::ConversationId;
use recalld_memory::ports::ChatRequest;
use recalld_memory::ports::chat::{OutputShape, Part, ToolCall, ToolChoice, ToolSpec, Turn};
use serde_json::{Map, Value, json};

use super::super::super::json_body::invalid;
use super::super::conversations::item;
use crate::error::ApiError;

/// A request, understood.
#[derive(Debug)]
pub(super) struct ResponsesRequest {
    /// The new items, each with an id.
    pub(super) input: Vec<Value>,
    pub(super) model: Option<String>,
    pub(super) previous: Option<String>,
    pub(super) conversation: Option<String>,
    pub(super) stream: bool,
    /// Whether the response can be read and gone on with later.
    pub(super) is_stored: bool,
    /// Fields that come back with the response.
    pub(super) echoed: Map<String, Value>,
    instructions: Option<String>,
    tools: Vec<ToolSpec>,
    request: ChatRequest,
}

/// What comes back with the response as it was given.
const ECHOED: [&str; 10] = [
    "instructions",
    "metadata",
    "previous_response_id",
    "tools",
    "tool_choice",
    "temperature",
    "top_p",
    "max_output_tokens",
    "text",
    "store",
];

/// Reads the body.
pub(super) fn read(
    mut body: Map<String, Value>,
    fresh: impl Fn() -> String,
) -> Result<ResponsesRequest, ApiError> {
    let mut echoed: Map<String, Value> = ECHOED
        .iter()
        .filter_map(|name| Some(((*name).to_owned(), body.get(*name)?.clone())))
        .filter(|(_, value)| !value.is_null())
        .collect();
    let mut take = |name: &str| body.shift_remove(name).filter(|value| !value.is_null());
    let input = match take("input") {
        Some(Value::String(text)) => vec![json!({ "role": "user", "content": text })],
        Some(Value::Array(items)) => items,
        None => Vec::new(),
        Some(_) => return Err(invalid("input must be a text or a list of items")),
    };
    let input: Vec<Value> = input
        .into_iter()
        .map(|given| item::normal(given, &fresh))
        .collect::<Result<_, _>>()?;
    let text = |value: Option<Value>| value.and_then(|value| value.as_str().map(str::to_owned));
    let previous = text(take("previous_response_id"));
    let conversation = match take("conversation") {
        Some(Value::String(id)) => Some(id),
        Some(named) => Some(
            named["id"]
                .as_str()
                .ok_or_else(|| invalid("conversation needs an id"))?
                .to_owned(),
        ),
        None => None,
    };
    if previous.is_some() && conversation.is_some() {
        return Err(invalid("name a previous_response_id or a conversation, not both"));
    }
    if let Some(id) = &conversation {
        echoed.insert("conversation".to_owned(), json!({ "id": id }));
    }
    let model = text(take("model"));
    let instructions = text(take("instructions"));
    let stream = take("stream").is_some_and(|stream| stream == true);
    let is_stored = take("store").is_none_or(|store| store != false);
    let tools = match take("tools") {
        Some(Value::Array(tools)) => tools.iter().map(tool).collect::<Result<_, _>>()?,
        Some(_) => return Err(invalid("tools must be an array")),
        None => Vec::new(),
    };
    let request = ChatRequest {
        tool_choice: take("tool_choice").map_or(Ok(ToolChoice::Auto), choice)?,
        output: take("text").and_then(|text| shape(&text["format"])),
        tokens_max: take("max_output_tokens")
            .and_then(|most| most.as_u64())
            .map(|most| most.min(1 << 30) as u32),
        temperature: take("temperature").and_then(|temperature| temperature.as_f64()),
        extra: take("top_p")
            .map(|top| ("top_p".to_owned(), top))
            .into_iter()
            .collect(),
        ..ChatRequest::default()
    };
    Ok(ResponsesRequest {
        input,
        model,
        previous,
        conversation,
        stream,
        is_stored,
        echoed,
        instructions,
        tools,
        request,
    })
}

fn shape(format: &Value) -> Option<OutputShape> {
    (format["type"] == "json_schema").then(|| OutputShape {
        name: format["name"].as_str().unwrap_or("answer").to_owned(),
        schema: format["schema"].clone(),
    })
}

fn tool(tool: &Value) -> Result<ToolSpec, ApiError> {
    let kind = tool["type"].as_str().unwrap_or("function");
    match (kind, tool["name"].as_str()) {
        ("function", Some(name)) => Ok(ToolSpec {
            name: name.to_owned(),
            description: tool["description"].as_str().unwrap_or("").to_owned(),
            schema: match &tool["parameters"] {
                Value::Null => json!({ "type": "object", "properties": {} }),
                schema => schema.clone(),
            },
            raw: None,
        }),
        _ => Err(invalid(format!(
            "tools of type {kind} are not served here: only functions"
        ))),
    }
}

fn choice(choice: Value) -> Result<ToolChoice, ApiError> {
    match (choice.as_str(), choice["name"].as_str()) {
        (Some("auto"), _) => Ok(ToolChoice::Auto),
        (Some("none"), _) => Ok(ToolChoice::None),
        (Some("required"), _) => Ok(ToolChoice::Required),
        (None, Some(name)) => Ok(ToolChoice::Named(name.to_owned())),
        _ => Err(invalid(
            "tool_choice must be auto, none, required or name a function",
        )),
    }
}

impl ResponsesRequest {
    /// Makes the request to the model, with what was said so far.
    pub(super) fn passthrough(&self, history: &[Value], conversation: ConversationId) -> PassthroughRequest {
        let system = self.instructions.iter().map(|text| Turn::System(text.clone()));
        let mut turns: Vec<Turn> = system.collect();
        for item in history.iter().chain(&self.input) {
            add_turn(item, &mut turns);
        }
        let is_named = |name: &&String| !matches!(name.as_str(), "" | "recalld" | "default");
        PassthroughRequest {
            turns,
            tools: self.tools.clone(),
            request: self.request.clone(),
            model: self.model.as_ref().filter(is_named).cloned(),
            conversation: Some(conversation),
            memory: MemoryState::On,
        }
    }
}

/// Adds what an item says. What no model can be told of, such as another model's reasoning, is left
/// out.
fn add_turn(item: &Value, turns: &mut Vec<Turn>) {
    let text = |name: &str| item[name].as_str().unwrap_or("").to_owned();
    match item["type"].as_str() {
        Some("message") => {
            let parts = item["content"].as_array().cloned().unwrap_or_default();
            let texts: Vec<&str> = parts.iter().filter_map(|part| part["text"].as_str()).collect();
            turns.push(match item["role"].as_str() {
                Some("assistant") => Turn::assistant(texts.join("\n")),
                Some("system" | "developer") => Turn::System(texts.join("\n")),
                _ => Turn::User(parts.iter().map(part).collect()),
            });
        }
        Some("function_call") => {
            let call = ToolCall {
                id: text("call_id"),
                name: text("name"),
                arguments: text("arguments"),
            };
            match turns.last_mut() {
                Some(Turn::Assistant { calls, .. }) => calls.push(call),
                _ => turns.push(Turn::Assistant {
                    text: String::new(),
                    calls: vec![call],
                }),
            }
        }
        Some("function_call_output") => {
            let output = match &item["output"] {
                Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            turns.push(Turn::Tool {
                call: text("call_id"),
                name: String::new(),
                text: output,
                failed: false,
            });
        }
        _ => {}
    }
}

fn part(part: &Value) -> Part {
    match (
        part["type"].as_str(),
        part["text"].as_str(),
        part["image_url"].as_str(),
    ) {
        (_, Some(text), _) => Part::Text(text.to_owned()),
        (Some("input_image"), _, Some(url)) => Part::Image { url: url.to_owned() },
        _ => Part::Raw(part.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_become_turns() {
        let body = json!({
            "model": "gpt", "instructions": "Be brief", "previous_response_id": "resp_1",
            "input": [{"type": "function_call_output", "call_id": "c", "output": "42"}, {"role": "user", "content": "And?"}],
        });
        let asked = read(body.as_object().unwrap().clone(), || "0-1".to_owned()).unwrap();
        let history = [json!({"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"})];
        let turns = asked
            .passthrough(&history, ConversationId::new("t").unwrap())
            .turns;
        assert_eq!(turns[0], Turn::System("Be brief".to_owned()));
        assert!(matches!(&turns[1], Turn::Assistant { calls, .. } if calls[0].name == "f"));
        assert!(matches!(&turns[2], Turn::Tool { text, .. } if text == "42"));
        assert_eq!(turns[3], Turn::user("And?"));
        assert_eq!(asked.echoed["previous_response_id"], "resp_1");
        let both = json!({"previous_response_id": "a", "conversation": "b"});
        assert!(read(both.as_object().unwrap().clone(), String::new).is_err());
        let search = json!({"tools": [{"type": "web_search"}]});
        assert!(read(search.as_object().unwrap().clone(), String::new).is_err());
    }
}
