//! What a space holds beside its view: built from the store when it is first asked for, and folded
//! forward by revision.
//!
//! Most requests need neither messages nor knowledge, so these are not loaded with the view. A
//! write of this process reaches them the same way as a write of another: the next reader sees that
//! the space has moved on and reads what changed.

use std::fmt::Debug;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use async_trait::async_trait;
use parking_lot::RwLock;

use super::byte_share::ByteShare;
use super::error::SpaceError;
use super::heavy_work::{ENTRIES_RANKED_MIN, HeavyTurn, HeavyWork, ROWS_CHANGED_MIN};
use crate::change::Revision;
use crate::id::SpaceId;
use crate::ports::{Embedder, Store, StoreError};
use crate::settings::Settings;
use crate::vector::{Vector, VectorKind};

/// An index over one kind of rows of a space.
#[async_trait]
pub(super) trait RowIndex: Debug + Sized + Send + Sync {
    /// What the store tells of such rows.
    type Changed: Send;

    /// What kind of things it holds, for their vectors.
    const KIND: VectorKind;

    /// An empty index. A model makes what is put there found by meaning.
    fn empty(settings: &Settings, embedder: Option<Arc<dyn Embedder>>) -> Self;

    /// Tells how far it has come.
    fn revision(&self) -> Revision;

    /// Asks the store what changed after `since`.
    async fn changed(
        store: &dyn Store,
        space: &SpaceId,
        since: Revision,
    ) -> Result<Self::Changed, StoreError>;

    /// Counts its entries.
    fn entries(&self) -> usize;

    /// Counts the rows that changed.
    fn rows_of(changed: &Self::Changed) -> usize;

    /// Tells the revision that these changes lead to.
    fn revision_of(changed: &Self::Changed) -> Revision;

    /// Takes over what the store reports.
    fn catch_up(&mut self, changed: Self::Changed);

    /// Takes what a model that takes its time made of one of its things. Of another model, or of an
    /// older text, it is not taken.
    fn put_vector(&mut self, vector: &Vector);

    /// Estimates the bytes it holds.
    fn bytes(&self) -> usize;
}

/// Where a index stands, or will.
#[derive(Debug)]
pub(super) struct RowIndexSlot<S> {
    index: RwLock<Option<S>>,
    /// Held by whoever brings the index forward.
    forward: tokio::sync::Mutex<()>,
    byte_share: ByteShare,
    embedder: Option<Arc<dyn Embedder>>,
    heavy: Arc<HeavyWork>,
    heavy_turn: Arc<HeavyTurn>,
}

/// How often an index is looked for that others keep bringing forward.
const TRIES_MAX: usize = 100;

impl<S: RowIndex> RowIndexSlot<S> {
    pub(super) fn new(
        sum: Arc<AtomicUsize>,
        embedder: Option<Arc<dyn Embedder>>,
        (heavy, heavy_turn): (Arc<HeavyWork>, Arc<HeavyTurn>),
    ) -> RowIndexSlot<S> {
        RowIndexSlot {
            index: RwLock::new(None),
            forward: tokio::sync::Mutex::new(()),
            byte_share: ByteShare::new(sum),
            embedder,
            heavy,
            heavy_turn,
        }
    }

    /// Brings the index to where the store is, and looks at it.
    pub(super) async fn read<T>(
        &self,
        store: &dyn Store,
        space: &SpaceId,
        settings: &Settings,
        look: impl FnOnce(&S) -> T,
    ) -> Result<T, SpaceError> {
        let stored = store.revision(space).await?;
        if self.revision() != Some(stored) {
            self.catch_up(store, space, settings).await?;
        }
        let mut look = Some(look);
        for _ in 0..TRIES_MAX {
            let is_large = self
                .index
                .read()
                .as_ref()
                .map(|index| ENTRIES_RANKED_MIN <= index.entries());
            let look_once = || {
                let index = self.index.read();
                index
                    .as_ref()
                    .and_then(|index| look.take().map(|look| look(index)))
            };
            let found = self
                .heavy
                .run(&self.heavy_turn, is_large.unwrap_or(false), look_once)
                .await;
            match found {
                Some(found) => return Ok(found),
                // Somebody has taken it out to bring it forward.
                None => self.catch_up(store, space, settings).await?,
            }
        }
        Err(SpaceError::Contended)
    }

    /// Brings it forward if it was read before.
    pub(super) async fn prefetch(
        &self,
        store: &dyn Store,
        space: &SpaceId,
        settings: &Settings,
    ) -> Result<(), StoreError> {
        match self.revision() {
            Some(_) => self.catch_up(store, space, settings).await,
            None => Ok(()),
        }
    }

    fn revision(&self) -> Option<Revision> {
        let index = self.index.read();
        index.as_ref().map(S::revision)
    }

    async fn catch_up(
        &self,
        store: &dyn Store,
        space: &SpaceId,
        settings: &Settings,
    ) -> Result<(), StoreError> {
        let _forward = self.forward.lock().await;
        let held = self.revision();
        // Somebody else may have brought it there meanwhile.
        if held == Some(store.revision(space).await?) {
            return Ok(());
        }
        let since = held.unwrap_or_default();
        let changed = S::changed(store, space, since).await?;
        let vectors = stored_vectors(store, space, self.embedder.as_deref(), S::KIND, since).await?;
        let is_restarted = held.is_some_and(|held| S::revision_of(&changed).restarted_since(held));
        let is_long = ROWS_CHANGED_MIN <= S::rows_of(&changed) + vectors.len();
        let fold = |index: &mut Option<S>| {
            if is_restarted {
                *index = None;
            }
            let index = index.get_or_insert_with(|| S::empty(settings, self.embedder.clone()));
            index.catch_up(changed);
            vectors.iter().for_each(|vector| index.put_vector(vector));
            self.byte_share.set(index.bytes());
        };
        if !is_long {
            fold(&mut self.index.write());
            return Ok(());
        }
        // It is out meanwhile, so that nobody waits for its lock.
        let work = || {
            let mut index = self.index.write().take();
            fold(&mut index);
            *self.index.write() = index;
        };
        self.heavy.run(&self.heavy_turn, true, work).await;
        Ok(())
    }
}

/// Reads the vectors that a model which takes its time made after `since`. One that answers at once
/// has none stored.
pub(super) async fn stored_vectors(
    store: &dyn Store,
    space: &SpaceId,
    embedder: Option<&dyn Embedder>,
    kind: VectorKind,
    since: Revision,
) -> Result<Vec<Vector>, StoreError> {
    match embedder {
        Some(embedder) if !embedder.answers_at_once() => {
            store.vectors_since(space, embedder.model(), kind, since).await
        }
        _ => Ok(Vec::new()),
    }
}
