//! A JSON value that is kept under a kind and a name: a category of the user's profile, a working memory.

mod update;

use jiff::Timestamp;
use serde_json::Value;

pub use update::{Update, UpdateError, merge};
pub(crate) use update::{Updating, decide_update};

use crate::id::ConversationId;

/// One kept value, as it stands now.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    pub kind: RecordKind,
    /// Which one of its kind: a profile category's name, a conversation's id, or `user`.
    pub name: String,
    pub value: Value,
    /// Counts its changes, from 1.
    pub version: u32,
    pub written_at: Timestamp,
}

/// What a record is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RecordKind {
    /// A category of the user's structured context.
    Profile,
    /// What an agent holds in mind, of the user or of one conversation.
    WorkingMemory,
    /// The JSON Schema that a working memory must fit.
    WorkingMemorySchema,
    /// The answer to a request that must not be carried out twice. Read by name only, never loaded with the space.
    Receipt,
}

impl RecordKind {
    /// All kinds.
    pub const ALL: [RecordKind; 4] = [
        RecordKind::Profile,
        RecordKind::WorkingMemory,
        RecordKind::WorkingMemorySchema,
        RecordKind::Receipt,
    ];

    /// Gives the kind's name.
    pub fn as_str(self) -> &'static str {
        match self {
            RecordKind::Profile => "profile",
            RecordKind::WorkingMemory => "working_memory",
            RecordKind::WorkingMemorySchema => "working_memory_schema",
            RecordKind::Receipt => "receipt",
        }
    }

    /// Reads a kind's name.
    pub fn parse(raw: &str) -> Option<RecordKind> {
        RecordKind::ALL.into_iter().find(|kind| kind.as_str() == raw)
    }

    /// Tells whether such records are held with the space in memory.
    pub fn is_held(self) -> bool {
        self != RecordKind::Receipt
    }
}

/// The name of the user's own working memory.
pub const OF_USER: &str = "user";

/// Gives the name of a conversation's working memory.
pub fn of_conversation(conversation: &ConversationId) -> String {
    format!("conversation:{conversation}")
}
