//! The UI message stream of the AI SDK, as `useChat` reads it.

use recalld_agent::agent_loop::AgentEvent;
use recalld_agent::chat::{MemoryState, Reply, Started};
use recalld_memory::ports::chat::FinishReason;
use serde_json::{Value, json};

use super::{DONE, Shape, data, finish_reason};

/// Writes it.
#[derive(Debug, Default)]
pub(crate) struct Ui {
    step_open: bool,
    /// The part that is open: its kind and id.
    part: Option<(&'static str, String)>,
    parts: usize,
    last: Option<FinishReason>,
}

impl Ui {
    /// More of a text or of reasoning, in a part of its own.
    fn more(&mut self, kind: &'static str, text: &str) -> Vec<String> {
        let mut out = Vec::new();
        if self.part.as_ref().is_none_or(|(open, _)| *open != kind) {
            out.extend(self.close_part());
            self.parts += 1;
            let id = format!("{kind}-{}", self.parts);
            out.push(data(&json!({ "type": format!("{kind}-start"), "id": id })));
            self.part = Some((kind, id));
        }
        let id = self.part.as_ref().map_or("", |(_, id)| id);
        out.push(data(
            &json!({ "type": format!("{kind}-delta"), "id": id, "delta": text }),
        ));
        out
    }

    fn close_part(&mut self) -> Option<String> {
        let (kind, id) = self.part.take()?;
        Some(data(&json!({ "type": format!("{kind}-end"), "id": id })))
    }

    fn close_step(&mut self) -> Vec<String> {
        let part = self.close_part();
        let step = std::mem::take(&mut self.step_open).then(|| data(&json!({ "type": "finish-step" })));
        part.into_iter().chain(step).collect()
    }
}

/// What the message carries besides its text.
fn about(reply: &Reply) -> Value {
    let memory = match reply.memory {
        MemoryState::On => json!({ "on": true }),
        MemoryState::Off(why) => json!({ "on": false, "reason": why }),
    };
    json!({
        "session_id": reply.conversation.as_str(),
        "mode": reply.choice.mode.as_str(),
        "mode_reason": reply.choice.reason,
        "memory": memory,
        "usage": {
            "tokens_in": reply.usage.tokens_in,
            "tokens_cached": reply.usage.tokens_cached,
            "tokens_out": reply.usage.tokens_out,
        },
    })
}

impl Shape for Ui {
    fn started(&mut self, started: &Started) -> Vec<String> {
        let about = json!({
            "session_id": started.conversation.as_str(),
            "mode": started.choice.mode.as_str(),
            "mode_reason": started.choice.reason,
        });
        vec![data(
            &json!({ "type": "start", "messageId": started.reply.as_str(), "messageMetadata": about }),
        )]
    }

    fn happened(&mut self, event: &AgentEvent) -> Vec<String> {
        match event {
            AgentEvent::StepBegan => {
                let mut out = self.close_step();
                self.step_open = true;
                out.push(data(&json!({ "type": "start-step" })));
                out
            }
            AgentEvent::Text(text) => self.more("text", text),
            AgentEvent::Reasoning(text) => self.more("reasoning", text),
            AgentEvent::CallBegan { id, name } => {
                let began = json!({ "type": "tool-input-start", "toolCallId": id, "toolName": name, "dynamic": true });
                self.close_part().into_iter().chain([data(&began)]).collect()
            }
            AgentEvent::CallArguments { id, text } => {
                vec![data(
                    &json!({ "type": "tool-input-delta", "toolCallId": id, "inputTextDelta": text }),
                )]
            }
            AgentEvent::CallReady { id, name, arguments } => {
                let ready = json!({
                    "type": "tool-input-available", "toolCallId": id, "toolName": name,
                    "input": arguments, "dynamic": true,
                });
                vec![data(&ready)]
            }
            AgentEvent::CallAnswered { id, text, failed, .. } => {
                let answered = match failed {
                    false => {
                        json!({ "type": "tool-output-available", "toolCallId": id, "output": text, "dynamic": true })
                    }
                    true => {
                        json!({ "type": "tool-output-error", "toolCallId": id, "errorText": text, "dynamic": true })
                    }
                };
                vec![data(&answered)]
            }
            AgentEvent::StepEnded { reason, .. } => {
                self.last = Some(*reason);
                self.close_part().into_iter().collect()
            }
        }
    }

    fn ended(&mut self, reply: Option<&Reply>) -> Vec<String> {
        let mut out = self.close_step();
        match reply {
            Some(reply) if reply.failure.is_none() => {
                let reason = finish_reason(reply, self.last).replace('_', "-");
                out.push(data(
                    &json!({ "type": "finish", "finishReason": reason, "messageMetadata": about(reply) }),
                ));
            }
            failed => {
                let why = failed.and_then(|reply| reply.failure.as_ref());
                let why = why.map_or("the server is stopping".to_owned(), ToString::to_string);
                out.push(data(&json!({ "type": "error", "errorText": why })));
            }
        }
        out.push(DONE.to_owned());
        out
    }

    fn headers(&self) -> &'static [(&'static str, &'static str)] {
        &[("x-vercel-ai-ui-message-stream", "v1")]
    }
}
