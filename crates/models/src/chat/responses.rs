//! OpenAI Responses: `/responses`, with typed events.

use std::collections::VecDeque;

use recalld_memory::ports::chat::{FinishReason, Part, ToolChoice, Turn, Usage};
use recalld_memory::ports::{ChatEvent, ChatRequest};
use serde_json::{Map, Value, json};

use super::config::ChatConfig;
use super::extra::for_responses;
use super::failure::{Failure, answer_json, reported_failure};
use super::provider::Provider;
use super::streaming_reply::Reader;
use crate::sse::SseEvent;

/// The provider.
pub(super) struct OpenAiResponses;

impl Provider for OpenAiResponses {
    fn name(&self) -> &'static str {
        "responses"
    }

    fn path(&self) -> &'static str {
        "responses"
    }

    fn body(&self, config: &ChatConfig, request: &ChatRequest) -> Value {
        body(config, request)
    }

    fn extra(&self, extra: &Map<String, Value>) -> Map<String, Value> {
        for_responses(extra)
    }

    fn reader(&self, _: &ChatRequest) -> Box<dyn Reader> {
        Box::new(Events::default())
    }
}

/// Writes a request. The endpoint is told to keep nothing: what is remembered is remembered here.
fn body(config: &ChatConfig, request: &ChatRequest) -> Value {
    let leading = request
        .turns
        .iter()
        .take_while(|turn| matches!(turn, Turn::System(_)));
    let instructions: Vec<String> = leading.map(Turn::text).collect();
    let input: Vec<Value> = request.turns[instructions.len()..]
        .iter()
        .flat_map(items)
        .collect();
    let mut body = json!({ "model": request.model.as_ref().unwrap_or(&config.model), "input": input, "stream": true, "store": false });
    if !instructions.is_empty() {
        body["instructions"] = json!(instructions.join("\n\n"));
    }
    if !request.tools.is_empty() {
        let tool = |tool: &recalld_memory::ports::chat::ToolSpec| {
            let strict = tool
                .raw
                .as_ref()
                .is_some_and(|raw| raw["function"]["strict"] == true);
            json!({
                "type": "function", "name": tool.name, "description": tool.description,
                "parameters": tool.schema, "strict": strict,
            })
        };
        body["tools"] = request.tools.iter().map(tool).collect();
        match &request.tool_choice {
            ToolChoice::Auto => {}
            ToolChoice::None => body["tool_choice"] = json!("none"),
            ToolChoice::Required => body["tool_choice"] = json!("required"),
            ToolChoice::Named(name) => body["tool_choice"] = json!({ "type": "function", "name": name }),
        }
    }
    if let Some(shape) = &request.output {
        body["text"] = json!({
            "format": { "type": "json_schema", "name": shape.name, "schema": shape.schema, "strict": true },
        });
    }
    if let Some(most) = request.tokens_max {
        body["max_output_tokens"] = json!(most);
    }
    if let Some(temperature) = request.temperature {
        body["temperature"] = json!(temperature);
    }
    body
}

fn items(turn: &Turn) -> Vec<Value> {
    match turn {
        Turn::System(text) => {
            vec![
                json!({ "type": "message", "role": "system", "content": [{ "type": "input_text", "text": text }] }),
            ]
        }
        Turn::User(parts) => {
            let parts: Vec<Value> = parts.iter().map(part).collect();
            vec![json!({ "type": "message", "role": "user", "content": parts })]
        }
        Turn::Assistant { text, calls } => {
            let said = Some(text).filter(|text| !text.is_empty()).map(|text| {
                json!({
                    "type": "message", "role": "assistant",
                    "content": [{ "type": "output_text", "text": text, "annotations": [] }],
                })
            });
            let call = |call: &recalld_memory::ports::chat::ToolCall| {
                json!({
                    "type": "function_call", "call_id": call.id, "name": call.name, "arguments": call.arguments,
                })
            };
            said.into_iter().chain(calls.iter().map(call)).collect()
        }
        Turn::Tool { call, text, .. } => {
            vec![json!({ "type": "function_call_output", "call_id": call, "output": text })]
        }
    }
}

fn part(part: &Part) -> Value {
    match part {
        Part::Text(text) => json!({ "type": "input_text", "text": text }),
        Part::Image { url } => json!({ "type": "input_image", "image_url": url }),
        Part::Raw(raw) => json!({ "type": "input_text", "text": raw.to_string() }),
    }
}

/// Reads the events of an answer.
#[derive(Debug, Default)]
pub(super) struct Events {
    calls: usize,
}

impl Events {
    fn finished(&self, response: &Value, incomplete: bool) -> ChatEvent {
        let count = |path: &str| response.pointer(path).and_then(Value::as_u64).unwrap_or(0);
        let why = response
            .pointer("/incomplete_details/reason")
            .and_then(Value::as_str);
        let reason = match (incomplete, why) {
            (true, Some("content_filter")) => FinishReason::Filtered,
            (true, _) => FinishReason::Length,
            (false, _) if 0 < self.calls => FinishReason::ToolCalls,
            (false, _) => FinishReason::Stop,
        };
        ChatEvent::Finished {
            reason,
            usage: Usage {
                tokens_in: count("/usage/input_tokens"),
                tokens_cached: count("/usage/input_tokens_details/cached_tokens"),
                tokens_out: count("/usage/output_tokens"),
            },
        }
    }
}

impl Reader for Events {
    fn read(&mut self, event: &SseEvent, into: &mut VecDeque<ChatEvent>) -> Result<(), Failure> {
        if event.data.trim() == "[DONE]" {
            return Ok(());
        }
        let data: Value = answer_json(&event.data)?;
        let text = |name: &str| data.get(name).and_then(Value::as_str).unwrap_or("").to_owned();
        let index = data.get("output_index").and_then(Value::as_u64).unwrap_or(0) as usize;
        match data.get("type").and_then(Value::as_str).unwrap_or("") {
            "response.output_text.delta" | "response.refusal.delta" => {
                into.push_back(ChatEvent::Text(text("delta")));
            }
            "response.reasoning_summary_text.delta" | "response.reasoning_text.delta" => {
                into.push_back(ChatEvent::Reasoning(text("delta")));
            }
            "response.output_item.added" if data["item"]["type"] == "function_call" => {
                self.calls += 1;
                let of_item = |name: &str| data["item"][name].as_str().unwrap_or("").to_owned();
                into.push_back(ChatEvent::CallBegan {
                    index,
                    id: of_item("call_id"),
                    name: of_item("name"),
                });
            }
            "response.function_call_arguments.delta" => {
                let text = text("delta");
                into.push_back(ChatEvent::CallArguments { index, text });
            }
            "response.completed" => into.push_back(self.finished(&data["response"], false)),
            "response.incomplete" => into.push_back(self.finished(&data["response"], true)),
            "response.failed" => return Err(reported_failure(&data["response"]["error"])),
            "error" => return Err(reported_failure(&data)),
            // Dozens of others repeat what was said, or tell of tools that are not ours.
            _ => {}
        }
        Ok(())
    }

    fn end(&mut self) -> Option<ChatEvent> {
        None
    }
}
