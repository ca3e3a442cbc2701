//! Messages of Anthropic, whole and as events.

use recalld_agent::agent_loop::{AgentEvent, Ending};
use recalld_agent::chat::{Reply, Started};
use recalld_memory::ports::chat::FinishReason;
use serde_json::{Value, json};

use super::Shape;

/// Writes events. Calls of tools that are run here are not shown.
#[derive(Debug)]
pub(crate) struct AnthropicEvents {
    model: String,
    /// The caller's own tools.
    callers: Vec<String>,
    /// How many blocks were begun, and what is open.
    blocks: usize,
    open: Open,
    last: Option<FinishReason>,
}

#[derive(Debug, PartialEq, Eq)]
enum Open {
    Nothing,
    Text,
    /// The call of this id.
    Call(String),
}

fn event(value: &Value) -> String {
    format!(
        "event: {}\ndata: {value}\n\n",
        value["type"].as_str().unwrap_or_default()
    )
}

impl AnthropicEvents {
    pub(crate) fn new(model: String, callers: Vec<String>) -> AnthropicEvents {
        AnthropicEvents {
            model,
            callers,
            blocks: 0,
            open: Open::Nothing,
            last: None,
        }
    }

    fn index(&self) -> usize {
        self.blocks.saturating_sub(1)
    }

    fn close(&mut self, out: &mut Vec<String>) {
        if self.open != Open::Nothing {
            self.open = Open::Nothing;
            out.push(event(
                &json!({ "type": "content_block_stop", "index": self.index() }),
            ));
        }
    }

    fn begin(&mut self, open: Open, block: Value, out: &mut Vec<String>) {
        self.close(out);
        self.open = open;
        self.blocks += 1;
        let index = self.index();
        out.push(event(
            &json!({ "type": "content_block_start", "index": index, "content_block": block }),
        ));
    }

    fn delta(&self, delta: Value) -> String {
        event(&json!({ "type": "content_block_delta", "index": self.index(), "delta": delta }))
    }
}

impl Shape for AnthropicEvents {
    fn started(&mut self, started: &Started) -> Vec<String> {
        let message = json!({
            "id": format!("msg_{}", started.reply), "type": "message", "role": "assistant", "model": self.model,
            "content": [], "stop_reason": null, "stop_sequence": null,
            "usage": { "input_tokens": 0, "output_tokens": 0 },
        });
        vec![event(&json!({ "type": "message_start", "message": message }))]
    }

    fn happened(&mut self, happened: &AgentEvent) -> Vec<String> {
        let mut out = Vec::new();
        match happened {
            AgentEvent::Text(text) => {
                if self.open != Open::Text {
                    self.begin(Open::Text, json!({ "type": "text", "text": "" }), &mut out);
                }
                out.push(self.delta(json!({ "type": "text_delta", "text": text })));
            }
            AgentEvent::CallBegan { id, name } if self.callers.contains(name) => {
                let block = json!({ "type": "tool_use", "id": id, "name": name, "input": {} });
                self.begin(Open::Call(id.clone()), block, &mut out);
            }
            AgentEvent::CallArguments { id, text } if self.open == Open::Call(id.clone()) => {
                out.push(self.delta(json!({ "type": "input_json_delta", "partial_json": text })));
            }
            AgentEvent::StepEnded { reason, .. } => self.last = Some(*reason),
            _ => {}
        }
        out
    }

    fn ended(&mut self, reply: Option<&Reply>) -> Vec<String> {
        let mut out = Vec::new();
        let Some(reply) = reply.filter(|reply| reply.failure.is_none()) else {
            let why = reply.and_then(|reply| reply.failure.as_ref());
            let why = why.map_or("the server is stopping".to_owned(), ToString::to_string);
            let error = json!({ "type": "api_error", "message": why });
            return vec![event(&json!({ "type": "error", "error": error }))];
        };
        self.close(&mut out);
        let delta = json!({ "stop_reason": stop_reason(reply, self.last), "stop_sequence": null });
        out.push(event(
            &json!({ "type": "message_delta", "delta": delta, "usage": usage(reply) }),
        ));
        out.push(event(&json!({ "type": "message_stop" })));
        out
    }
}

fn stop_reason(reply: &Reply, last: Option<FinishReason>) -> &'static str {
    match (&reply.ending, last) {
        (Ending::CallsOfCaller(_), _) => "tool_use",
        (Ending::Exhausted, _) | (_, Some(FinishReason::Length)) => "max_tokens",
        (_, Some(FinishReason::Filtered)) => "refusal",
        _ => "end_turn",
    }
}

fn usage(reply: &Reply) -> Value {
    json!({
        "input_tokens": reply.usage.tokens_in, "output_tokens": reply.usage.tokens_out,
        "cache_read_input_tokens": reply.usage.tokens_cached, "cache_creation_input_tokens": 0,
    })
}

/// The whole message.
pub(crate) fn anthropic_message(reply: &Reply, model: &str) -> Value {
    let mut content = Vec::new();
    if !reply.text.is_empty() {
        content.push(json!({ "type": "text", "text": reply.text, "citations": null }));
    }
    content.extend(reply.calls_of_caller.iter().map(|call| {
        let input: Value = serde_json::from_str(&call.arguments).unwrap_or_else(|_| json!({}));
        json!({ "type": "tool_use", "id": call.id, "name": call.name, "input": input })
    }));
    json!({
        "id": format!("msg_{}", reply.message), "type": "message", "role": "assistant", "model": model,
        "content": content, "stop_reason": stop_reason(reply, reply.last), "stop_sequence": null,
        "usage": usage(reply),
    })
}
