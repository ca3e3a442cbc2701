//! What was worked out of memories before, and what is to be kept for the next start.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use recalld_index::index::{Mark, Snapshot};
use sha2::{Digest, Sha256};

use super::{SpaceView, facets};
use crate::id::MemoryId;
use crate::memory::Memory;

/// What all that is worked out of a memory depends on, and what changes with this source.
pub(in crate::space) const VERSION: &str = env!("RECALLD_ENGINE_SOURCE");

/// The memories that are found in a view, as a snapshot names them.
pub(in crate::space) struct Marked(Vec<Mark>);

impl Marked {
    /// Works out what is still to be worked out of each.
    pub(in crate::space) fn of(memories: &[Arc<Memory>]) -> Marked {
        let mark = |memory: &Arc<Memory>| Mark {
            key: *memory.id.as_uuid().as_bytes(),
            digest: digest_of(memory),
            note: memory.content.note(),
        };
        // In the order of their ids, as the view has them.
        Marked(memories.iter().map(mark).collect())
    }

    fn get(&self, id: &str) -> Option<Mark> {
        let id = MemoryId::parse(id).ok()?;
        let key = *id.as_uuid().as_bytes();
        let at = self.0.binary_search_by(|mark| mark.key.cmp(&key)).ok()?;
        Some(self.0[at])
    }
}

impl SpaceView {
    /// Makes a memory findable by what is known of just this text. `false`, and nothing is changed,
    /// if nothing is.
    pub(super) fn put_known(&mut self, id: &str, memory: &Memory, known: &mut Snapshot) -> bool {
        let (key, digest) = (*memory.id.as_uuid().as_bytes(), digest_of(memory));
        let found = self.index.put_known(id, known, (&key, &digest), facets(memory));
        if let Some(found) = found {
            memory.content.take_note(found.note);
        }
        found.is_some()
    }

    /// Counts that something was worked out.
    pub(super) fn count_work(&self) {
        self.worked_out.fetch_add(1, Ordering::Relaxed);
    }

    /// Notes that the snapshot is gone, with something that was erased.
    pub(super) fn lose_snapshot(&self) {
        self.worked_out.fetch_max(self.index.len(), Ordering::Relaxed);
    }

    /// Tells whether so much was worked out since the last snapshot that another one pays.
    pub(in crate::space) fn wants_snapshot(&self) -> bool {
        let entries = self.index.len();
        let worth = (SNAPSHOT_MIN..=SNAPSHOT_MAX).contains(&entries);
        worth && entries <= WORK_SHARE * self.worked_out.load(Ordering::Relaxed)
    }

    /// Notes that a snapshot is being made of it as it is now. Gives how much was worked out.
    pub(in crate::space) fn begin_snapshot(&self) -> usize {
        self.worked_out.swap(0, Ordering::Relaxed)
    }

    /// Notes that none was made after all.
    pub(in crate::space) fn end_snapshot_without(&self, work: usize) {
        self.worked_out.fetch_add(work, Ordering::Relaxed);
    }

    /// Gives the memories that are found.
    pub(in crate::space) fn found(&self) -> Vec<Arc<Memory>> {
        let active = self.memories.values().filter(|memory| memory.is_active());
        active.cloned().collect()
    }

    /// Writes what was worked out of `marked`.
    pub(in crate::space) fn snapshot(&self, marked: &Marked) -> Option<Vec<u8>> {
        let mut bytes = self.index.snapshot(VERSION, |id| marked.get(id))?;
        bytes.extend_from_slice(&self.revision.0.to_le_bytes());
        Some(bytes)
    }
}

/// Fewer memories are worked out in some milliseconds.
pub(in crate::space) const SNAPSHOT_MIN: usize = 200;
/// More would be a file of hundreds of megabytes.
const SNAPSHOT_MAX: usize = 500_000;
/// A new snapshot is made when a quarter is not in the last one: then all of them together cost
/// little more than the last.
const WORK_SHARE: usize = 4;

/// Tells apart what can be found of two memories: their texts and keys.
pub(in crate::space) fn digest_of(memory: &Memory) -> [u8; 16] {
    let content = memory.content.as_str();
    let key = memory.key.as_ref().map_or("", |key| key.as_str());
    let mut digest = Sha256::new();
    digest.update((content.len() as u64).to_le_bytes());
    digest.update(content);
    digest.update(key);
    let mut short = [0; 16];
    short.copy_from_slice(&digest.finalize()[..16]);
    short
}
