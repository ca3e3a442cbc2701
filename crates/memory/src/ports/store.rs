//! The port for the place where everything is stored.

use std::fmt::Debug;
use std::time::Duration;

use async_trait::async_trait;
use jiff::Timestamp;
use recalld_index::model::EmbeddingModel;
use thiserror::Error;

use super::connections::Connections;
use crate::change::{Change, Event, Revision, Version};
use crate::conversation::{Conversation, Message};
use crate::entity::Entity;
use crate::id::{ConversationId, DocumentId, EntityId, MemoryId, MessageId, SpaceId};
use crate::knowledge::{Chunk, KnowledgeDocument};
use crate::memory::Memory;
use crate::record::{Record, RecordKind};
use crate::vector::{Vector, VectorKind};

/// Where memories live. Every question and every write names its space, and reaches nothing outside
/// it.
#[async_trait]
pub trait Store: Debug + Send + Sync {
    /// Applies `changes` in order, in one transaction: rows, history, events and the next revision,
    /// or nothing. When it returns, they survive a crash of the process and of the machine. Fails
    /// with [`StoreError::Conflict`] when the space is no longer at `revision`.
    async fn apply(
        &self,
        space: &SpaceId,
        revision: Revision,
        changes: &[Change],
    ) -> Result<Revision, StoreError>;

    /// Tells the revision at which the space is now.
    async fn revision(&self, space: &SpaceId) -> Result<Revision, StoreError>;

    /// Reads what has changed after `since` (everything, for revision 0) as of one moment.
    async fn changed_since(&self, space: &SpaceId, since: Revision) -> Result<Changed, StoreError>;

    /// Reads every version of one memory, the oldest first; none for an id the space does not have.
    async fn history(&self, space: &SpaceId, memory: MemoryId) -> Result<Vec<Version>, StoreError>;

    /// Reads every version of at most `limit` memories whose ids come after `after`: memory by
    /// memory in the order of their ids, and of each the oldest first.
    async fn histories(
        &self,
        space: &SpaceId,
        after: Option<MemoryId>,
        limit: usize,
    ) -> Result<Vec<Version>, StoreError>;

    /// Reads one record, whatever its kind.
    async fn record(
        &self,
        space: &SpaceId,
        kind: RecordKind,
        name: &str,
    ) -> Result<Option<Record>, StoreError>;

    /// Reads records of one kind in the order of their names, after `after`, at most `limit`.
    async fn records(
        &self,
        space: &SpaceId,
        kind: RecordKind,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<Record>, StoreError>;

    /// Reads messages of one conversation, the oldest first: the last `limit` of those before
    /// `before`.
    async fn messages(
        &self,
        space: &SpaceId,
        conversation: &ConversationId,
        page: &MessagePage,
    ) -> Result<Vec<Message>, StoreError>;

    /// Reads one message.
    async fn message(
        &self,
        space: &SpaceId,
        conversation: &ConversationId,
        id: &MessageId,
    ) -> Result<Option<Message>, StoreError>;

    /// Reads the messages of all conversations that changed after `since`, as of one moment.
    async fn messages_since(&self, space: &SpaceId, since: Revision) -> Result<ChangedMessages, StoreError>;

    /// Reads the chunks of all documents that changed after `since`, as of one moment.
    async fn knowledge_since(&self, space: &SpaceId, since: Revision)
    -> Result<ChangedKnowledge, StoreError>;

    /// Reads the vectors that one model made of one kind of things and that were stored after
    /// `since`.
    async fn vectors_since(
        &self,
        space: &SpaceId,
        model: &EmbeddingModel,
        kind: VectorKind,
        since: Revision,
    ) -> Result<Vec<Vector>, StoreError>;

    /// Reads the audit log, the newest first.
    async fn events(&self, space: &SpaceId, page: &EventPage) -> Result<Vec<Event>, StoreError>;
}

/// What the store knows across spaces: for upkeep, statistics and `doctor`, never for a request of
/// a user.
#[async_trait]
pub trait Administration: Debug + Send + Sync {
    /// Lists spaces in the order of their names, after `after`, at most `limit`.
    async fn spaces(&self, after: Option<&SpaceId>, limit: usize) -> Result<Vec<SpaceId>, StoreError>;

    /// Lists spaces that hold active memories which expired before `now`.
    async fn spaces_with_expired(&self, now: Timestamp, limit: usize) -> Result<Vec<SpaceId>, StoreError>;

    /// Lists spaces that hold records of `kind`, in the order of their names, after `after`, at
    /// most `limit`.
    async fn spaces_with_records(
        &self,
        kind: RecordKind,
        after: Option<&SpaceId>,
        limit: usize,
    ) -> Result<Vec<SpaceId>, StoreError>;

    /// Claims spaces that have work, at most `limit`: those that nobody has claimed for the same
    /// job, or whose claim has lapsed. They are the holder's until theirs lapses, or until
    /// [`Administration::release_spaces`]. Whoever claims at the same moment is given others.
    async fn claim_spaces(&self, claim: &Claim<'_>, limit: usize) -> Result<Vec<SpaceId>, StoreError>;

    /// Gives back all spaces that the holder has claimed for the job.
    async fn release_spaces(&self, claim: &Claim<'_>) -> Result<(), StoreError>;

    /// Removes the vectors of all models but these, at most `limit` of them. Gives how many were
    /// removed.
    async fn drop_vectors_but(&self, models: &[EmbeddingModel], limit: usize) -> Result<usize, StoreError>;

    /// Counts what `model` has made vectors of, and what it should have: active memories, messages
    /// that somebody said, chunks.
    async fn embedded(&self, model: &EmbeddingModel) -> Result<Embedded, StoreError>;

    /// Removes receipts written before `before`, at most `limit` of them. Gives how many were
    /// removed.
    async fn drop_receipts(&self, before: Timestamp, limit: usize) -> Result<usize, StoreError>;

    /// Tells the era in which a space begins that is written to for the first time now.
    async fn era(&self) -> Result<u64, StoreError>;

    /// Sees that spaces begin in `era` from now on, unless they do so in a later one already.
    async fn begin_era(&self, era: u64) -> Result<(), StoreError>;

    /// Removes every row of a space and the keys of its user, begins `era` (see
    /// [`Administration::begin_era`]), all of it or nothing, and gives what was removed. When it
    /// returns nothing of the space is left in any file, as far as the store can tell. The space
    /// then is one that nobody wrote to.
    async fn erase_space(&self, space: &SpaceId, era: u64) -> Result<ErasedRows, StoreError>;

    /// Counts what [`Administration::erase_space`] would remove, and removes nothing.
    async fn count_space(&self, space: &SpaceId) -> Result<ErasedRows, StoreError>;

    /// Tells how many connections to the database are in use; none for a store without any.
    fn connections(&self) -> Option<Connections>;

    /// Names the parts of a distributed store that cannot be reached now; none if it has no parts.
    async fn parts_away(&self) -> Result<Vec<String>, StoreError> {
        Ok(Vec::new())
    }

    /// Adds up the bytes of the texts of memories and messages in a space.
    async fn text_bytes(&self, space: &SpaceId) -> Result<u64, StoreError>;

    /// Examines the store and tells what it found, each as a short sentence; none when all is well.
    async fn faults(&self) -> Result<Vec<String>, StoreError>;

    /// Describes the store in a few named figures, for `stats` and `doctor`.
    async fn stats(&self) -> Result<Vec<(String, String)>, StoreError>;
}

/// Who wants to do what.
#[derive(Clone, Copy, Debug)]
pub struct Claim<'a> {
    /// Names the job.
    pub job: &'a str,
    /// Spaces that hold records of this kind have work.
    pub work: RecordKind,
    /// Tells this server from all others.
    pub holder: &'a str,
    /// After so long the claim of a server that died is free.
    pub lasts: Duration,
}

/// How far a model has come with making vectors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Embedded {
    /// Vectors that are stored; some may be of older texts.
    pub kept: u64,
    /// Things that should have one.
    pub wanted: u64,
}

/// How many rows of each kind were removed: the kind's name, such as `memories`, and the number.
/// Kinds without rows are there too.
pub type ErasedRows = Vec<(&'static str, u64)>;

/// The rows of a space that changed after some revision, whole.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Changed {
    /// The revision that these rows lead to.
    pub revision: Revision,
    /// In the order in which they were learned; retired and expired ones too.
    pub memories: Vec<Memory>,
    pub erased_memories: Vec<MemoryId>,
    /// With all their mentions, in the order in which they were added.
    pub entities: Vec<Entity>,
    pub erased_entities: Vec<EntityId>,
    /// Only kinds that are held with the space (see [`RecordKind::is_held`]).
    pub records: Vec<Record>,
    pub erased_records: Vec<(RecordKind, String)>,
    /// In the order in which they began.
    pub conversations: Vec<Conversation>,
    pub erased_conversations: Vec<ConversationId>,
}

impl Changed {
    /// Counts the rows.
    pub fn rows(&self) -> usize {
        self.memories.len()
            + self.erased_memories.len()
            + self.entities.len()
            + self.erased_entities.len()
            + self.records.len()
            + self.erased_records.len()
            + self.conversations.len()
            + self.erased_conversations.len()
    }
}

/// The messages of a space that changed after some revision.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChangedMessages {
    pub revision: Revision,
    /// By conversation, then in order.
    pub messages: Vec<Message>,
    pub erased: Vec<(ConversationId, MessageId)>,
    /// Erased with all their messages.
    pub erased_conversations: Vec<ConversationId>,
}

/// The knowledge of a space that changed after some revision.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChangedKnowledge {
    pub revision: Revision,
    /// Each document that changed, with all its chunks in order.
    pub documents: Vec<(KnowledgeDocument, Vec<Chunk>)>,
    pub erased: Vec<DocumentId>,
}

/// Which messages of a conversation are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MessagePage {
    /// Only messages before this number.
    pub before: Option<u64>,
    /// The most messages to give; 0 gives none.
    pub limit: usize,
}

/// Which events are asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventPage {
    /// Only events before this one, given as its revision and ordinal.
    pub before: Option<(Revision, u32)>,
    /// Only events about this kind of thing and id.
    pub subject: Option<(String, String)>,
    /// The most events to give; 0 gives none.
    pub limit: usize,
}

/// Why a store could not do what was asked.
#[derive(Debug, Error)]
pub enum StoreError {
    /// Somebody else wrote to the space since it was read.
    #[error("the space is at revision {at}, no longer at {expected}", at = at.0, expected = expected.0)]
    Conflict { expected: Revision, at: Revision },
    /// The disk or the quota is full. Nothing was changed.
    #[error("no space is left to store this")]
    Full(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The store cannot be reached now; the same call may succeed later.
    #[error("the store is not available: {reason}")]
    Unavailable { reason: String },
    /// What was read cannot be what was written.
    #[error("the store holds something unreadable: {what}")]
    Corrupt { what: String },
    /// A row holds something else than what was written to it.
    #[error("the row {id} of the table {table} is damaged")]
    Damaged { table: &'static str, id: String },
    /// The store refused for another reason.
    #[error("the store failed")]
    Failed(#[source] Box<dyn std::error::Error + Send + Sync>),
}
