//! recalld's own events: `started`, `text`, `reasoning`, `tool_call`, `tool_result`, `done`,
//! `error`.

use recalld_agent::agent_loop::AgentEvent;
use recalld_agent::chat::{Reply, Started};
use serde_json::{Value, json};

use super::Shape;
use crate::chat_reply::ChatReply;

/// Writes them.
#[derive(Debug, Default)]
pub(crate) struct Own;

fn named(name: &str, value: &Value) -> String {
    format!("event: {name}\ndata: {value}\n\n")
}

impl Shape for Own {
    fn started(&mut self, started: &Started) -> Vec<String> {
        let used: Vec<Value> = started
            .used
            .iter()
            .map(|used| json!({ "id": used.id.to_string(), "content": used.content }))
            .collect();
        let value = json!({
            "session_id": started.conversation.as_str(),
            "message_id": started.reply.as_str(),
            "mode": started.choice.mode.as_str(),
            "mode_reason": started.choice.reason,
            "prompt_tokens": started.prompt_tokens,
            "memories": used,
        });
        vec![named("started", &value)]
    }

    fn happened(&mut self, event: &AgentEvent) -> Vec<String> {
        let told = match event {
            AgentEvent::Text(text) => named("text", &json!({ "text": text })),
            AgentEvent::Reasoning(text) => named("reasoning", &json!({ "text": text })),
            AgentEvent::CallReady { id, name, arguments } => named(
                "tool_call",
                &json!({ "id": id, "name": name, "arguments": arguments }),
            ),
            AgentEvent::CallAnswered {
                id,
                name,
                text,
                failed,
            } => named(
                "tool_result",
                &json!({ "id": id, "name": name, "text": text, "failed": failed }),
            ),
            AgentEvent::StepBegan
            | AgentEvent::CallBegan { .. }
            | AgentEvent::CallArguments { .. }
            | AgentEvent::StepEnded { .. } => return Vec::new(),
        };
        vec![told]
    }

    fn ended(&mut self, reply: Option<&Reply>) -> Vec<String> {
        let failure = match reply {
            Some(reply) => reply.failure.as_ref().map(ToString::to_string),
            None => Some("the server is stopping".to_owned()),
        };
        if let Some(detail) = failure {
            return vec![named("error", &json!({ "detail": detail }))];
        }
        let body = reply.map(ChatReply::from);
        vec![named(
            "done",
            &serde_json::to_value(body).expect("a reply is plain data"),
        )]
    }
}
