//! Conversations and their messages.

use jiff::Timestamp;
use recalld_index::text::plain;
use serde_json::Value;
use thiserror::Error;

use crate::id::{ConversationId, MessageId};
use crate::screening::secrets;

/// A thread of messages.
#[derive(Clone, Debug, PartialEq)]
pub struct Conversation {
    pub id: ConversationId,
    pub title: Option<String>,
    pub began_at: Timestamp,
    /// When it last changed.
    pub touched_at: Timestamp,
    /// The number of the last message that was ever appended.
    pub last_seq: u64,
}

/// One message of a conversation.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    pub conversation: ConversationId,
    pub id: MessageId,
    /// Its place in the conversation; numbers grow and may have gaps.
    pub seq: u64,
    pub role: Role,
    pub content: MessageText,
    /// Who typed it, in a group chat.
    pub sender: Option<String>,
    pub at: Timestamp,
    /// What the caller keeps with it.
    pub metadata: Option<Value>,
}

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    System,
    User,
    Assistant,
}

impl Role {
    /// Gives the role's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Role::System => "system",
            Role::User => "user",
            Role::Assistant => "assistant",
        }
    }

    /// Reads a role's name.
    pub fn parse(raw: &str) -> Option<Role> {
        [Role::System, Role::User, Role::Assistant]
            .into_iter()
            .find(|role| role.as_str() == raw)
    }
}

/// The text of a message: what was really said, so more is allowed than in a memory, but no NUL and
/// no end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageText(String);

/// Why a text cannot be a message.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum InvalidMessage {
    /// Nothing but white space.
    #[error("the message is blank")]
    Blank,
    /// Longer than a message may be.
    #[error("the message is {bytes} bytes, over the limit of {limit}", limit = MessageText::BYTES_MAX)]
    TooLong { bytes: usize },
    /// A NUL, which no store accepts.
    #[error("the message holds {character} at byte {at}, which is not allowed")]
    Character { character: String, at: usize },
}

impl MessageText {
    /// The most bytes a message may have.
    pub const BYTES_MAX: usize = 256 * 1024;

    /// Checks and wraps `raw`.
    pub fn new(raw: String) -> Result<MessageText, InvalidMessage> {
        if raw.trim().is_empty() {
            return Err(InvalidMessage::Blank);
        }
        if Self::BYTES_MAX < raw.len() {
            return Err(InvalidMessage::TooLong { bytes: raw.len() });
        }
        match raw.find('\0') {
            Some(at) => Err(InvalidMessage::Character {
                character: plain::name_character('\0'),
                at,
            }),
            None => Ok(MessageText(raw)),
        }
    }

    /// Gives the text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Gives the text with each secret replaced by a mark, and cut should the marks make it too
    /// long.
    pub fn redacted(&self) -> MessageText {
        let mut text = secrets::redact(&self.0).into_owned();
        text.truncate(text.floor_char_boundary(Self::BYTES_MAX));
        MessageText(text)
    }
}

impl Message {
    /// Replaces the secrets in all that is stored of it.
    pub fn redact(&mut self) {
        self.content = self.content.redacted();
        if let Some(sender) = &mut self.sender {
            *sender = secrets::redact(sender).into_owned();
        }
        if let Some(metadata) = &mut self.metadata {
            secrets::redact_json(metadata);
        }
    }
}

impl ConversationId {
    /// Names a thread of a chat: `channel:chat:root`, one for the whole thread and not for each
    /// message. A colon inside a part is written as `%3A`, so that no two threads share an id.
    pub fn of_thread(channel: &str, chat: &str, root: &str) -> Result<ConversationId, crate::id::InvalidId> {
        let [channel, chat, root] =
            [channel, chat, root].map(|part| part.replace('%', "%25").replace(':', "%3A"));
        ConversationId::new(format!("{channel}:{chat}:{root}"))
    }
}
