//! A store that counts what is asked of it, and fails when it is told to.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use async_trait::async_trait;
use jiff::Timestamp;
use recalld_index::model::EmbeddingModel;
use recalld_memory::change::{Change, Event, Revision, Version};
use recalld_memory::conversation::Message;
use recalld_memory::id::{ConversationId, MemoryId, MessageId, SpaceId};
use recalld_memory::ports::{
    Changed, ChangedKnowledge, ChangedMessages, EventPage, KeyRecord, Keyring, MessagePage, Store, StoreError,
};
use recalld_memory::record::{Record, RecordKind};
use recalld_memory::vector::{Vector, VectorKind};
use recalld_store::SqliteStore;

/// The store.
#[derive(Debug)]
pub struct Watched {
    pub inner: Arc<SqliteStore>,
    pub down: AtomicBool,
    reads: AtomicUsize,
}

impl Watched {
    pub fn new() -> Arc<Watched> {
        Arc::new(Watched {
            inner: Arc::new(SqliteStore::in_memory().unwrap()),
            down: AtomicBool::new(false),
            reads: AtomicUsize::new(0),
        })
    }

    /// How many questions were asked since this was last asked.
    pub fn reads(&self) -> usize {
        self.reads.swap(0, Ordering::SeqCst)
    }

    fn asked(&self) -> Result<&SqliteStore, StoreError> {
        self.reads.fetch_add(1, Ordering::SeqCst);
        self.reach()
    }

    fn reach(&self) -> Result<&SqliteStore, StoreError> {
        match self.down.load(Ordering::SeqCst) {
            false => Ok(&self.inner),
            true => Err(StoreError::Unavailable {
                reason: "it was pulled out".to_owned(),
            }),
        }
    }
}

#[async_trait]
impl Store for Watched {
    async fn apply(
        &self,
        space: &SpaceId,
        revision: Revision,
        changes: &[Change],
    ) -> Result<Revision, StoreError> {
        self.reach()?.apply(space, revision, changes).await
    }

    async fn revision(&self, space: &SpaceId) -> Result<Revision, StoreError> {
        self.asked()?.revision(space).await
    }

    async fn changed_since(&self, space: &SpaceId, since: Revision) -> Result<Changed, StoreError> {
        self.asked()?.changed_since(space, since).await
    }

    async fn history(&self, space: &SpaceId, memory: MemoryId) -> Result<Vec<Version>, StoreError> {
        self.asked()?.history(space, memory).await
    }

    async fn histories(
        &self,
        space: &SpaceId,
        after: Option<MemoryId>,
        limit: usize,
    ) -> Result<Vec<Version>, StoreError> {
        self.asked()?.histories(space, after, limit).await
    }

    async fn record(
        &self,
        space: &SpaceId,
        kind: RecordKind,
        name: &str,
    ) -> Result<Option<Record>, StoreError> {
        self.asked()?.record(space, kind, name).await
    }

    async fn records(
        &self,
        space: &SpaceId,
        kind: RecordKind,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<Record>, StoreError> {
        self.asked()?.records(space, kind, after, limit).await
    }

    async fn messages(
        &self,
        space: &SpaceId,
        conversation: &ConversationId,
        page: &MessagePage,
    ) -> Result<Vec<Message>, StoreError> {
        self.asked()?.messages(space, conversation, page).await
    }

    async fn message(
        &self,
        space: &SpaceId,
        conversation: &ConversationId,
        id: &MessageId,
    ) -> Result<Option<Message>, StoreError> {
        self.asked()?.message(space, conversation, id).await
    }

    async fn messages_since(&self, space: &SpaceId, since: Revision) -> Result<ChangedMessages, StoreError> {
        self.asked()?.messages_since(space, since).await
    }

    async fn knowledge_since(
        &self,
        space: &SpaceId,
        since: Revision,
    ) -> Result<ChangedKnowledge, StoreError> {
        self.asked()?.knowledge_since(space, since).await
    }

    async fn vectors_since(
        &self,
        space: &SpaceId,
        model: &EmbeddingModel,
        kind: VectorKind,
        since: Revision,
    ) -> Result<Vec<Vector>, StoreError> {
        self.asked()?.vectors_since(space, model, kind, since).await
    }

    async fn events(&self, space: &SpaceId, page: &EventPage) -> Result<Vec<Event>, StoreError> {
        self.asked()?.events(space, page).await
    }
}

#[async_trait]
impl Keyring for Watched {
    async fn put_key(&self, key: &KeyRecord) -> Result<(), StoreError> {
        self.reach()?.put_key(key).await
    }

    async fn key(&self, digest: &[u8; 32]) -> Result<Option<KeyRecord>, StoreError> {
        self.reach()?.key(digest).await
    }

    async fn keys(&self) -> Result<Vec<KeyRecord>, StoreError> {
        self.reach()?.keys().await
    }

    async fn revoke_key(&self, id: &str, at: Timestamp) -> Result<bool, StoreError> {
        self.reach()?.revoke_key(id, at).await
    }

    async fn expire_key(&self, id: &str, at: Timestamp) -> Result<bool, StoreError> {
        self.reach()?.expire_key(id, at).await
    }

    async fn key_used(&self, id: &str, at: Timestamp) -> Result<(), StoreError> {
        self.reach()?.key_used(id, at).await
    }
}
