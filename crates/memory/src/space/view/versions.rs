//! The memories of a view as versions of facts.

use jiff::Timestamp;

use super::SpaceView;
use crate::id::MemoryId;
use crate::space::facts::Facts;
use crate::validity::Validity;

impl SpaceView {
    /// Tells when a memory holds, if it is about something that has one value at a time.
    pub fn validity(&self, id: MemoryId) -> Option<Validity> {
        self.facts().validity(id)
    }

    /// Finds the version of the same fact that holds at `at`.
    pub fn version_at(&self, id: MemoryId, at: Timestamp) -> Option<MemoryId> {
        self.facts().version_at(id, at)
    }

    fn facts(&self) -> &Facts {
        self.facts.get_or_init(|| {
            let mut facts = Facts::default();
            self.memories.values().for_each(|memory| facts.put(memory));
            facts
        })
    }
}
