//! One space in memory: its view, and the queue of those who want to write to it.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use parking_lot::{Mutex, RwLock};

use super::byte_share::ByteShare;
use super::decided::Decided;
use super::error::SpaceError;
use super::heavy_work::{ENTRIES_RANKED_MIN, HeavyTurn, HeavyWork, ROWS_CHANGED_MIN};
use super::job::Job;
use super::kept::Kept;
use super::knowledge_index::KnowledgeIndex;
use super::message_index::MessageIndex;
use super::row_index::{RowIndexSlot, stored_vectors};

use super::view::SpaceView;
use crate::change::{Change, Revision};
use crate::id::SpaceId;
use crate::ports::{Changed, Embedder, Snapshots, Store, StoreError};
use crate::settings::Settings;
use crate::vector::{Vector, VectorKind};

/// What a space costs that holds nothing.
const SLOT_BYTES: usize = 1024;

/// One space in memory.
#[derive(Debug)]
pub(super) struct Slot {
    pub(super) space: SpaceId,
    /// None until it was first read, after a write failed, and while much is folded into it. It is
    /// never locked for long: whoever folds much takes it out, and others wait for `forward`.
    view: RwLock<Option<SpaceView>>,
    /// Held by whoever brings the view forward.
    pub(super) forward: tokio::sync::Mutex<()>,
    pub(super) queue: Mutex<VecDeque<Box<dyn Job>>>,
    pub(super) busy: AtomicBool,
    /// The bytes of the view.
    byte_share: ByteShare,
    pub(super) messages: RowIndexSlot<MessageIndex>,
    pub(super) knowledge: RowIndexSlot<KnowledgeIndex>,
    pub(super) used: AtomicU64,
    heavy: Arc<HeavyWork>,
    heavy_turn: Arc<HeavyTurn>,
    embedder: Option<Arc<dyn Embedder>>,
    snapshots: Option<Arc<dyn Snapshots>>,
}

impl Slot {
    pub(super) fn new(
        space: SpaceId,
        held: Arc<AtomicUsize>,
        embedder: Option<Arc<dyn Embedder>>,
        snapshots: Option<Arc<dyn Snapshots>>,
        heavy: Arc<HeavyWork>,
    ) -> Slot {
        let byte_share = ByteShare::new(Arc::clone(&held));
        byte_share.set(SLOT_BYTES);
        let heavy_turn: Arc<HeavyTurn> = Arc::default();
        let row_work = (Arc::clone(&heavy), Arc::clone(&heavy_turn));
        Slot {
            space,
            view: RwLock::new(None),
            forward: tokio::sync::Mutex::new(()),
            queue: Mutex::default(),
            busy: AtomicBool::new(false),
            byte_share,
            messages: RowIndexSlot::new(Arc::clone(&held), embedder.clone(), row_work.clone()),
            knowledge: RowIndexSlot::new(held, embedder.clone(), row_work),
            used: AtomicU64::new(0),
            heavy,
            heavy_turn,
            embedder,
            snapshots,
        }
    }

    pub(super) fn look<T>(&self, look: impl FnOnce(&SpaceView) -> T) -> Option<T> {
        self.view.read().as_ref().map(look)
    }

    /// Looks at the view, apart from other work if it is large.
    pub(super) async fn look_apart<T>(&self, look: impl FnOnce(&SpaceView) -> T) -> Option<T> {
        let is_large = self.look(|view| ENTRIES_RANKED_MIN <= view.index().len());
        let look = || self.look(look);
        self.heavy
            .run(&self.heavy_turn, is_large.unwrap_or(false), look)
            .await
    }

    /// Tells whether it was read, and is held.
    pub(super) fn is_loaded(&self) -> bool {
        self.revision().is_some()
    }

    fn revision(&self) -> Option<Revision> {
        self.look(SpaceView::revision)
    }

    /// Brings the view to where the store is, if it is behind.
    pub(super) async fn refresh(&self, store: &dyn Store, settings: &Settings) -> Result<(), SpaceError> {
        let stored = store.revision(&self.space).await?;
        let known = self.look(|view| (view.revision(), view.is_unconfirmed()));
        let held = known.map(|(revision, _)| revision);
        // While a commit is under way, the number alone does not tell whose changes these are:
        // another server may have been quicker.
        if known == Some((stored, false)) {
            return Ok(());
        }
        if held.is_some_and(|held| stored < held) {
            // Either a commit is under way, for which the view runs ahead, or the space was erased
            // elsewhere.
            let Ok(_forward) = self.forward.try_lock() else {
                return Ok(());
            };
            return self.catch_up(store, settings).await;
        }
        let _forward = self.forward.lock().await;
        self.catch_up(store, settings).await
    }

    /// The same, for who holds the right to bring it forward.
    pub(super) async fn catch_up(&self, store: &dyn Store, settings: &Settings) -> Result<(), SpaceError> {
        let held = self.revision();
        if let Some(held) = held
            && store.revision(&self.space).await? == held
        {
            return Ok(());
        }
        let since = held.unwrap_or_default();
        let changed = store.changed_since(&self.space, since).await?;
        let mut kept = match held {
            None => Kept::read(self.snapshots.as_deref(), &self.space, &changed).await,
            Some(_) => None,
        };
        let vectors = self.vectors(store, since, &changed, kept.as_mut()).await?;
        let is_restarted = held.is_some_and(|held| changed.revision.restarted_since(held));
        let is_long = ROWS_CHANGED_MIN <= changed.rows() + vectors.len();
        self.change(is_long, |slot_view| {
            if is_restarted {
                *slot_view = None;
            }
            let empty = || SpaceView::empty(settings).with_embedder(self.embedder.clone());
            let view = slot_view.get_or_insert_with(empty);
            view.catch_up_with(changed, &vectors, kept.map(|kept| kept.known));
            // Here, and not by the thread that serves.
            drop(vectors);
            if held.is_none() {
                view.shrink();
            }
            if is_long {
                // Counted here, apart, and not where it is first needed.
                view.ledger();
            }
            self.byte_share.set(SLOT_BYTES + view.bytes());
        })
        .await;
        Ok(())
    }

    /// Reads the vectors that a model which takes its time made after `since`, but for those that
    /// are `kept`.
    async fn vectors(
        &self,
        store: &dyn Store,
        since: Revision,
        changed: &Changed,
        kept: Option<&mut Kept>,
    ) -> Result<Vec<Vector>, StoreError> {
        let embedder = self.embedder.as_deref();
        let are_stored = embedder.is_some_and(|embedder| !embedder.answers_at_once());
        if let Some(kept) = kept.filter(|_| are_stored)
            && let Some(newer) = kept.newer_vectors(store, &self.space, embedder, changed).await?
        {
            return Ok(newer);
        }
        stored_vectors(store, &self.space, embedder, VectorKind::Memory, since).await
    }

    /// Does something with the turn of this space, apart if it is long.
    pub(super) async fn heavily<T>(&self, is_long: bool, work: impl FnOnce() -> T) -> T {
        self.heavy.run(&self.heavy_turn, is_long, work).await
    }

    /// Changes the view, for who holds the right to bring it forward. While a long change goes on
    /// the view is out, so that nobody waits for its lock.
    async fn change<T>(&self, is_long: bool, change: impl FnOnce(&mut Option<SpaceView>) -> T) -> T {
        if !is_long {
            return change(&mut self.view.write());
        }
        let work = || {
            let mut view = self.view.write().take();
            let outcome = change(&mut view);
            *self.view.write() = view;
            outcome
        };
        self.heavy.run(&self.heavy_turn, true, work).await
    }

    /// Lets each job decide on the view as the jobs before it left it. Gives the revision at which
    /// that was.
    pub(super) async fn decide(
        &self,
        batch: &mut [Box<dyn Job>],
        settings: &Settings,
    ) -> (Revision, Vec<Change>) {
        // The first who writes reads what all memories say.
        let is_large = self.look(|view| {
            let entries = view.index().len();
            ENTRIES_RANKED_MIN <= entries || !view.has_statements() && ROWS_CHANGED_MIN <= entries
        });
        let mut decided = Decided::default();
        for job in batch.iter_mut() {
            // What is decided on a large space, or changes much, is folded apart.
            let is_apart = is_large.unwrap_or(false) || job.is_bulk();
            let changes = self
                .change(is_apart, |view| {
                    decided.decide(&mut **job, loaded(view), settings)
                })
                .await;
            let is_long = ROWS_CHANGED_MIN <= changes.len();
            self.change(is_long, |view| {
                decided.fold(&mut **job, loaded(view), changes, settings)
            })
            .await;
        }
        self.change(false, |view| {
            let view = loaded(view);
            if !decided.changes.is_empty() {
                view.advance();
            }
            self.byte_share.set(SLOT_BYTES + view.bytes());
        })
        .await;
        (decided.revision, decided.changes)
    }

    /// Takes over the revision to which the store has brought what was decided.
    pub(super) fn arrive(&self, revision: Revision) {
        let mut view = self.view.write();
        if let Some(view) = view.as_mut() {
            view.arrive(revision);
        }
    }

    pub(super) fn drop_view(&self) {
        *self.view.write() = None;
        self.byte_share.set(SLOT_BYTES);
    }
}

fn loaded(view: &mut Option<SpaceView>) -> &mut SpaceView {
    view.as_mut()
        .expect("a view is caught up before it is decided on")
}

/// Leaves a space usable when a decision panicked: the view may be half folded, so it is dropped.
pub(super) struct Serving<'a>(pub(super) &'a Slot);

impl Drop for Serving<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.drop_view();
            self.0.queue.lock().clear();
            self.0.busy.store(false, Ordering::Release);
        }
    }
}
