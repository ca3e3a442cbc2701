//! A write: a list of changes, decided at a known revision and applied whole.

use std::sync::Arc;

use jiff::Timestamp;

use crate::conversation::{Conversation, Message};
use crate::entity::{Entity, Mention};
use crate::id::{ConversationId, DocumentId, EntityId, MemoryId, MessageId};
use crate::knowledge::{Chunk, KnowledgeDocument};
use crate::memory::{Memory, Source};
use crate::record::{Record, RecordKind};
use crate::vector::{Vector, VectorSubject};

/// Counts the writes to a space. A space nobody wrote to is at 0.
///
/// A space that was erased and is written to again must not meet a revision that somebody still
/// holds of its former life. So its numbers go on above: the upper bits tell the era of the store
/// in which the space began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Revision(pub u64);

impl Revision {
    /// How many bits count the writes within an era. What remains of 53, the whole numbers of JSON,
    /// is for eras.
    pub const ERA_SHIFT: u32 = 28;

    /// The first revision of a space that begins in `era`.
    pub fn first(era: u64) -> Revision {
        Revision((era << Self::ERA_SHIFT) + 1)
    }

    /// Tells the era in which the space began.
    pub fn era(self) -> u64 {
        self.0 >> Self::ERA_SHIFT
    }

    /// Tells whether a space that is at this revision now was erased since it was at `held`. Then
    /// nothing that was read before is still true.
    pub fn restarted_since(self, held: Revision) -> bool {
        held != Revision(0) && (self < held || self.era() != held.era())
    }

    /// The revision after the next write.
    pub fn next(self) -> Revision {
        Revision(self.0 + 1)
    }
}

/// One effect on a space, with who caused it.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    pub stamp: Stamp,
    pub effect: Effect,
}

/// Who caused a change, when, and in which conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamp {
    pub at: Timestamp,
    pub actor: Actor,
    pub conversation: Option<ConversationId>,
    pub message: Option<MessageId>,
    /// Where it came from, in the writer's words.
    pub source: Option<Source>,
}

/// What acted, such as `cli`, `tool:write_memory` or `key:4f2a`. It is never a secret and never
/// content.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Actor(Arc<str>);

impl Actor {
    /// Names an actor, cut to 128 bytes and to printable ASCII: it ends in logs and metrics.
    pub fn new(name: &str) -> Actor {
        let printable = name
            .chars()
            .filter(char::is_ascii_graphic)
            .take(128)
            .collect::<String>();
        Actor(if printable.is_empty() {
            "unknown".into()
        } else {
            printable.into()
        })
    }

    /// Gives the name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// What becomes of one thing. Each carries the whole new state, so that stores and indexes only
/// have to put it.
#[derive(Clone, Debug, PartialEq)]
#[expect(
    clippy::large_enum_variant,
    reason = "most effects are memories, and lists of them are short"
)]
pub enum Effect {
    /// The memory now is as given; its earlier state stays in its history.
    Memory { act: Act, memory: Memory },
    /// The memory, its history and what was derived from it are gone.
    EraseMemory { id: MemoryId },
    /// The entity (without its mentions) now is as given.
    Entity { act: Act, entity: Entity },
    /// The entity is mentioned once more.
    Mention { entity: EntityId, mention: Mention },
    /// The entity and its mentions are gone.
    EraseEntity { id: EntityId },
    /// The record now is as given.
    Record(Record),
    /// The record is gone.
    EraseRecord { kind: RecordKind, name: String },
    /// The conversation (without its messages) now is as given.
    Conversation(Conversation),
    /// The message is appended, or replaces the one with its id.
    Message(Message),
    /// The message is gone.
    EraseMessage {
        conversation: ConversationId,
        id: MessageId,
    },
    /// The conversation and its messages are gone.
    EraseConversation { id: ConversationId },
    /// The document and its chunks now are as given.
    Document {
        document: KnowledgeDocument,
        chunks: Vec<Chunk>,
    },
    /// The document and its chunks are gone.
    EraseDocument { id: DocumentId },
    /// The vector is stored. It is derived, so it is no event; it goes when what it stands for is
    /// erased.
    Vector(Vector),
}

/// What was done to a memory or an entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Act {
    /// It is new.
    Remember,
    /// It has new content or labels.
    Revise,
    /// It is hidden, and can be restored.
    Retire,
    /// It is shown again.
    Restore,
    /// It left the memory document, and can still be recalled.
    Evict,
}

impl Act {
    /// All acts.
    pub const ALL: [Act; 5] = [Act::Remember, Act::Revise, Act::Retire, Act::Restore, Act::Evict];

    /// Gives the act's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Act::Remember => "remember",
            Act::Revise => "revise",
            Act::Retire => "retire",
            Act::Restore => "restore",
            Act::Evict => "evict",
        }
    }

    /// Reads an act's name.
    pub fn parse(raw: &str) -> Option<Act> {
        Act::ALL.into_iter().find(|act| act.as_str() == raw)
    }
}

impl Effect {
    /// Names what happened, for the audit log: `remember`, `erase`, `mention`…
    pub fn verb(&self) -> &'static str {
        match self {
            Effect::Memory { act, .. } | Effect::Entity { act, .. } => act.as_str(),
            Effect::Mention { .. } => "mention",
            Effect::Record(_) | Effect::Conversation(_) | Effect::Document { .. } => "write",
            Effect::Message(_) => "say",
            Effect::Vector(_) => "embed",
            Effect::EraseMemory { .. }
            | Effect::EraseEntity { .. }
            | Effect::EraseRecord { .. }
            | Effect::EraseMessage { .. }
            | Effect::EraseConversation { .. }
            | Effect::EraseDocument { .. } => "erase",
        }
    }

    /// Tells whether it is written to the audit log.
    pub fn is_audited(&self) -> bool {
        match self {
            Effect::Vector(_) => false,
            Effect::Record(Record { kind, .. }) | Effect::EraseRecord { kind, .. } => kind.is_audited(),
            _ => true,
        }
    }

    /// Names what it happened to.
    pub fn subject(&self) -> Subject {
        match self {
            Effect::Memory { memory, .. } => Subject::Memory(memory.id),
            Effect::EraseMemory { id } => Subject::Memory(*id),
            Effect::Entity { entity, .. } => Subject::Entity(entity.id.clone()),
            Effect::Mention { entity, .. } => Subject::Entity(entity.clone()),
            Effect::EraseEntity { id } => Subject::Entity(id.clone()),
            Effect::Record(Record { kind, name, .. }) | Effect::EraseRecord { kind, name } => {
                Subject::Record(*kind, name.clone())
            }
            Effect::Conversation(Conversation { id, .. }) | Effect::EraseConversation { id } => {
                Subject::Conversation(id.clone())
            }
            Effect::Message(Message { conversation, id, .. }) | Effect::EraseMessage { conversation, id } => {
                Subject::Message(conversation.clone(), id.clone())
            }
            Effect::Document {
                document: KnowledgeDocument { id, .. },
                ..
            }
            | Effect::EraseDocument { id } => Subject::Document(id.clone()),
            Effect::Vector(vector) => match &vector.subject {
                VectorSubject::Memory(id) => Subject::Memory(*id),
                VectorSubject::Chunk(document, _) => Subject::Document(document.clone()),
                VectorSubject::Message(conversation, id) => {
                    Subject::Message(conversation.clone(), id.clone())
                }
            },
        }
    }
}

/// What a change was made to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Subject {
    Memory(MemoryId),
    Entity(EntityId),
    Record(RecordKind, String),
    Conversation(ConversationId),
    Message(ConversationId, MessageId),
    Document(DocumentId),
}

impl Subject {
    /// Gives the kind of thing and its id as text.
    pub fn parts(&self) -> (&'static str, String) {
        match self {
            Subject::Memory(id) => ("memory", id.to_string()),
            Subject::Entity(id) => ("entity", id.to_string()),
            Subject::Record(kind, name) => (kind.as_str(), name.clone()),
            Subject::Conversation(id) => ("conversation", id.to_string()),
            // The two ids are joined by what neither can hold.
            Subject::Message(conversation, id) => ("message", format!("{conversation}\n{id}")),
            Subject::Document(id) => ("document", id.to_string()),
        }
    }
}

/// One audited change. It holds no content: that is in the versions, and gone when they are erased.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The write it was part of.
    pub revision: Revision,
    /// Its place within that write, from 0.
    pub ordinal: u32,
    /// What happened, as [`Effect::verb`] names it.
    pub verb: String,
    /// What it happened to: the kind of thing and its id.
    pub subject: (String, String),
    pub stamp: Stamp,
}

/// One state of a memory, and the act that led to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Version {
    pub act: Act,
    pub memory: Memory,
    pub stamp: Stamp,
}
