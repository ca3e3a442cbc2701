//! The whole reply of a chat, as JSON.

use recalld_agent::chat::{MemoryState, Reply};
use serde::Serialize;
use utoipa::ToSchema;

use crate::auth::Caller;

/// A reply, whole.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ChatReply {
    reply: String,
    session_id: String,
    message_id: String,
    /// `task` or `conversation`.
    mode: &'static str,
    /// Why this mode was chosen.
    mode_reason: &'static str,
    /// Whether a tool failed, so that the model got the context at hand instead.
    fell_back: bool,
    memory: ChatMemory,
    /// The tools that were called, in order.
    tools: Vec<String>,
    usage: ChatUsage,
    /// Whether the reply broke off.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    cut: bool,
}

/// Whether memory took part.
#[derive(Debug, Serialize, ToSchema)]
struct ChatMemory {
    on: bool,
    /// Why not.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
}

/// What the reply cost, as the provider counts it.
#[derive(Debug, Serialize, ToSchema)]
struct ChatUsage {
    tokens_in: u64,
    tokens_cached: u64,
    tokens_out: u64,
}

impl From<&Reply> for ChatReply {
    fn from(reply: &Reply) -> ChatReply {
        let (on, reason) = match reply.memory {
            MemoryState::On => (true, None),
            MemoryState::Off(why) => (false, Some(why)),
        };
        ChatReply {
            reply: reply.text.clone(),
            session_id: reply.conversation.to_string(),
            message_id: reply.message.to_string(),
            mode: reply.choice.mode.as_str(),
            mode_reason: reply.choice.reason,
            fell_back: reply.fell_back,
            memory: ChatMemory { on, reason },
            tools: reply.tools.clone(),
            usage: ChatUsage {
                tokens_in: reply.usage.tokens_in,
                tokens_cached: reply.usage.tokens_cached,
                tokens_out: reply.usage.tokens_out,
            },
            cut: reply.failure.is_some(),
        }
    }
}

/// Whether memory may take part for this caller.
pub(crate) fn memory_for(caller: &Caller) -> MemoryState {
    match caller.is_proven() {
        true => MemoryState::On,
        false => MemoryState::Off("keys cannot be checked at the moment"),
    }
}
