//! Which memories are versions of one fact: those about the same slot of the same subject, of which
//! one value holds at a time.
//!
//! Derived from the memories, so that nothing is changed or deleted when a newer one comes: the
//! older one is simply no longer the latest of its slot.

use std::collections::{BTreeSet, HashMap};

use jiff::Timestamp;

use crate::id::MemoryId;
use crate::memory::Memory;
use crate::slots::{Slot, Values};
use crate::validity::Validity;

/// The versions of each fact, in the order in which they became true.
#[derive(Debug, Default)]
pub(super) struct Facts {
    by_slot: HashMap<Slot, BTreeSet<(Timestamp, MemoryId)>>,
    slots: HashMap<MemoryId, (Slot, Timestamp)>,
}

impl Facts {
    /// Takes a memory over as it is now.
    pub(super) fn put(&mut self, memory: &Memory) {
        self.remove(memory.id);
        if !memory.is_active() {
            return;
        }
        let Some(slot) = slot_of(memory) else { return };
        let from = memory.learned_at;
        self.by_slot
            .entry(slot.clone())
            .or_default()
            .insert((from, memory.id));
        self.slots.insert(memory.id, (slot, from));
    }

    pub(super) fn remove(&mut self, id: MemoryId) {
        if let Some((slot, from)) = self.slots.remove(&id)
            && let Some(versions) = self.by_slot.get_mut(&slot)
        {
            versions.remove(&(from, id));
            if versions.is_empty() {
                self.by_slot.remove(&slot);
            }
        }
    }

    /// When a memory holds, if it is about something that has one value at a time.
    pub(super) fn validity(&self, id: MemoryId) -> Option<Validity> {
        let (slot, from) = self.slots.get(&id)?;
        let versions = self.by_slot.get(slot)?;
        let own = (*from, id);
        let next = versions.range(own..).nth(1);
        let before = versions.range(..own).next_back();
        Some(Validity {
            from: *from,
            until: next.map(|(from, _)| *from),
            superseded_by: next.map(|(_, id)| *id),
            replaces: before.map(|(_, id)| *id),
        })
    }

    /// The version of the same fact that holds at `at`; before the first one, the first.
    pub(super) fn version_at(&self, id: MemoryId, at: Timestamp) -> Option<MemoryId> {
        let (slot, _) = self.slots.get(&id)?;
        let versions = self.by_slot.get(slot)?;
        let begun = versions.iter().take_while(|(from, _)| *from <= at).last();
        begun.or(versions.first()).map(|(_, id)| *id)
    }
}

/// The slot that a memory fills alone: that of its key, or of what it says.
fn slot_of(memory: &Memory) -> Option<Slot> {
    let by_key = memory.key.as_ref().and_then(|key| Slot::of_key(key.as_str()));
    let slot = by_key.or_else(|| Slot::of(memory.content.as_str()))?;
    (slot.values() == Values::One).then_some(slot)
}
