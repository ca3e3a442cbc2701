//! The spaces this process holds, and the one way to write to one.
//!
//! Writers of one space queue their decisions; a task per busy space takes what is queued, decides
//! one after the other on the view, each seeing what the ones before it did, and applies all of it
//! as one write to the store. So search before write, caps and evictions are atomic, and many
//! writers of one user share one commit. The view runs ahead of the store only while that commit is
//! under way; if it fails, the view is dropped and read anew.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use parking_lot::Mutex;
use tokio::sync::oneshot;

use super::document_cap::Evicted;
use super::embed_queue::EmbedQueue;
use super::error::SpaceError;
use super::heavy_work::HeavyWork;
use super::instant_vectors::add_vectors;
use super::job::{Companion, Decision, Job, Manner, Pending, Written};
use super::knowledge_index::KnowledgeIndex;
use super::message_index::MessageIndex;
use super::slot::{Serving, Slot};
use super::view::SpaceView;
use crate::change::Change;
use crate::document;
use crate::id::SpaceId;
use crate::ports::{Embedder, Snapshots, Store, StoreError};
use crate::settings::{Settings, StoredVectors};

/// How often a decision is made again because another server wrote in between.
const DECISIONS_MAX: usize = 100;

/// How many queued writers share one commit at the most.
const BATCH_MAX: usize = 256;

/// The spaces that are held in memory, the least recently used given up first.
#[derive(Debug)]
pub struct Spaces {
    pub(super) store: Arc<dyn Store>,
    pub(super) settings: Settings,
    /// None: search is lexical.
    embedder: Option<Arc<dyn Embedder>>,
    /// None: what is worked out is not kept for the next start.
    pub(super) snapshots: Option<Arc<dyn Snapshots>>,
    pub(super) slots: Mutex<HashMap<SpaceId, Arc<Slot>>>,
    ticks: AtomicU64,
    /// The bytes of all slots together.
    held: Arc<AtomicUsize>,
    embed_queue: EmbedQueue,
    heavy: Arc<HeavyWork>,
}

impl Spaces {
    /// Holds spaces of `store`.
    pub fn new(store: Arc<dyn Store>, settings: &Settings) -> Spaces {
        Spaces {
            store,
            settings: settings.clone(),
            embedder: None,
            snapshots: None,
            slots: Mutex::default(),
            ticks: AtomicU64::new(0),
            held: Arc::default(),
            embed_queue: EmbedQueue::default(),
            heavy: Arc::default(),
        }
    }

    /// Adds a model for search by meaning.
    pub fn with_embedder(self, embedder: Arc<dyn Embedder>) -> Spaces {
        Spaces {
            embedder: Some(embedder),
            ..self
        }
    }

    /// Adds a place where what is worked out of spaces is kept for the next start.
    pub fn with_snapshots(self, snapshots: Arc<dyn Snapshots>) -> Spaces {
        Spaces {
            snapshots: Some(snapshots),
            ..self
        }
    }

    /// Reads a space as it is now.
    pub async fn read<T>(
        &self,
        space: &SpaceId,
        look: impl FnOnce(&SpaceView) -> T,
    ) -> Result<T, SpaceError> {
        let slot = self.slot(space);
        let mut look = Some(look);
        for _ in 0..DECISIONS_MAX {
            slot.refresh(&*self.store, &self.settings).await?;
            let found = slot.look_apart(|view| look.take().map(|look| look(view))).await;
            if let Some(Some(found)) = found {
                drop(slot);
                self.evict_idle();
                return Ok(found);
            }
            // A write that failed dropped the view in between: read it again.
        }
        Err(SpaceError::Contended)
    }

    /// Reads the messages of a space as they are now, ready to be searched.
    pub async fn messages<T>(
        &self,
        space: &SpaceId,
        look: impl FnOnce(&MessageIndex) -> T,
    ) -> Result<T, SpaceError> {
        let slot = self.slot(space);
        let found = slot
            .messages
            .read(&*self.store, space, &self.settings, look)
            .await?;
        drop(slot);
        self.evict_idle();
        Ok(found)
    }

    /// Reads the documents of a space as they are now, ready to be searched.
    pub async fn knowledge<T>(
        &self,
        space: &SpaceId,
        look: impl FnOnce(&KnowledgeIndex) -> T,
    ) -> Result<T, SpaceError> {
        let slot = self.slot(space);
        let found = slot
            .knowledge
            .read(&*self.store, space, &self.settings, look)
            .await?;
        drop(slot);
        self.evict_idle();
        Ok(found)
    }

    /// Gives the spaces in which something was written that a model has still to read.
    pub(crate) fn embed_queue(&self) -> &EmbedQueue {
        &self.embed_queue
    }

    /// Tells how many spaces are held, and how many bytes they are.
    pub fn held(&self) -> (usize, usize) {
        (self.slots.lock().len(), self.held.load(Ordering::Relaxed))
    }

    /// Lets go of a space that was erased: nothing of it stays in memory when those who read it now
    /// are done.
    pub fn forget(&self, space: &SpaceId) {
        self.slots.lock().remove(space);
    }

    /// Decides on a space as it is now and applies what was decided, whole, before it answers.
    /// `decide` may be called again when another server wrote in between.
    pub async fn write<T: Send + 'static>(
        self: &Arc<Self>,
        space: &SpaceId,
        decide: impl FnMut(&SpaceView) -> Decision<T> + Send + 'static,
    ) -> Result<T, SpaceError> {
        Ok(self.write_reporting_evictions(space, decide).await?.outcome)
    }

    /// Writes as [`Spaces::write`] does, and also returns what the write pushed out of the memory
    /// document.
    pub async fn write_reporting_evictions<T: Send + 'static>(
        self: &Arc<Self>,
        space: &SpaceId,
        decide: impl FnMut(&SpaceView) -> Decision<T> + Send + 'static,
    ) -> Result<Written<T>, SpaceError> {
        self.queue(space, decide, Manner::Usual, None).await
    }

    /// Writes as [`Spaces::write_reporting_evictions`] does, together with what `companion` makes
    /// of the outcome: all of it or nothing.
    pub async fn write_with<T: Send + 'static>(
        self: &Arc<Self>,
        space: &SpaceId,
        decide: impl FnMut(&SpaceView) -> Decision<T> + Send + 'static,
        companion: impl FnMut(&T, &Evicted) -> Vec<Change> + Send + 'static,
    ) -> Result<Written<T>, SpaceError> {
        self.queue(space, decide, Manner::Usual, Some(Box::new(companion)))
            .await
    }

    /// Writes as [`Spaces::write`] does, what decides about many things at once: apart from the
    /// threads that serve others.
    pub async fn write_bulk<T: Send + 'static>(
        self: &Arc<Self>,
        space: &SpaceId,
        decide: impl FnMut(&SpaceView) -> Decision<T> + Send + 'static,
    ) -> Result<Written<T>, SpaceError> {
        self.queue(space, decide, Manner::Bulk, None).await
    }

    /// Writes as [`Spaces::write`] does, without applying the document's cap: for a log that is
    /// replayed with the evictions it holds.
    pub async fn write_verbatim<T: Send + 'static>(
        self: &Arc<Self>,
        space: &SpaceId,
        decide: impl FnMut(&SpaceView) -> Decision<T> + Send + 'static,
    ) -> Result<T, SpaceError> {
        Ok(self.queue(space, decide, Manner::Verbatim, None).await?.outcome)
    }

    async fn queue<T: Send + 'static>(
        self: &Arc<Self>,
        space: &SpaceId,
        decide: impl FnMut(&SpaceView) -> Decision<T> + Send + 'static,
        manner: Manner,
        companion: Option<Companion<T>>,
    ) -> Result<Written<T>, SpaceError> {
        let slot = self.slot(space);
        let (reply, answer) = oneshot::channel();
        slot.queue.lock().push_back(Box::new(Pending {
            decide,
            companion,
            outcome: None,
            manner,
            evicted: Evicted::default(),
            refusal: None,
            reply,
        }));
        if !slot.busy.swap(true, Ordering::AcqRel) {
            // A task of its own, so that a requester who goes away does not leave the others
            // waiting.
            tokio::spawn(Arc::clone(self).serve(slot));
        }
        answer.await.unwrap_or(Err(SpaceError::Stopping))
    }

    /// Serves the queue of a space until it is empty.
    async fn serve(self: Arc<Self>, slot: Arc<Slot>) {
        let _guard = Serving(&slot);
        loop {
            let batch: Vec<Box<dyn Job>> = {
                let mut queue = slot.queue.lock();
                let size = queue.len().min(BATCH_MAX);
                let batch = queue.drain(..size).collect::<Vec<_>>();
                if batch.is_empty() {
                    slot.busy.store(false, Ordering::Release);
                    break;
                }
                batch
            };
            self.write_batch(&slot, batch).await;
        }
        self.evict_idle();
    }

    async fn write_batch(&self, slot: &Slot, mut batch: Vec<Box<dyn Job>>) {
        let _forward = slot.forward.lock().await;
        let mut fate = Err(SpaceError::Contended);
        for _ in 0..DECISIONS_MAX {
            fate = self.attempt(slot, &mut batch).await;
            match &fate {
                Err(SpaceError::Store(error)) if matches!(**error, StoreError::Conflict { .. }) => {
                    fate = Err(SpaceError::Contended);
                }
                _ => break,
            }
        }
        batch.into_iter().for_each(|job| job.answer(fate.clone()));
    }

    /// Decides the whole batch at the store's revision and applies it.
    async fn attempt(&self, slot: &Slot, batch: &mut [Box<dyn Job>]) -> Result<(), SpaceError> {
        slot.catch_up(&*self.store, &self.settings).await?;
        let (revision, mut changes) = slot.decide(batch, &self.settings).await;
        if changes.is_empty() {
            return Ok(());
        }
        if self.settings.stored_vectors == StoredVectors::All {
            self.add_for_other_readers(slot, &mut changes);
        }
        let applied = self.store.apply(&slot.space, revision, &changes).await;
        match &applied {
            Ok(revision) => slot.arrive(*revision),
            Err(_) => slot.drop_view(),
        }
        applied?;
        document::warn_of_evictions(&slot.space, &changes);
        if self
            .embedder
            .as_ref()
            .is_some_and(|model| !model.answers_at_once())
        {
            self.embed_queue.note(&slot.space, &changes);
        }
        Ok(())
    }

    /// Adds what this process makes for itself when it needs it, and other readers of the database
    /// cannot.
    fn add_for_other_readers(&self, slot: &Slot, changes: &mut Vec<Change>) {
        let tokens = slot.look(|view| document::token_record(view.ledger(), changes));
        if let Some(embedder) = self.embedder.as_deref().filter(|model| model.answers_at_once()) {
            add_vectors(embedder, changes);
        }
        changes.extend(tokens.flatten());
    }

    fn slot(&self, space: &SpaceId) -> Arc<Slot> {
        let tick = self.ticks.fetch_add(1, Ordering::Relaxed);
        let mut slots = self.slots.lock();
        if let Some(slot) = slots.get(space) {
            slot.used.store(tick, Ordering::Relaxed);
            return Arc::clone(slot);
        }
        let held = Arc::clone(&self.held);
        let slot = Arc::new(Slot::new(
            space.clone(),
            held,
            self.embedder.clone(),
            self.snapshots.clone(),
            Arc::clone(&self.heavy),
        ));
        slot.used.store(tick, Ordering::Relaxed);
        slots.insert(space.clone(), Arc::clone(&slot));
        slot
    }

    /// Drops the least recently used spaces until the rest is well within the bound.
    fn evict_idle(&self) {
        let bound = self.settings.spaces_bytes_max;
        if self.held.load(Ordering::Relaxed) <= bound {
            return;
        }
        let mut slots = self.slots.lock();
        let mut idle: Vec<(u64, SpaceId)> = slots
            .values()
            .filter(|slot| Arc::strong_count(slot) == 1)
            .map(|slot| (slot.used.load(Ordering::Relaxed), slot.space.clone()))
            .collect();
        idle.sort_unstable();
        for (_, space) in idle {
            // A tenth below the bound, so that the next read does not sort them again.
            if self.held.load(Ordering::Relaxed) <= bound - bound / 10 {
                break;
            }
            slots.remove(&space);
        }
    }
}
