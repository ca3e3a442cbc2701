//! What a conversation came to, as a door tells it.

use std::time::Duration;

use recalld_memory::id::{ConversationId, MemoryId, MessageId};
use recalld_memory::ports::ChatError;
use recalld_memory::ports::chat::{FinishReason, ToolCall, Usage};

use crate::agent_loop::Ending;

use crate::rollout::Choice;

/// Whether memory took part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MemoryState {
    On,
    /// It could not be read or written: why, in a few words that name nothing of the store.
    Off(&'static str),
}

/// A memory that was shown to the model up front.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Used {
    pub id: MemoryId,
    pub content: String,
}

/// A reply, when it is whole.
#[derive(Clone, Debug)]
pub struct Reply {
    pub text: String,
    pub conversation: ConversationId,
    /// The id under which the reply is stored.
    pub message: MessageId,
    pub choice: Choice,
    /// Whether a tool failed, so that the model got the context at hand instead.
    pub fell_back: bool,
    pub memory: MemoryState,
    pub ending: Ending,
    /// Calls that whoever asked has to carry out.
    pub calls_of_caller: Vec<ToolCall>,
    /// The tools that were called, in order.
    pub tools: Vec<String>,
    pub usage: Usage,
    pub failure: Option<ChatError>,
    /// Why the model's last answer ended.
    pub last: Option<FinishReason>,
    /// From the start to the first thing that the model said.
    pub first_word: Option<Duration>,
}
