//! What a caller asks of chat, and what is known when a reply begins.

use recalld_memory::conversation::{InvalidMessage, MessageText};
use recalld_memory::id::{ConversationId, MessageId};
use recalld_memory::ports::chat::{DaySpent, Part, Turn};
use thiserror::Error;

use super::reply::{MemoryState, Used};
use crate::rollout::{Choice, Mode};

/// What a user says, and how they want it answered.
#[derive(Clone, Debug)]
pub struct Request {
    pub message: MessageText,
    /// What comes with the text, such as images.
    pub parts: Vec<Part>,
    /// A new one, if none is named.
    pub conversation: Option<ConversationId>,
    /// The caller's own id of the message; a message that is known under it is answered anew.
    pub message_id: Option<MessageId>,
    /// Who typed the message, in a group chat where that may be somebody else than the user.
    pub sender: Option<String>,
    /// The id that the reply shall have.
    pub reply_id: Option<MessageId>,
    pub mode: Option<Mode>,
    /// A model of the deployment.
    pub model: Option<String>,
    /// What the caller says was said before, for a conversation that is not stored here.
    pub earlier: Vec<Turn>,
    /// Whether memory may take part.
    pub memory: MemoryState,
}

impl Request {
    /// A message and nothing else.
    pub fn new(message: MessageText) -> Request {
        Request {
            message,
            parts: Vec::new(),
            conversation: None,
            message_id: None,
            sender: None,
            reply_id: None,
            mode: None,
            model: None,
            earlier: Vec::new(),
            memory: MemoryState::On,
        }
    }
}

/// Why there is no reply to begin.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ChatRefusal {
    /// The deployment has no model that talks.
    #[error("no chat model is configured")]
    NoModel,
    /// It has none of that name.
    #[error("there is no model {given:?}; known are {known}")]
    UnknownModel { given: String, known: String },
    /// The user has spent what a day allows.
    #[error(transparent)]
    Spent(#[from] DaySpent),
    /// The message cannot be stored.
    #[error(transparent)]
    Message(#[from] InvalidMessage),
}

/// What is known when a reply begins.
#[derive(Clone, Debug)]
pub struct Started {
    pub conversation: ConversationId,
    /// The ids of the message and of the reply.
    pub message: MessageId,
    pub reply: MessageId,
    pub choice: Choice,
    pub memory: MemoryState,
    /// What the model is shown up front.
    pub used: Vec<Used>,
    /// The tokens of the system prompt.
    pub prompt_tokens: usize,
    pub model: String,
}
