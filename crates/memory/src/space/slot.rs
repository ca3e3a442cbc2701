//! One space in memory: its view, and the queue of those who want to write to it.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use parking_lot::{Mutex, RwLock};

use super::byte_share::ByteShare;
use super::document_cap::fold_within_cap;
use super::error::SpaceError;
use super::job::Job;
use super::knowledge_index::KnowledgeIndex;
use super::message_index::MessageIndex;
use super::row_index::{RowIndexSlot, stored_vectors};

use super::view::SpaceView;
use crate::change::{Change, Revision};
use crate::id::SpaceId;
use crate::ports::{Embedder, Store};
use crate::settings::Settings;
use crate::vector::VectorKind;

/// What a space costs that holds nothing.
const SLOT_BYTES: usize = 1024;

/// One space in memory.
#[derive(Debug)]
pub(super) struct Slot {
    pub(super) space: SpaceId,
    /// None until it was first read, and after a write failed.
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
    embedder: Option<Arc<dyn Embedder>>,
}

impl Slot {
    pub(super) fn new(space: SpaceId, held: Arc<AtomicUsize>, embedder: Option<Arc<dyn Embedder>>) -> Slot {
        let byte_share = ByteShare::new(Arc::clone(&held));
        byte_share.set(SLOT_BYTES);
        Slot {
            space,
            view: RwLock::new(None),
            forward: tokio::sync::Mutex::new(()),
            queue: Mutex::default(),
            busy: AtomicBool::new(false),
            byte_share,
            messages: RowIndexSlot::new(Arc::clone(&held), embedder.clone()),
            knowledge: RowIndexSlot::new(held, embedder.clone()),
            used: AtomicU64::new(0),
            embedder,
        }
    }

    pub(super) fn look<T>(&self, look: impl FnOnce(&SpaceView) -> T) -> Option<T> {
        self.view.read().as_ref().map(look)
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
        let held = self.revision();
        if held == Some(stored) {
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
        let vectors = stored_vectors(
            store,
            &self.space,
            self.embedder.as_deref(),
            VectorKind::Memory,
            since,
        );
        let vectors = vectors.await?;
        let mut view = self.view.write();
        if held.is_some_and(|held| changed.revision.restarted_since(held)) {
            *view = None;
        }
        let view =
            view.get_or_insert_with(|| SpaceView::empty(settings).with_embedder(self.embedder.clone()));
        view.catch_up(changed);
        vectors.iter().for_each(|vector| view.put_vector(vector));
        if held.is_none() {
            view.shrink();
        }
        self.byte_share.set(SLOT_BYTES + view.bytes());
        Ok(())
    }

    /// Lets each job decide on the view as the jobs before it left it. Gives the revision at which
    /// that was.
    pub(super) fn decide(&self, batch: &mut [Box<dyn Job>], settings: &Settings) -> (Revision, Vec<Change>) {
        let mut guard = self.view.write();
        let view = guard
            .as_mut()
            .expect("a view is caught up before it is decided on");
        let revision = view.revision();
        let mut all = Vec::new();
        for job in batch {
            let mut changes = job.decide(view);
            match job.is_verbatim() {
                true => view.fold(&changes),
                false => job.set_evicted(fold_within_cap(view, &mut changes, settings.document_tokens_max)),
            }
            all.extend(changes);
        }
        if !all.is_empty() {
            view.advance();
        }
        self.byte_share.set(SLOT_BYTES + view.bytes());
        (revision, all)
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
