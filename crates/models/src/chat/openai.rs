//! OpenAI Chat Completions: `/chat/completions`, and everything that calls itself compatible.

use std::collections::{HashSet, VecDeque};

use recalld_memory::ports::chat::{FinishReason, Part, ToolChoice, ToolSpec, Turn, Usage};
use recalld_memory::ports::{ChatEvent, ChatRequest};
use serde::Deserialize;
use serde_json::{Value, json};

use super::config::ChatConfig;
use super::failure::{Failure, answer_json, reported_failure};
use super::provider::Provider;
use super::streaming_reply::Reader;
use crate::sse::SseEvent;

/// The provider.
pub(super) struct OpenAiChat;

impl Provider for OpenAiChat {
    fn name(&self) -> &'static str {
        "openai"
    }

    fn path(&self) -> &'static str {
        "chat/completions"
    }

    fn body(&self, config: &ChatConfig, request: &ChatRequest) -> Value {
        body(config, request)
    }

    fn reader(&self, _: &ChatRequest) -> Box<dyn Reader> {
        Box::new(Chunks::default())
    }
}

/// Writes a request.
fn body(config: &ChatConfig, request: &ChatRequest) -> Value {
    let mut body = json!({
        "model": request.model.as_ref().unwrap_or(&config.model),
        "messages": request.turns.iter().map(message).collect::<Vec<_>>(),
        "stream": true,
        "stream_options": { "include_usage": true },
    });
    if !request.tools.is_empty() {
        body["tools"] = request.tools.iter().map(tool).collect();
        match &request.tool_choice {
            ToolChoice::Auto => {}
            ToolChoice::None => body["tool_choice"] = json!("none"),
            ToolChoice::Required => body["tool_choice"] = json!("required"),
            ToolChoice::Named(name) => {
                body["tool_choice"] = json!({ "type": "function", "function": { "name": name } });
            }
        }
    }
    if let Some(shape) = &request.output {
        body["response_format"] = json!({
            "type": "json_schema",
            "json_schema": { "name": shape.name, "schema": shape.schema, "strict": true },
        });
    }
    if let Some(most) = request.tokens_max {
        // OpenAI's newer models refuse the name that all other servers know.
        let name = match config.base_url.contains("api.openai.com") {
            true => "max_completion_tokens",
            false => "max_tokens",
        };
        body[name] = json!(most);
    }
    if let Some(temperature) = request.temperature {
        body["temperature"] = json!(temperature);
    }
    body
}

fn tool(tool: &ToolSpec) -> Value {
    tool.raw.clone().unwrap_or_else(|| {
        json!({
            "type": "function",
            "function": { "name": tool.name, "description": tool.description, "parameters": tool.schema },
        })
    })
}

fn message(turn: &Turn) -> Value {
    match turn {
        Turn::System(text) => json!({ "role": "system", "content": text }),
        Turn::User(parts) => match parts.iter().all(|part| part.text().is_some()) {
            true => json!({ "role": "user", "content": turn.text() }),
            false => json!({ "role": "user", "content": parts.iter().map(part).collect::<Vec<_>>() }),
        },
        Turn::Assistant { text, calls } if calls.is_empty() => {
            json!({ "role": "assistant", "content": text })
        }
        Turn::Assistant { text, calls } => {
            let call = |call: &recalld_memory::ports::chat::ToolCall| {
                json!({
                    "id": call.id,
                    "type": "function",
                    "function": { "name": call.name, "arguments": call.arguments },
                })
            };
            let content = Some(text).filter(|text| !text.is_empty());
            json!({
                "role": "assistant",
                "content": content,
                "tool_calls": calls.iter().map(call).collect::<Vec<_>>(),
            })
        }
        Turn::Tool { call, text, .. } => json!({ "role": "tool", "tool_call_id": call, "content": text }),
    }
}

fn part(part: &Part) -> Value {
    match part {
        Part::Text(text) => json!({ "type": "text", "text": text }),
        Part::Image { url } => json!({ "type": "image_url", "image_url": { "url": url } }),
        Part::Raw(raw) => raw.clone(),
    }
}

/// Reads the chunks of an answer.
#[derive(Debug, Default)]
pub(super) struct Chunks {
    reason: Option<FinishReason>,
    usage: Usage,
    /// The calls that began, by their index.
    begun: HashSet<usize>,
}

#[derive(Deserialize)]
struct Chunk {
    #[serde(default)]
    choices: Vec<Choice>,
    usage: Option<ChunkUsage>,
    error: Option<Value>,
}

#[derive(Deserialize)]
struct Choice {
    #[serde(default)]
    delta: Delta,
    finish_reason: Option<String>,
}

#[derive(Default, Deserialize)]
struct Delta {
    content: Option<String>,
    /// What some servers call what the model thinks aloud.
    #[serde(alias = "reasoning")]
    reasoning_content: Option<String>,
    tool_calls: Option<Vec<CallDelta>>,
}

#[derive(Deserialize)]
struct CallDelta {
    index: Option<usize>,
    id: Option<String>,
    function: Option<FunctionDelta>,
}

#[derive(Deserialize)]
struct FunctionDelta {
    name: Option<String>,
    arguments: Option<String>,
}

#[derive(Deserialize)]
struct ChunkUsage {
    prompt_tokens: Option<u64>,
    completion_tokens: Option<u64>,
    prompt_tokens_details: Option<PromptDetails>,
}

#[derive(Deserialize)]
struct PromptDetails {
    cached_tokens: Option<u64>,
}

impl Chunks {
    fn call(&mut self, call: CallDelta, into: &mut VecDeque<ChatEvent>) {
        let index = call.index.unwrap_or(0);
        let function = call.function.unwrap_or(FunctionDelta {
            name: None,
            arguments: None,
        });
        let name = function.name.filter(|name| !name.is_empty());
        if let Some(name) = name
            && self.begun.insert(index)
        {
            let id = call.id.filter(|id| !id.is_empty());
            let id = id.unwrap_or_else(|| format!("call_{index}"));
            into.push_back(ChatEvent::CallBegan { index, id, name });
        }
        if let Some(text) = function.arguments.filter(|text| !text.is_empty()) {
            into.push_back(ChatEvent::CallArguments { index, text });
        }
    }
}

impl Reader for Chunks {
    fn read(&mut self, event: &SseEvent, into: &mut VecDeque<ChatEvent>) -> Result<(), Failure> {
        if event.data.trim() == "[DONE]" {
            into.extend(self.end());
            return Ok(());
        }
        let chunk: Chunk = answer_json(&event.data)?;
        if let Some(error) = chunk.error {
            return Err(reported_failure(&error));
        }
        if let Some(usage) = chunk.usage {
            self.usage = Usage {
                tokens_in: usage.prompt_tokens.unwrap_or(0),
                tokens_cached: usage
                    .prompt_tokens_details
                    .and_then(|details| details.cached_tokens)
                    .unwrap_or(0),
                tokens_out: usage.completion_tokens.unwrap_or(0),
            };
        }
        for choice in chunk.choices.into_iter().take(1) {
            let delta = choice.delta;
            if let Some(text) = delta.reasoning_content.filter(|text| !text.is_empty()) {
                into.push_back(ChatEvent::Reasoning(text));
            }
            if let Some(text) = delta.content.filter(|text| !text.is_empty()) {
                into.push_back(ChatEvent::Text(text));
            }
            for call in delta.tool_calls.unwrap_or_default() {
                self.call(call, into);
            }
            if let Some(reason) = choice.finish_reason {
                self.reason = Some(match reason.as_str() {
                    "length" => FinishReason::Length,
                    "tool_calls" | "function_call" => FinishReason::ToolCalls,
                    "content_filter" => FinishReason::Filtered,
                    _ => FinishReason::Stop,
                });
            }
        }
        Ok(())
    }

    fn end(&mut self) -> Option<ChatEvent> {
        // Some servers say "stop" after calls.
        let reason = match self.reason? {
            FinishReason::Stop if !self.begun.is_empty() => FinishReason::ToolCalls,
            reason => reason,
        };
        Some(ChatEvent::Finished {
            reason,
            usage: self.usage,
        })
    }
}
