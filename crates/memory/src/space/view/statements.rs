//! Active memories by what they say.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, OnceLock};

use super::lookups::fingerprints;
use crate::id::MemoryId;
use crate::memory::Memory;
use crate::policy::duplicates::Fingerprint;

/// The statements of a space. Made when first needed: only who writes asks, and to read what every
/// memory says takes a while.
#[derive(Debug, Default)]
pub(super) struct Statements(OnceLock<HashMap<Fingerprint, MemoryId>>);

impl Statements {
    /// Tells whether all memories have been read.
    pub(super) fn are_read(&self) -> bool {
        self.0.get().is_some()
    }

    /// Finds the memory that says the same; reads `memories` if they were not read before.
    pub(super) fn find(
        &self,
        statement: &Fingerprint,
        memories: &BTreeMap<MemoryId, Arc<Memory>>,
    ) -> Option<MemoryId> {
        let known = self.0.get_or_init(|| {
            let standing = memories.values().filter(|memory| stands(memory));
            // Of those that say the same, all but the last have expired.
            let said = standing.flat_map(|memory| fingerprints(memory).map(|said| (said, memory.id)));
            said.collect()
        });
        known.get(statement).copied()
    }

    /// Takes over what a memory says now.
    pub(super) fn put(&mut self, memory: &Memory) {
        if let Some(known) = self.0.get_mut().filter(|_| stands(memory)) {
            known.extend(fingerprints(memory).map(|said| (said, memory.id)));
        }
    }

    /// Takes out what a memory said. Another one may have taken it over.
    pub(super) fn forget(&mut self, memory: &Memory) {
        if let Some(known) = self.0.get_mut() {
            for said in fingerprints(memory) {
                if known.get(&said) == Some(&memory.id) {
                    known.remove(&said);
                }
            }
        }
    }
}

/// What is over can become true again, and is then said anew.
fn stands(memory: &Memory) -> bool {
    memory.is_active() && !memory.period.is_over(memory.revised_at)
}
