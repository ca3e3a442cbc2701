//! Anthropic Messages: `/messages`, with content blocks.

use std::collections::{HashSet, VecDeque};

use recalld_memory::ports::chat::{FinishReason, Part, ToolChoice, Turn, Usage};
use recalld_memory::ports::{ChatEvent, ChatRequest};
use reqwest::RequestBuilder;
use reqwest::header::HeaderValue;
use serde_json::{Map, Value, json};

use super::amend::{self, ANSWER_TOOL};
use super::config::ChatConfig;
use super::extra::for_anthropic;
use super::failure::{Failure, answer_json, reported_failure};
use super::provider::Provider;
use super::streaming_reply::Reader;
use crate::http::ApiKey;
use crate::sse::SseEvent;

/// The provider.
pub(super) struct Anthropic;

impl Provider for Anthropic {
    fn name(&self) -> &'static str {
        "anthropic"
    }

    fn path(&self) -> &'static str {
        "messages"
    }

    fn body(&self, config: &ChatConfig, request: &ChatRequest) -> Value {
        body(config, request)
    }

    fn extra(&self, extra: &Map<String, Value>) -> Map<String, Value> {
        for_anthropic(extra)
    }

    fn reader(&self, request: &ChatRequest) -> Box<dyn Reader> {
        Box::new(Events::of(request))
    }

    fn with_key(&self, request: RequestBuilder, key: &ApiKey) -> RequestBuilder {
        let version = HeaderValue::from_static("2023-06-01");
        let request = request.header("anthropic-version", version);
        match key.bare() {
            Some(key) => request.header("x-api-key", key),
            None => request,
        }
    }
}

/// Writes a request.
fn body(config: &ChatConfig, request: &ChatRequest) -> Value {
    let leading = request
        .turns
        .iter()
        .take_while(|turn| matches!(turn, Turn::System(_)));
    let system: Vec<String> = leading.map(Turn::text).collect();
    let mut body = json!({
        "model": request.model.as_ref().unwrap_or(&config.model),
        "max_tokens": request.tokens_max.unwrap_or(config.limits.tokens_default),
        "messages": messages(&request.turns[system.len()..]),
        "stream": true,
    });
    if !system.is_empty() {
        // What opens every request of a conversation is worth keeping at the provider's.
        body["system"] = json!([{
            "type": "text", "text": system.join("\n\n"), "cache_control": { "type": "ephemeral" },
        }]);
    }
    let tool = |tool: &recalld_memory::ports::chat::ToolSpec| json!({ "name": tool.name, "description": tool.description, "input_schema": tool.schema });
    let mut tools: Vec<Value> = request.tools.iter().map(tool).collect();
    if let Some(shape) = &request.output {
        // Anthropic's newer models cannot be made to call a tool; servers that only speak its
        // protocol know no other way.
        match config.base_url.contains("api.anthropic.com") {
            true => body["output_config"] = amend::format(&shape.schema),
            false => {
                tools.push(amend::tool(&shape.schema));
                body["tool_choice"] = json!({ "type": "tool", "name": ANSWER_TOOL });
            }
        }
    } else if !tools.is_empty() {
        match &request.tool_choice {
            ToolChoice::Auto => {}
            ToolChoice::None => body["tool_choice"] = json!({ "type": "none" }),
            ToolChoice::Required => body["tool_choice"] = json!({ "type": "any" }),
            ToolChoice::Named(name) => body["tool_choice"] = json!({ "type": "tool", "name": name }),
        }
    }
    if !tools.is_empty() {
        body["tools"] = json!(tools);
    }
    if let Some(temperature) = request.temperature {
        body["temperature"] = json!(temperature);
    }
    body
}

/// Turns in a row of one side become one message: the protocol wants the sides to take turns.
fn messages(turns: &[Turn]) -> Vec<Value> {
    let mut messages: Vec<(&str, Vec<Value>)> = Vec::new();
    for turn in turns {
        let (role, blocks) = blocks(turn);
        match messages.last_mut() {
            Some((last, said)) if *last == role => said.extend(blocks),
            _ => messages.push((role, blocks)),
        }
    }
    messages
        .into_iter()
        .filter(|(_, blocks)| !blocks.is_empty())
        .map(|(role, blocks)| json!({ "role": role, "content": blocks }))
        .collect()
}

fn blocks(turn: &Turn) -> (&'static str, Vec<Value>) {
    let text = |text: &str| json!({ "type": "text", "text": text });
    match turn {
        Turn::System(said) => ("user", vec![text(said)]),
        Turn::User(parts) => ("user", parts.iter().map(part).collect()),
        Turn::Assistant { text: said, calls } => {
            let said = Some(said)
                .filter(|said| !said.trim().is_empty())
                .map(|said| text(said));
            let call = |call: &recalld_memory::ports::chat::ToolCall| {
                let input = serde_json::from_str::<Value>(&call.arguments).ok();
                let input = input.filter(Value::is_object).unwrap_or_else(|| json!({}));
                json!({ "type": "tool_use", "id": call.id, "name": call.name, "input": input })
            };
            (
                "assistant",
                said.into_iter().chain(calls.iter().map(call)).collect(),
            )
        }
        Turn::Tool {
            call, text, failed, ..
        } => {
            let result = json!({
                "type": "tool_result", "tool_use_id": call, "content": text, "is_error": failed,
            });
            ("user", vec![result])
        }
    }
}

fn part(part: &Part) -> Value {
    match part {
        Part::Text(text) => json!({ "type": "text", "text": text }),
        Part::Image { url } => {
            let inline = url
                .strip_prefix("data:")
                .and_then(|rest| rest.split_once(";base64,"));
            let source = match inline {
                Some((kind, data)) => json!({ "type": "base64", "media_type": kind, "data": data }),
                None => json!({ "type": "url", "url": url }),
            };
            json!({ "type": "image", "source": source })
        }
        Part::Raw(raw) => json!({ "type": "text", "text": raw.to_string() }),
    }
}

/// Reads the events of an answer.
#[derive(Debug, Default)]
pub(super) struct Events {
    /// Whether the arguments of the answer's tool are the answer.
    structured: bool,
    /// Blocks that are the answer.
    answers: HashSet<usize>,
    reason: Option<FinishReason>,
    usage: Usage,
}

impl Events {
    pub(super) fn of(request: &ChatRequest) -> Events {
        Events {
            structured: request.output.is_some(),
            ..Events::default()
        }
    }

    fn block_began(&mut self, index: usize, block: &Value, into: &mut VecDeque<ChatEvent>) {
        let text = |name: &str| block[name].as_str().unwrap_or("").to_owned();
        match block["type"].as_str().unwrap_or("") {
            "tool_use" if self.structured && block["name"] == ANSWER_TOOL => {
                self.answers.insert(index);
            }
            "tool_use" => into.push_back(ChatEvent::CallBegan {
                index,
                id: text("id"),
                name: text("name"),
            }),
            "text" if !text("text").is_empty() => into.push_back(ChatEvent::Text(text("text"))),
            _ => {}
        }
    }

    fn block_went_on(&mut self, index: usize, delta: &Value, into: &mut VecDeque<ChatEvent>) {
        let text = |name: &str| delta[name].as_str().unwrap_or("").to_owned();
        match delta["type"].as_str().unwrap_or("") {
            "text_delta" => into.push_back(ChatEvent::Text(text("text"))),
            "thinking_delta" => into.push_back(ChatEvent::Reasoning(text("thinking"))),
            "input_json_delta" if self.answers.contains(&index) => {
                into.push_back(ChatEvent::Text(text("partial_json")));
            }
            "input_json_delta" => {
                let text = text("partial_json");
                into.push_back(ChatEvent::CallArguments { index, text });
            }
            _ => {}
        }
    }

    fn count(&mut self, usage: &Value) {
        let count = |name: &str| usage[name].as_u64();
        if let Some(fresh) = count("input_tokens") {
            let (read, written) = (
                count("cache_read_input_tokens").unwrap_or(0),
                count("cache_creation_input_tokens").unwrap_or(0),
            );
            self.usage.tokens_in = fresh + read + written;
            self.usage.tokens_cached = read;
        }
        if let Some(out) = count("output_tokens") {
            self.usage.tokens_out = out;
        }
    }
}

impl Reader for Events {
    fn read(&mut self, event: &SseEvent, into: &mut VecDeque<ChatEvent>) -> Result<(), Failure> {
        let data: Value = answer_json(&event.data)?;
        let index = data["index"].as_u64().unwrap_or(0) as usize;
        match data["type"].as_str().unwrap_or("") {
            "message_start" => self.count(&data["message"]["usage"]),
            "content_block_start" => self.block_began(index, &data["content_block"], into),
            "content_block_delta" => self.block_went_on(index, &data["delta"], into),
            "message_delta" => {
                self.count(&data["usage"]);
                self.reason = data["delta"]["stop_reason"].as_str().map(|reason| match reason {
                    "max_tokens" => FinishReason::Length,
                    "tool_use" if self.structured => FinishReason::Stop,
                    "tool_use" => FinishReason::ToolCalls,
                    "refusal" => FinishReason::Filtered,
                    _ => FinishReason::Stop,
                });
            }
            "message_stop" => into.extend(self.end()),
            "error" => return Err(reported_failure(&data["error"])),
            _ => {}
        }
        Ok(())
    }

    fn end(&mut self) -> Option<ChatEvent> {
        Some(ChatEvent::Finished {
            reason: self.reason?,
            usage: self.usage,
        })
    }
}
