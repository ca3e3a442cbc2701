//! The memories of a view as versions of facts.

use std::sync::Arc;

use jiff::Timestamp;
use recalld_index::text::content_words;

use super::SpaceView;
use crate::id::MemoryId;
use crate::memory::Memory;
use crate::space::facts::Facts;
use crate::validity::{Period, Validity};

impl SpaceView {
    /// Tells when a memory holds, if it is about something that has one value at a time.
    pub fn validity(&self, id: MemoryId) -> Option<Validity> {
        self.facts().validity(id)
    }

    /// Finds the version of the same fact that holds at `at`.
    pub fn version_at(&self, id: MemoryId, at: Timestamp) -> Option<MemoryId> {
        self.facts().version_at(id, at)
    }

    /// Finds what was told after `memory`, until `at`, and may have changed what it says: it tells
    /// of a change and shares a word that matters.
    pub fn changed_by(&self, memory: &Memory, at: Timestamp) -> Option<MemoryId> {
        let mut newer = self.facts().changes_after(memory, at).peekable();
        newer.peek()?;
        let words = content_words(memory.content.as_str());
        newer.find(|id| {
            // What changed in another project changes nothing here.
            let is_of_it = |told: &Arc<Memory>| told.id != memory.id && told.project == memory.project;
            self.memory(*id).is_some_and(is_of_it) && self.facts().tells_of(*id, &words)
        })
    }

    /// Gives a memory as it is shown: with the time in which it holds, said or worked out.
    pub fn shown(&self, memory: &Arc<Memory>) -> Arc<Memory> {
        let derived = self.validity(memory.id).map(|validity| Period {
            // Without it, it holds since it was learned, which the memory shows already.
            from: memory.period.from,
            until: validity.until,
            superseded_by: validity.superseded_by,
        });
        match derived.filter(|period| *period != memory.period) {
            Some(period) => Arc::new(Memory {
                period,
                ..Memory::clone(memory)
            }),
            None => Arc::clone(memory),
        }
    }

    fn facts(&self) -> &Facts {
        self.facts.get_or_init(|| {
            let mut facts = Facts::default();
            self.memories.values().for_each(|memory| facts.put(memory));
            facts
        })
    }
}
