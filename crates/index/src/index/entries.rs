//! The entries by slot and by id.

use std::collections::HashMap;
use std::sync::Arc;

use super::facets::Facets;
use super::params::LengthTerm;
use super::postings::GONE;

#[derive(Debug)]
pub(super) struct Entry {
    pub(super) id: Arc<str>,
    pub(super) facets: Facets,
    /// Which terms it holds, so that it can be taken out of the statistics without reading its text
    /// again.
    pub(super) terms: Box<[u32]>,
}

#[derive(Debug, Default)]
pub(super) struct Entries {
    by_slot: Vec<Option<Entry>>,
    lengths: Vec<u32>,
    /// What stands for each slot's length, apart because ranking reads nothing else.
    length_terms: Vec<f32>,
    length_term: LengthTerm,
    by_id: HashMap<Arc<str>, u32>,
    length_total: u64,
    /// The sum of the roots in whole steps, so that it does not depend on their order.
    root_steps: u64,
    bytes: usize,
}

impl Entries {
    pub(super) fn new(length_term: LengthTerm) -> Entries {
        Entries {
            length_term,
            ..Entries::default()
        }
    }

    pub(super) fn live(&self) -> usize {
        self.by_id.len()
    }

    pub(super) fn slots(&self) -> u32 {
        self.by_slot.len() as u32
    }

    pub(super) fn slot(&self, id: &str) -> Option<u32> {
        self.by_id.get(id).copied()
    }

    pub(super) fn get(&self, slot: u32) -> Option<&Entry> {
        self.by_slot.get(slot as usize)?.as_ref()
    }

    /// The length of the entry in a slot.
    pub(super) fn length(&self, slot: u32) -> u32 {
        self.lengths.get(slot as usize).copied().unwrap_or(0)
    }

    /// What stands for the lengths, by slot.
    pub(super) fn length_terms(&self) -> &[f32] {
        &self.length_terms
    }

    /// What stands for the mean length.
    pub(super) fn length_term_mean(&self) -> f32 {
        self.length_term.of(self.length_mean())
    }

    /// The mean length of live entries, never zero.
    fn length_mean(&self) -> f32 {
        (self.length_total as f64 / self.live().max(1) as f64).max(1.0) as f32
    }

    /// How much the length itself counts beside its root, from 0 to 1. Where lengths differ widely
    /// (diaries beside one-line notes), the root leaves long entries too much; where they do not,
    /// it is better (measured).
    pub(super) fn length_linearity(&self) -> f32 {
        if self.length_term != LengthTerm::Root {
            return 0.0;
        }
        let root_mean = self.root_steps as f32 / ROOT_STEPS / self.live().max(1) as f32;
        // 1 where all are equal, and less the wider they are spread.
        let evenness = root_mean * root_mean / self.length_mean();
        ((EVEN - evenness) / (EVEN - UNEVEN)).clamp(0.0, 1.0)
    }

    /// Takes a new entry into the next slot.
    pub(super) fn push(&mut self, entry: Entry, length: u32) -> u32 {
        let slot = u32::try_from(self.by_slot.len())
            .ok()
            .filter(|slot| *slot != GONE);
        let slot = slot.expect("holes are closed long before four thousand million slots");
        self.bytes += entry_bytes(&entry);
        self.length_total += u64::from(length);
        self.root_steps += root_steps(length);
        self.by_id.insert(Arc::clone(&entry.id), slot);
        self.lengths.push(length);
        self.length_terms.push(self.length_term.of(length as f32));
        self.by_slot.push(Some(entry));
        slot
    }

    /// Leaves a hole where the entry was.
    pub(super) fn remove(&mut self, id: &str) -> Option<Entry> {
        let slot = self.by_id.remove(id)? as usize;
        let entry = self.by_slot[slot].take()?;
        self.bytes -= entry_bytes(&entry);
        self.length_total -= u64::from(self.lengths[slot]);
        self.root_steps -= root_steps(self.lengths[slot]);
        Some(entry)
    }

    /// Numbers slots without holes, in the same order; returns where each went.
    pub(super) fn close_holes(&mut self) -> Vec<u32> {
        let mut moved = vec![GONE; self.by_slot.len()];
        let (old, lengths) = (
            std::mem::take(&mut self.by_slot),
            std::mem::take(&mut self.lengths),
        );
        self.length_terms.clear();
        for (slot, (entry, length)) in old.into_iter().zip(lengths).enumerate() {
            let Some(entry) = entry else { continue };
            moved[slot] = self.by_slot.len() as u32;
            self.by_slot.push(Some(entry));
            self.lengths.push(length);
            self.length_terms.push(self.length_term.of(length as f32));
        }
        for slot in self.by_id.values_mut() {
            *slot = moved[*slot as usize];
        }
        self.by_id.shrink_to_fit();
        moved
    }

    pub(super) fn rename_terms(&mut self, renamed: &[u32]) {
        for entry in self.by_slot.iter_mut().flatten() {
            for term in &mut entry.terms {
                *term = renamed[*term as usize];
            }
            entry.terms.sort_unstable();
        }
    }

    pub(super) fn shrink(&mut self) {
        self.by_slot.shrink_to_fit();
        self.lengths.shrink_to_fit();
        self.length_terms.shrink_to_fit();
        self.by_id.shrink_to_fit();
    }

    pub(super) fn bytes(&self) -> usize {
        let slot = size_of::<Option<Entry>>() + size_of::<u32>() + size_of::<f32>();
        self.bytes + self.by_slot.len() * slot * 3 / 2
    }
}

/// Lengths as even as this are told apart by their roots alone.
const EVEN: f32 = 0.8;
/// And as uneven as this by themselves.
const UNEVEN: f32 = 0.68;
const ROOT_STEPS: f32 = 1024.0;

fn root_steps(length: u32) -> u64 {
    (root(length) * ROOT_STEPS) as u64
}

fn root(length: u32) -> f32 {
    (length as f32).sqrt()
}

/// What an entry holds beside its slot: id with its counters, its place in the map, terms. Names of
/// facets are shared between entries.
fn entry_bytes(entry: &Entry) -> usize {
    entry.id.len() + 32 + 3 * size_of::<(Arc<str>, u32)>() / 2 + entry.terms.len() * size_of::<u32>() + 16
}
