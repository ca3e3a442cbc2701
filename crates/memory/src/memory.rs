//! One remembered statement, and what it may hold.

mod content;
mod labels;

use jiff::Timestamp;

pub use content::{Content, InvalidContent};
pub use labels::{Category, Confidence, InvalidLabel, Key, Origin, Source, Tier};

use crate::id::{ConversationId, MemoryId, MessageId};

/// One remembered statement, as it stands now or stood at one of its versions.
#[derive(Clone, Debug, PartialEq)]
pub struct Memory {
    pub id: MemoryId,
    /// A short name by which it can be updated; unique among the active memories of a space.
    pub key: Option<Key>,
    pub content: Content,
    pub category: Category,
    pub tier: Tier,
    pub confidence: Confidence,
    /// Who said the present content.
    pub origin: Origin,
    /// The least trusted origin along its lineage.
    pub trust: Origin,
    /// Where it came from, in the writer's words.
    pub source: Option<Source>,
    /// The conversation in which it was said.
    pub conversation: Option<ConversationId>,
    /// The message in which it was said.
    pub message: Option<MessageId>,
    /// When it was first remembered.
    pub learned_at: Timestamp,
    /// When it last changed.
    pub revised_at: Timestamp,
    /// From when on it is hidden; none for what is durable.
    pub expires_at: Option<Timestamp>,
    pub standing: Standing,
    /// Whether it is part of the user's memory document. What the cap evicts leaves the document
    /// only.
    pub in_document: bool,
    /// Counts its changes, from 1.
    pub version: u32,
}

/// Whether a memory is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It is recalled.
    Active,
    /// It is hidden, and can be restored.
    Retired { at: Timestamp, why: Retirement },
}

/// Why a memory was retired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retirement {
    /// Somebody asked for it.
    Forgotten,
    /// Its time had passed.
    Expired,
}

impl Retirement {
    /// Gives the reason's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Retirement::Forgotten => "forgotten",
            Retirement::Expired => "expired",
        }
    }

    /// Reads a reason's name.
    pub fn parse(raw: &str) -> Option<Retirement> {
        let all = [Retirement::Forgotten, Retirement::Expired];
        all.into_iter().find(|why| why.as_str() == raw)
    }
}

impl Memory {
    /// Tells whether it may be shown at `now`: neither retired nor expired.
    pub fn is_current(&self, now: Timestamp) -> bool {
        self.standing == Standing::Active && self.expires_at.is_none_or(|end| now < end)
    }

    /// Tells whether it was not retired, expired or not.
    pub fn is_active(&self) -> bool {
        self.standing == Standing::Active
    }

    /// Names it for a person: its key, or else its id.
    pub fn name(&self) -> String {
        match &self.key {
            Some(key) => key.to_string(),
            None => self.id.to_string(),
        }
    }
}
