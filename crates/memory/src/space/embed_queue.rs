//! The spaces in which something was written that a model has still to read.

use std::collections::BTreeSet;

use parking_lot::Mutex;
use tokio::sync::Notify;

use crate::change::{Change, Effect};
use crate::id::SpaceId;

/// Spaces that wait for a model. Each is there once, however much was written.
#[derive(Debug, Default)]
pub(crate) struct EmbedQueue {
    spaces: Mutex<BTreeSet<SpaceId>>,
    come: Notify,
}

impl EmbedQueue {
    /// Notes a write, if there is something in it that has a meaning.
    pub(crate) fn note(&self, space: &SpaceId, changes: &[Change]) {
        let has_meaning = |change: &Change| {
            matches!(
                change.effect,
                Effect::Memory { .. } | Effect::Message(_) | Effect::Document { .. }
            )
        };
        if changes.iter().any(has_meaning) {
            self.put(space.clone());
        }
    }

    /// Puts a space among those that wait.
    pub(crate) fn put(&self, space: SpaceId) {
        let mut spaces = self.spaces.lock();
        spaces.insert(space);
        drop(spaces);
        self.come.notify_one();
    }

    /// Takes one space that waits.
    pub(crate) fn take(&self) -> Option<SpaceId> {
        let mut spaces = self.spaces.lock();
        spaces.pop_first()
    }

    /// Waits until one is there.
    pub(crate) async fn any(&self) {
        loop {
            let come = self.come.notified();
            let none = self.spaces.lock().is_empty();
            if !none {
                return;
            }
            come.await;
        }
    }
}
