//! Takes the terms of a new entry in.

use std::sync::Arc;

use super::entries::Entry;
use super::postings::Occurrence;
use super::vectors::Lifted;
use super::{Facets, Field, Index, params};
use crate::text::analyse;

impl Index {
    /// Adds an entry whose id is free. Returns its slot.
    pub(super) fn push(&mut self, id: &str, text: &[Field], facets: Facets, vector: Option<Lifted>) -> u32 {
        let (occurrences, length) = self.occurrences(text);
        self.push_occurrences(id, &occurrences, length, facets, vector)
    }

    /// The same of what is known of the text already.
    pub(super) fn push_occurrences(
        &mut self,
        id: &str,
        occurrences: &[Occurrence],
        length: u32,
        facets: Facets,
        vector: Option<Lifted>,
    ) -> u32 {
        let terms = occurrences.iter().map(|occurrence| occurrence.term).collect();
        let slot = self.entries.push(
            Entry {
                id: Arc::from(id),
                facets,
                terms,
            },
            length,
        );
        self.postings.append(slot, occurrences);
        if let (Some(vectors), Some(vector)) = (&mut self.vectors, vector) {
            vectors.lay_down(slot, vector);
        }
        match self.reclaim() {
            Some(moved) => moved[slot as usize],
            None => slot,
        }
    }

    /// The terms of a text with how often and how they occur, and the length that counts.
    fn occurrences(&mut self, text: &[Field]) -> (Vec<Occurrence>, u32) {
        let mut found = Vec::new();
        let mut length = 0u32;
        for field in text {
            let weight = params::field_weight(field.weight);
            for term in analyse(field.text) {
                let units = params::occurrence_units(term.kind, weight);
                length = length.saturating_add(params::length_units(term.kind, weight));
                if units > 0 {
                    let whole = params::is_whole(term.kind);
                    found.push(Occurrence {
                        term: self.postings.intern(&term.text),
                        units,
                        whole,
                    });
                }
            }
        }
        found.sort_unstable_by_key(|occurrence| occurrence.term);
        found.dedup_by(|next, kept| {
            let same = next.term == kept.term;
            if same {
                kept.units = kept.units.saturating_add(next.units);
                kept.whole |= next.whole;
            }
            same
        });
        (found, length)
    }
}
