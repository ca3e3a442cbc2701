//! The plainest store there could be: every write in a list, every answer read off that list. For
//! memories only.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;
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

/// All writes of each space, in their order.
#[derive(Debug, Default)]
pub struct ModelStore(Mutex<HashMap<SpaceId, Vec<Vec<Change>>>>);

impl ModelStore {
    fn writes(&self, space: &SpaceId) -> Vec<Vec<Change>> {
        let spaces = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        spaces.get(space).cloned().unwrap_or_default()
    }

    fn at(&self, space: &SpaceId) -> Revision {
        Revision(self.writes(space).len() as u64)
    }
}

#[async_trait]
impl Store for ModelStore {
    async fn apply(
        &self,
        space: &SpaceId,
        revision: Revision,
        changes: &[Change],
    ) -> Result<Revision, StoreError> {
        let mut spaces = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let writes = spaces.entry(space.clone()).or_default();
        let at = Revision(writes.len() as u64);
        if at != revision {
            return Err(StoreError::Conflict {
                expected: revision,
                at,
            });
        }
        writes.push(changes.to_vec());
        Ok(revision.next())
    }

    async fn revision(&self, space: &SpaceId) -> Result<Revision, StoreError> {
        Ok(self.at(space))
    }

    async fn changed_since(&self, space: &SpaceId, since: Revision) -> Result<Changed, StoreError> {
        let mut memories: BTreeMap<MemoryId, Memory> = BTreeMap::new();
        for change in self.writes(space).iter().skip(since.0 as usize).flatten() {
            match &change.effect {
                Effect::Memory { memory, .. } => drop(memories.insert(memory.id, memory.clone())),
                other => panic!("the model knows memories only: {other:?}"),
            }
        }
        Ok(Changed {
            revision: self.at(space),
            memories: memories.into_values().collect(),
            ..Changed::default()
        })
    }

    async fn history(&self, space: &SpaceId, asked: MemoryId) -> Result<Vec<Version>, StoreError> {
        let all = self.writes(space).into_iter().flatten();
        let versions = all.filter_map(|change| match change.effect {
            Effect::Memory { act, memory } if memory.id == asked => Some(Version {
                act,
                memory,
                stamp: change.stamp,
            }),
            _ => None,
        });
        Ok(versions.collect())
    }

    async fn histories(
        &self,
        space: &SpaceId,
        after: Option<MemoryId>,
        limit: usize,
    ) -> Result<Vec<Version>, StoreError> {
        let changed = self.changed_since(space, Revision(0)).await?;
        let ids = changed.memories.iter().map(|memory| memory.id);
        let mut versions = Vec::new();
        for id in ids.filter(|id| after.is_none_or(|after| after < *id)).take(limit) {
            versions.extend(self.history(space, id).await?);
        }
        Ok(versions)
    }

    async fn events(&self, space: &SpaceId, page: &EventPage) -> Result<Vec<Event>, StoreError> {
        let mut events = Vec::new();
        for (revision, changes) in (1..).zip(self.writes(space)) {
            for (ordinal, change) in (0..).zip(changes) {
                let (kind, id) = change.effect.subject().parts();
                events.push(Event {
                    revision: Revision(revision),
                    ordinal,
                    verb: change.effect.verb().to_owned(),
                    subject: (kind.to_owned(), id),
                    stamp: change.stamp,
                });
            }
        }
        events.reverse();
        events.truncate(page.limit);
        Ok(events)
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

    async fn messages_since(&self, space: &SpaceId, _: Revision) -> Result<ChangedMessages, StoreError> {
        Ok(ChangedMessages {
            revision: self.at(space),
            ..ChangedMessages::default()
        })
    }

    async fn knowledge_since(&self, space: &SpaceId, _: Revision) -> Result<ChangedKnowledge, StoreError> {
        Ok(ChangedKnowledge {
            revision: self.at(space),
            ..ChangedKnowledge::default()
        })
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
}
