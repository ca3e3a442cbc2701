//! What was worked out of entries, as bytes that a later process can use instead of working it out
//! again: terms, lengths and vectors.
//!
//! It is looked up entry by entry, by the entry's key and a digest of its text: what is not known,
//! or was of another text, is worked out as ever. So bytes of any earlier state of the same space
//! serve, and an index that was filled with them is the same to the bit as one that was not.

mod layout;
mod write;

#[cfg(test)]
mod tests;

use super::postings::{GONE, Occurrence};
use super::{Facets, Index};
use crate::model::EmbeddingModel;
use layout::{Layout, OCCURRENCE_BYTES};

/// What tells an entry and its text from all others, and what its owner notes about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    pub key: [u8; 16],
    /// Of all that was worked out of it depends on.
    pub digest: [u8; 16],
    /// Anything that follows from the text.
    pub note: u64,
}

/// What was known of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    pub note: u64,
    /// Whether its finished vector was known, too.
    pub has_vector: bool,
}

/// What was worked out of entries before.
#[derive(Debug)]
pub struct Snapshot {
    bytes: Vec<u8>,
    layout: Layout,
    /// The terms by their numbers in the index that is being filled.
    terms: Vec<u32>,
    /// How often that index had numbered its terms anew by then.
    renumbered: u64,
    /// Where the next entry probably is: they are asked for in their order.
    next: usize,
}

impl Snapshot {
    /// Reads what [`Index::snapshot`] wrote. None if another version wrote it, or it is damaged in
    /// a way that can be seen.
    pub fn read(bytes: Vec<u8>, version: &str) -> Option<Snapshot> {
        let layout = Layout::read(&bytes, version)?;
        Some(Snapshot {
            terms: vec![GONE; layout.terms],
            bytes,
            layout,
            renumbered: 0,
            next: 0,
        })
    }

    /// The model whose vectors it has.
    pub fn model(&self) -> Option<&EmbeddingModel> {
        self.layout.model.as_ref()
    }

    /// Counts its entries.
    pub fn len(&self) -> usize {
        self.layout.entries
    }

    /// Tells whether it has none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Tells whether the finished vector of an entry with just this text is known.
    pub fn has_vector(&mut self, key: &[u8; 16], digest: &[u8; 16]) -> bool {
        let at = self.find(key, digest);
        at.is_some_and(|at| self.layout.scale(&self.bytes, at) != 0.0)
    }

    fn find(&mut self, key: &[u8; 16], digest: &[u8; 16]) -> Option<usize> {
        let (layout, bytes) = (&self.layout, &self.bytes);
        let at = match self.next < layout.entries && layout.key(bytes, self.next) == key {
            true => self.next,
            false => layout.position(bytes, key)?,
        };
        self.next = at + 1;
        (layout.digest(bytes, at) == digest).then_some(at)
    }
}

impl Index {
    /// Adds an entry, or replaces the one with the same id, by what is `known` of just this text.
    /// None, and nothing is changed, if nothing is. A vector is taken if it is of the same model.
    pub fn put_known(
        &mut self,
        id: &str,
        known: &mut Snapshot,
        (key, digest): (&[u8; 16], &[u8; 16]),
        facets: Facets,
    ) -> Option<Known> {
        let at = known.find(key, digest)?;
        let occurrences = self.known_occurrences(known, at)?;
        let length = known.layout.length(&known.bytes, at);
        self.drop_entry(id);
        let slot = self.push_occurrences(id, &occurrences, length, facets, None);
        let has_vector = self.take_known_vector(slot, known, at);
        let note = known.layout.note(&known.bytes, at);
        Some(Known { note, has_vector })
    }

    fn known_occurrences(&mut self, known: &mut Snapshot, at: usize) -> Option<Vec<Occurrence>> {
        if known.renumbered != self.renumbered {
            known.renumbered = self.renumbered;
            known.terms.fill(GONE);
        }
        let written = known.layout.occurrences(&known.bytes, at)?;
        let mut occurrences = Vec::with_capacity(written.len() / OCCURRENCE_BYTES);
        for (term, units, whole) in layout::each_occurrence(written) {
            let number = known.terms.get_mut(term)?;
            if *number == GONE {
                *number = self.postings.intern(known.layout.term(&known.bytes, term)?);
            }
            occurrences.push(Occurrence {
                term: *number,
                units,
                whole,
            });
        }
        occurrences.sort_unstable_by_key(|occurrence| occurrence.term);
        Some(occurrences)
    }

    fn take_known_vector(&mut self, slot: u32, known: &Snapshot, at: usize) -> bool {
        let Some(vectors) = &mut self.vectors else {
            return false;
        };
        if Some(vectors.model()) != known.model() {
            return false;
        }
        let scale = known.layout.scale(&known.bytes, at);
        scale != 0.0 && vectors.put_codes(slot, known.layout.codes(&known.bytes, at), scale)
    }
}
