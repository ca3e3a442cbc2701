//! The spaces in which something was written that a model has still to read.

use std::collections::{HashSet, VecDeque};

use parking_lot::Mutex;
use tokio::sync::Notify;

use crate::change::{Change, Effect};
use crate::id::SpaceId;

/// Spaces that wait for a model, in the order in which they came. Each is there once, however much
/// was written.
#[derive(Debug, Default)]
pub(crate) struct EmbedQueue {
    spaces: Mutex<Waiting>,
    come: Notify,
}

#[derive(Debug, Default)]
struct Waiting {
    order: VecDeque<SpaceId>,
    known: HashSet<SpaceId>,
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
        if spaces.known.insert(space.clone()) {
            spaces.order.push_back(space);
        }
        drop(spaces);
        self.come.notify_one();
    }

    /// Takes the space that has waited longest.
    pub(crate) fn take(&self) -> Option<SpaceId> {
        let mut spaces = self.spaces.lock();
        let first = spaces.order.pop_front()?;
        spaces.known.remove(&first);
        Some(first)
    }

    /// Waits until one is there.
    pub(crate) async fn any(&self) {
        loop {
            let come = self.come.notified();
            let none = self.spaces.lock().order.is_empty();
            if !none {
                return;
            }
            come.await;
        }
    }
}
