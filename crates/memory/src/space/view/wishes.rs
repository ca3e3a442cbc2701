//! The standing wishes among the memories of a view.

use std::sync::Arc;

use super::SpaceView;
use crate::id::MemoryId;
use crate::lens::Lens;
use crate::memory::Memory;
use crate::policy::wishes::{Bearing, Domains};

/// More wishes than this would leave no room for anything else.
const WISHES_MAX: usize = 12;

impl SpaceView {
    /// Finds the standing wishes that bear on a request, the newest first. What a newer one has
    /// replaced is none.
    pub fn wishes_on(&self, request: &str, lens: Lens<'_>) -> Vec<&Arc<Memory>> {
        let wishes = self.wishes.get_or_init(|| {
            let active = self.memories.values().filter(|memory| memory.is_active());
            let wishes = active.filter_map(|memory| Some((memory.id, Bearing::of(memory)?)));
            wishes.collect()
        });
        if wishes.is_empty() {
            return Vec::new();
        }
        let domains = Domains::of(request);
        let on = wishes.iter().filter(|(_, bearing)| bearing.is_on(domains));
        let holds = |memory: &&Arc<Memory>| {
            lens.shows(memory)
                && memory.trust.is_users_own()
                && self
                    .validity(memory.id)
                    .is_none_or(|validity| validity.holds(lens.now))
        };
        let mut on: Vec<&Arc<Memory>> = on
            .filter_map(|(id, _)| self.memories.get(id))
            .filter(holds)
            .collect();
        on.sort_by(|a, b| b.learned_at.cmp(&a.learned_at).then(b.id.cmp(&a.id)));
        on.truncate(WISHES_MAX);
        on
    }

    /// Keeps up with a memory as it is now.
    pub(super) fn note_wish(&mut self, memory: &Memory) {
        let Some(wishes) = self.wishes.get_mut() else {
            return;
        };
        match Bearing::of(memory).filter(|_| memory.is_active()) {
            Some(bearing) => wishes.insert(memory.id, bearing),
            None => wishes.remove(&memory.id),
        };
    }

    /// Takes out a memory that is gone.
    pub(super) fn forget_wish(&mut self, id: MemoryId) {
        if let Some(wishes) = self.wishes.get_mut() {
            wishes.remove(&id);
        }
    }
}
