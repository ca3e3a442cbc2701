//! Chat completions of OpenAI, whole and as chunks.

use recalld_agent::agent_loop::AgentEvent;
use recalld_agent::chat::{Reply, Started};
use recalld_memory::ports::chat::{FinishReason, Usage};
use serde_json::{Value, json};

use super::{DONE, Shape, data, finish_reason};

/// Writes chunks. Calls of tools that are run here are not shown.
#[derive(Debug)]
pub(crate) struct Chunks {
    id: String,
    model: String,
    created: i64,
    /// The caller's own tools.
    callers: Vec<String>,
    with_usage: bool,
    /// The calls that were begun for the caller.
    begun: Vec<String>,
    last: Option<FinishReason>,
}

impl Chunks {
    /// Begins at `created`, in seconds.
    pub(crate) fn new(created: i64, callers: Vec<String>, with_usage: bool) -> Chunks {
        Chunks {
            id: String::new(),
            model: String::new(),
            created,
            callers,
            with_usage,
            begun: Vec::new(),
            last: None,
        }
    }

    fn chunk(&self, choices: Value, usage: Option<Value>) -> String {
        let mut chunk = json!({
            "id": self.id, "object": "chat.completion.chunk", "created": self.created, "model": self.model,
            "choices": choices,
        });
        if self.with_usage {
            chunk["usage"] = usage.unwrap_or(Value::Null);
        }
        data(&chunk)
    }

    fn delta(&self, delta: Value, finish: Option<&str>) -> String {
        let choice = json!({ "index": 0, "delta": delta, "logprobs": null, "finish_reason": finish });
        self.chunk(json!([choice]), None)
    }
}

impl Shape for Chunks {
    fn started(&mut self, started: &Started) -> Vec<String> {
        self.id = format!("chatcmpl-{}", started.reply);
        self.model = started.model.clone();
        vec![self.delta(json!({ "role": "assistant", "content": "" }), None)]
    }

    fn happened(&mut self, event: &AgentEvent) -> Vec<String> {
        match event {
            AgentEvent::Text(text) => vec![self.delta(json!({ "content": text }), None)],
            AgentEvent::Reasoning(text) => vec![self.delta(json!({ "reasoning_content": text }), None)],
            AgentEvent::CallBegan { id, name } if self.callers.contains(name) => {
                let index = self.begun.len();
                self.begun.push(id.clone());
                let call = json!({
                    "index": index, "id": id, "type": "function", "function": { "name": name, "arguments": "" },
                });
                vec![self.delta(json!({ "tool_calls": [call] }), None)]
            }
            AgentEvent::CallArguments { id, text } => {
                let Some(index) = self.begun.iter().position(|begun| begun == id) else {
                    return Vec::new();
                };
                let call = json!({ "index": index, "function": { "arguments": text } });
                vec![self.delta(json!({ "tool_calls": [call] }), None)]
            }
            AgentEvent::StepEnded { reason, .. } => {
                self.last = Some(*reason);
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    fn ended(&mut self, reply: Option<&Reply>) -> Vec<String> {
        let Some(reply) = reply.filter(|reply| reply.failure.is_none()) else {
            let why = reply.and_then(|reply| reply.failure.as_ref());
            let why = why.map_or("the server is stopping".to_owned(), ToString::to_string);
            let error =
                json!({ "message": why, "type": "server_error", "param": null, "code": "model_failed" });
            return vec![data(&json!({ "error": error })), DONE.to_owned()];
        };
        let mut out = vec![self.delta(json!({}), Some(finish_reason(reply, self.last)))];
        if self.with_usage {
            out.push(self.chunk(json!([]), Some(usage(&reply.usage))));
        }
        out.push(DONE.to_owned());
        out
    }
}

/// What an answer cost.
fn usage(usage: &Usage) -> Value {
    json!({
        "prompt_tokens": usage.tokens_in,
        "completion_tokens": usage.tokens_out,
        "total_tokens": usage.tokens_in + usage.tokens_out,
        "prompt_tokens_details": { "cached_tokens": usage.tokens_cached },
    })
}

/// The whole completion.
pub(crate) fn completion(reply: &Reply, model: &str, created: i64) -> Value {
    let call = |call: &recalld_memory::ports::chat::ToolCall| {
        json!({
            "id": call.id, "type": "function", "function": { "name": call.name, "arguments": call.arguments },
        })
    };
    let calls: Vec<Value> = reply.calls_of_caller.iter().map(call).collect();
    let content = Some(&reply.text).filter(|text| !text.is_empty() || calls.is_empty());
    let mut message = json!({ "role": "assistant", "content": content, "refusal": null });
    if !calls.is_empty() {
        message["tool_calls"] = json!(calls);
    }
    json!({
        "id": format!("chatcmpl-{}", reply.message),
        "object": "chat.completion",
        "created": created,
        "model": model,
        "choices": [{
            "index": 0, "message": message, "logprobs": null, "finish_reason": finish_reason(reply, reply.last),
        }],
        "usage": usage(&reply.usage),
    })
}
