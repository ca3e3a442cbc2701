//! Things that are remembered for themselves: places, accounts, people.

use jiff::Timestamp;
use recalld_index::text::plain;
use thiserror::Error;

use crate::id::{ConversationId, EntityId, MessageId};
use crate::memory::{Content, InvalidContent, InvalidLabel, Origin};
use crate::screening::instructions::{self, Suspicion};

/// A place, account or person, with the messages that mention it.
#[derive(Clone, Debug, PartialEq)]
pub struct Entity {
    /// The deployment's own id of it, such as a place id.
    pub id: EntityId,
    pub kind: EntityKind,
    pub name: EntityName,
    pub notes: Option<Content>,
    pub added_at: Timestamp,
    pub revised_at: Timestamp,
    /// Whether it is hidden. It can be restored.
    pub retired: bool,
    /// Whether it is part of the user's memory document.
    pub in_document: bool,
    /// The least trusted origin of its name and notes.
    pub trust: Origin,
    /// In the order in which they were made.
    pub mentions: Vec<Mention>,
}

/// One message that mentions an entity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention {
    pub conversation: ConversationId,
    pub message: MessageId,
    pub at: Timestamp,
}

/// What sort of thing an entity is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EntityKind {
    Place,
    Account,
    Person,
}

impl EntityKind {
    /// Gives the kind's name.
    pub fn as_str(self) -> &'static str {
        match self {
            EntityKind::Place => "place",
            EntityKind::Account => "account",
            EntityKind::Person => "person",
        }
    }

    /// Reads a kind's name.
    pub fn parse(raw: &str) -> Result<EntityKind, InvalidLabel> {
        match raw {
            "place" => Ok(EntityKind::Place),
            "account" => Ok(EntityKind::Account),
            "person" => Ok(EntityKind::Person),
            _ => Err(InvalidLabel::Unknown {
                what: "kind of entity",
                given: plain::shorten(raw, 40),
                known: "place, account, person",
            }),
        }
    }
}

/// The name of an entity: one line, not blank, not longer than [`EntityName::BYTES_MAX`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntityName(Content);

/// Why a text cannot name an entity.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum InvalidEntityName {
    /// Not acceptable as text at all.
    #[error("the name of the entity is not acceptable: {0}")]
    Content(#[from] InvalidContent),
    /// More than one line.
    #[error("the name of the entity has more than one line")]
    Lines,
    /// Longer than a name may be.
    #[error("the name of the entity is {bytes} bytes, over the limit of {limit}", limit = EntityName::BYTES_MAX)]
    TooLong { bytes: usize },
}

impl EntityName {
    /// The most bytes a name may have.
    pub const BYTES_MAX: usize = 256;

    /// Checks and wraps `raw`.
    pub fn new(raw: &str) -> Result<EntityName, InvalidEntityName> {
        let content = Content::new(raw)?;
        if content.as_str().contains(['\n', '\r']) {
            return Err(InvalidEntityName::Lines);
        }
        if Self::BYTES_MAX < content.as_str().len() {
            return Err(InvalidEntityName::TooLong {
                bytes: content.as_str().len(),
            });
        }
        Ok(EntityName(content))
    }

    /// Gives the name.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

impl Entity {
    /// Tells why it waits for review, if it does: it is not in the user's own words, and its id,
    /// name or notes read like an instruction.
    pub fn quarantine(&self) -> Option<Suspicion> {
        if self.trust.is_users_own() {
            return None;
        }
        let notes = || self.notes.as_ref().and_then(|notes| notes.suspicion());
        instructions::suspicion(None, self.id.as_str())
            .or_else(|| self.name.0.suspicion())
            .or_else(notes)
    }

    /// Tells whether it belongs in the memory document: not from a document or a tool, and not
    /// quarantined.
    pub fn belongs_in_document(&self) -> bool {
        self.trust.may_be_injected() && self.quarantine().is_none()
    }

    /// Tells when it last changed or was last mentioned.
    pub fn touched_at(&self) -> Timestamp {
        self.mentions
            .iter()
            .map(|mention| mention.at)
            .fold(self.revised_at, Timestamp::max)
    }

    /// Counts the conversations that mention it.
    pub fn conversations(&self) -> usize {
        let mut seen: Vec<&str> = self
            .mentions
            .iter()
            .map(|mention| mention.conversation.as_str())
            .collect();
        seen.sort_unstable();
        seen.dedup();
        seen.len()
    }
}
