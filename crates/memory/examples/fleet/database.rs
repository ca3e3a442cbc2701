//! The simulated database: rows and revisions in memory, and a count of what it is asked.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use async_trait::async_trait;
use parking_lot::Mutex;
use recalld_index::model::EmbeddingModel;
use recalld_memory::change::{Change, Effect, Event, Revision, Version};
use recalld_memory::conversation::Message;
use recalld_memory::id::{ConversationId, MemoryId, MessageId, SpaceId};
use recalld_memory::memory::Memory;
use recalld_memory::ports::{
    Changed, ChangedKnowledge, ChangedMessages, EventPage, MessagePage, Store, StoreError,
};
use recalld_memory::record::{Record, RecordKind};
use recalld_memory::vector::{Vector, VectorKind};

/// Counts of what it was asked.
#[derive(Debug, Default)]
pub struct Asked {
    pub revisions: AtomicU64,
    pub loads: AtomicU64,
    pub writes: AtomicU64,
    pub conflicts: AtomicU64,
}

#[derive(Debug, Default)]
pub struct Database {
    rows: Mutex<HashMap<SpaceId, Rows>>,
    /// What every user has at first.
    first: Mutex<Vec<Memory>>,
    claims: Mutex<HashMap<SpaceId, (usize, f64)>>,
    pub asked: Asked,
    pub is_away: AtomicBool,
}

#[derive(Clone, Debug, Default)]
struct Rows {
    revision: Revision,
    /// What was written since the beginning. Most users have little of it, and the beginning is the
    /// same for all, so that a large sample fits into memory.
    memories: Vec<(Revision, Memory)>,
}

impl Rows {
    fn since(&self, since: Revision, first: &[Memory]) -> Vec<Memory> {
        let is_as_at_first = |memory: &&Memory| self.memories.iter().all(|(_, own)| own.id != memory.id);
        let first = first
            .iter()
            .filter(|_| since < Revision(1))
            .filter(is_as_at_first);
        let own = self.memories.iter().filter(|(at, _)| since < *at);
        first.chain(own.map(|(_, memory)| memory)).cloned().collect()
    }
}

impl Database {
    /// Takes what the space holds for what every space holds at first.
    pub fn begin_all_like(&self, space: &SpaceId) {
        let rows = self.rows.lock().remove(space).unwrap_or_default();
        *self.first.lock() = rows.memories.into_iter().map(|(_, memory)| memory).collect();
    }

    fn with<T>(&self, space: &SpaceId, look: impl FnOnce(&mut Rows) -> T) -> Result<T, StoreError> {
        if self.is_away.load(Ordering::Relaxed) {
            return Err(StoreError::Unavailable {
                reason: "the database fails over".to_owned(),
            });
        }
        let mut rows = self.rows.lock();
        let begun = || {
            let revision = Revision(u64::from(!self.first.lock().is_empty()));
            Rows {
                revision,
                memories: Vec::new(),
            }
        };
        Ok(look(rows.entry(space.clone()).or_insert_with(begun)))
    }

    /// Notes that a space has work.
    pub fn add_work(&self, space: &SpaceId) {
        self.claims
            .lock()
            .entry(space.clone())
            .or_insert((usize::MAX, 0.0));
    }

    /// Claims work as the servers do: a space is free once the time of its holder has passed.
    pub fn claim(&self, server: usize, now_s: f64, lasts_s: f64, most: usize) -> Vec<SpaceId> {
        let mut claims = self.claims.lock();
        let free = claims.iter_mut().filter(|(_, (_, until_s))| *until_s <= now_s);
        free.take(most)
            .map(|(space, claim)| {
                *claim = (server, now_s + lasts_s);
                space.clone()
            })
            .collect()
    }

    /// Ends the work of a space.
    pub fn end_work(&self, space: &SpaceId) {
        self.claims.lock().remove(space);
    }
}

#[async_trait]
impl Store for Database {
    async fn apply(
        &self,
        space: &SpaceId,
        revision: Revision,
        changes: &[Change],
    ) -> Result<Revision, StoreError> {
        self.asked.writes.fetch_add(1, Ordering::Relaxed);
        self.with(space, |rows| {
            if rows.revision != revision {
                self.asked.conflicts.fetch_add(1, Ordering::Relaxed);
                return Err(StoreError::Conflict {
                    expected: revision,
                    at: rows.revision,
                });
            }
            let next = revision.next();
            rows.revision = next;
            for change in changes {
                if let Effect::Memory { memory, .. } = &change.effect {
                    rows.memories.retain(|(_, held)| held.id != memory.id);
                    rows.memories.push((next, memory.clone()));
                }
            }
            Ok(next)
        })?
    }

    async fn revision(&self, space: &SpaceId) -> Result<Revision, StoreError> {
        self.asked.revisions.fetch_add(1, Ordering::Relaxed);
        self.with(space, |rows| rows.revision)
    }

    async fn changed_since(&self, space: &SpaceId, since: Revision) -> Result<Changed, StoreError> {
        self.asked.loads.fetch_add(1, Ordering::Relaxed);
        self.with(space, |rows| Changed {
            revision: rows.revision,
            memories: rows.since(since, &self.first.lock()),
            ..Changed::default()
        })
    }

    async fn history(&self, _: &SpaceId, _: MemoryId) -> Result<Vec<Version>, StoreError> {
        Ok(Vec::new())
    }

    async fn histories(
        &self,
        _: &SpaceId,
        _: Option<MemoryId>,
        _: usize,
    ) -> Result<Vec<Version>, StoreError> {
        Ok(Vec::new())
    }

    async fn record(&self, _: &SpaceId, _: RecordKind, _: &str) -> Result<Option<Record>, StoreError> {
        Ok(None)
    }

    async fn records(
        &self,
        _: &SpaceId,
        _: RecordKind,
        _: Option<&str>,
        _: usize,
    ) -> Result<Vec<Record>, StoreError> {
        Ok(Vec::new())
    }

    async fn messages(
        &self,
        _: &SpaceId,
        _: &ConversationId,
        _: &MessagePage,
    ) -> Result<Vec<Message>, StoreError> {
        Ok(Vec::new())
    }

    async fn message(
        &self,
        _: &SpaceId,
        _: &ConversationId,
        _: &MessageId,
    ) -> Result<Option<Message>, StoreError> {
        Ok(None)
    }

    async fn messages_since(&self, _: &SpaceId, _: Revision) -> Result<ChangedMessages, StoreError> {
        Ok(ChangedMessages::default())
    }

    async fn knowledge_since(&self, _: &SpaceId, _: Revision) -> Result<ChangedKnowledge, StoreError> {
        Ok(ChangedKnowledge::default())
    }

    async fn vectors_since(
        &self,
        _: &SpaceId,
        _: &EmbeddingModel,
        _: VectorKind,
        _: Revision,
    ) -> Result<Vec<Vector>, StoreError> {
        Ok(Vec::new())
    }

    async fn events(&self, _: &SpaceId, _: &EventPage) -> Result<Vec<Event>, StoreError> {
        Ok(Vec::new())
    }
}
