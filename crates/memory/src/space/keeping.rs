//! Keeps what was worked out of spaces for the next start.
//!
//! What was erased must not outlive its erasure here. So a snapshot is made of a view that is as
//! late as the store, under a permit that an erasure ends.

use std::sync::Arc;

use super::heavy_work::ROWS_CHANGED_MIN;
use super::slot::Slot;
use super::spaces::Spaces;
use super::view::{Marked, SpaceView};
use crate::id::SpaceId;
use crate::ports::{Snapshots, Store};

impl Slot {
    /// Keeps what was worked out of it, if that pays.
    async fn keep_snapshot(&self, store: &dyn Store, snapshots: &dyn Snapshots) {
        if !self.look(SpaceView::wants_snapshot).unwrap_or(false) {
            return;
        }
        // First: whatever is erased from here on ends it. A view that is as late as the store now
        // holds nothing that was erased before.
        let permit = snapshots.permit();
        let Ok(revision) = store.revision(&self.space).await else {
            return;
        };
        let begin = |view: &SpaceView| {
            let is_at = view.is_at(revision);
            is_at.then(|| (view.begin_snapshot(), view.found()))
        };
        let Some((work, memories)) = self.look(begin).flatten() else {
            return;
        };
        let is_long = ROWS_CHANGED_MIN <= memories.len();
        let marked = self.heavily(is_long, || Marked::of(&memories)).await;
        let write = |view: &SpaceView| match view.is_at(revision) {
            true => view.snapshot(&marked),
            false => None,
        };
        let bytes = self.heavily(is_long, || self.look(write).flatten()).await;
        let is_kept = match bytes {
            Some(bytes) => snapshots.keep(&self.space, permit, bytes).await,
            None => false,
        };
        if !is_kept {
            // Somebody wrote meanwhile, or it cannot be kept: later, then.
            self.look(|view| view.end_snapshot_without(work));
        }
    }
}

impl Spaces {
    /// Keeps what was worked out of the spaces that are held, where that pays, so that the next
    /// process need not work it out again. Nobody has to wait for it, and it never fails.
    pub async fn keep_snapshots(&self) {
        let Some(snapshots) = self.snapshots.as_deref() else {
            return;
        };
        let held: Vec<SpaceId> = self.slots.lock().keys().cloned().collect();
        for space in held {
            let slot = self.slots.lock().get(&space).map(Arc::clone);
            if let Some(slot) = slot {
                slot.keep_snapshot(&*self.store, snapshots).await;
            }
        }
    }
}
