//! A message of a chat platform, in terms that all platforms share.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// Somebody on a platform, by the platform's own id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Person {
    pub id: String,
    /// The name that the platform shows, if the event has it.
    pub name: Option<String>,
}

/// A message that somebody sent to the assistant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IncomingMessage {
    /// The platform's id of the event. A platform sends an event again with the same id.
    pub event: String,
    /// The id of the message itself.
    pub message: String,
    pub chat: String,
    /// The first message of the thread: this message, if it starts one.
    pub root: String,
    pub sender: Person,
    /// The people that the message mentions, in their order. The assistant is not among them.
    pub mentioned: Vec<Person>,
    /// What was said, with mentions shown as names.
    pub text: String,
    pub sent_at: Timestamp,
    pub target: ReplyTarget,
}

impl IncomingMessage {
    /// The person whose memory the message belongs to: the first who is mentioned, or else the
    /// sender.
    pub fn owner(&self) -> &Person {
        self.mentioned.first().unwrap_or(&self.sender)
    }
}

/// Where a reply goes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReplyTarget {
    pub chat: String,
    /// The message that is answered.
    pub message: String,
    /// The thread that the reply continues, as the platform names it.
    pub thread: Option<String>,
    /// The first message of the conversation, which a follow-up continues.
    pub root: String,
    /// The person whose memory the conversation belongs to, by the platform's id.
    pub owner: String,
}
