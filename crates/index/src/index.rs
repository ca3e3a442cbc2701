//! The in-process index of one space and kind: BM25 with that space's own statistics and nobody
//! else's, and vectors.
//!
//! What is found is a pure function of the live entries and the query. The order in which entries
//! came, changed and went leaves no trace, not even in the last bit of a score.
//!
//! Every entry has a *slot*, a small dense number. A replaced entry gets a new slot, a removed one
//! leaves a hole, and when holes outweigh entries the slots are numbered afresh. The vectors are
//! kept by slot beside the postings.

mod alike;
mod entries;
mod facets;
mod params;
mod plan;
mod postings;
mod push;
mod score;
mod snapshot;
mod top;
pub mod turns;
mod vectors;

use std::sync::Arc;

pub use facets::Facets;
pub use params::{Bm25, LengthTerm};
pub use score::Scores;
pub use snapshot::{Known, Mark, Snapshot};
pub use vectors::{AskedVector, Likeness};

use crate::text::{Term, analyse_query};
use entries::Entries;
use plan::Plan;
use postings::Postings;
use top::{Block, Candidate, Top};
use vectors::Vectors;

/// A text of an entry, and how much its words count. The main text has weight 1.
#[derive(Clone, Copy, Debug)]
pub struct Field<'a> {
    pub text: &'a str,
    pub weight: f32,
}

impl<'a> Field<'a> {
    /// A field that counts like the main text.
    pub fn main(text: &'a str) -> Field<'a> {
        Field { text, weight: 1.0 }
    }
}

/// An entry that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    pub id: Arc<str>,
    pub slot: u32,
    pub score: f32,
}

/// The entries of one space and kind, ready to be searched.
#[derive(Debug)]
pub struct Index {
    params: Bm25,
    postings: Postings,
    entries: Entries,
    /// None without a model.
    vectors: Option<Vectors>,
    /// How often terms and slots were numbered afresh.
    renumbered: u64,
}

impl Default for Index {
    fn default() -> Index {
        Index::new(Bm25::default())
    }
}

impl Index {
    /// An empty index. Parameters that are NaN are replaced by the defaults.
    pub fn new(params: Bm25) -> Index {
        let params = params.checked();
        Index {
            entries: Entries::new(params.length),
            params,
            postings: Postings::default(),
            vectors: None,
            renumbered: 0,
        }
    }

    /// Adds an entry, or replaces the one with the same id. Returns its slot.
    pub fn put(&mut self, id: &str, text: &[Field], facets: Facets) -> u32 {
        self.drop_entry(id);
        self.push(id, text, facets, None)
    }

    /// The same for an entry whose meaning has not changed: it keeps the vector it has.
    pub fn put_with_vector_kept(&mut self, id: &str, text: &[Field], facets: Facets) -> u32 {
        let vector = self.lift_vector(id);
        self.drop_entry(id);
        self.push(id, text, facets, vector)
    }

    /// Removes an entry. Tells whether there was one.
    pub fn remove(&mut self, id: &str) -> bool {
        let removed = self.drop_entry(id);
        self.reclaim();
        removed
    }

    /// Gives back the room that was kept for entries to come.
    pub fn shrink(&mut self) {
        self.entries.shrink();
        self.postings.shrink();
        if let Some(vectors) = &mut self.vectors {
            vectors.shrink();
        }
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.entries.live()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// An estimate of the memory held, kept up with every change.
    pub fn bytes(&self) -> usize {
        let vectors = self.vectors.as_ref().map_or(0, Vectors::bytes);
        size_of::<Index>() + self.postings.bytes() + self.entries.bytes() + vectors
    }

    /// The slot of an entry.
    pub fn slot(&self, id: &str) -> Option<u32> {
        self.entries.slot(id)
    }

    /// The id of the entry in a slot.
    pub fn id(&self, slot: u32) -> Option<&Arc<str>> {
        self.entries.get(slot).map(|entry| &entry.id)
    }

    /// The facets of the entry in a slot.
    pub fn facets(&self, slot: u32) -> Option<&Facets> {
        self.entries.get(slot).map(|entry| &entry.facets)
    }

    /// One more than the highest slot in use, holes included.
    pub fn slots(&self) -> u32 {
        self.entries.slots()
    }

    /// The best `limit` entries that `keep` accepts: highest score first, then newest, then by id.
    pub fn search(&self, query: &str, keep: &dyn Fn(&Facets) -> bool, limit: usize) -> Vec<Hit> {
        self.search_terms(&analyse_query(query), keep, limit)
    }

    /// The same for a query that was analysed already.
    pub fn search_terms(&self, query: &[Term], keep: &dyn Fn(&Facets) -> bool, limit: usize) -> Vec<Hit> {
        let best = self.scores(query, |scores| self.best(scores.iter(), keep, limit));
        let hit = |(slot, score)| {
            let id = Arc::clone(self.id(slot)?);
            Some(Hit { id, slot, score })
        };
        best.into_iter().filter_map(hit).collect()
    }

    /// Scores every live entry that shares a term with the query, whatever its facets, and hands
    /// the scores to `read`.
    ///
    /// The scores stay in a buffer of this thread, so that another arm can be mixed in without a
    /// copy; [`Index::best`] picks from what comes out.
    pub fn scores<R>(&self, query: &[Term], read: impl FnOnce(&Scores) -> R) -> R {
        let plan = Plan::of(query, &self.postings, self.entries.live(), self.params);
        Scores::with(self.entries.slots(), |scores| {
            scores.add(&plan, &self.postings, &self.entries, self.params);
            read(scores)
        })
    }

    /// The best `limit` of scored slots that `keep` accepts, in the order of [`Index::search`].
    /// Holes are passed over.
    pub fn best(
        &self,
        scored: impl Iterator<Item = (u32, f32)>,
        keep: &dyn Fn(&Facets) -> bool,
        limit: usize,
    ) -> Vec<(u32, f32)> {
        let mut top = Top::of(limit);
        for (slot, score) in scored {
            if top.could_take(score)
                && let Some(entry) = self.entries.get(slot)
                && keep(&entry.facets)
            {
                top.push(Candidate::new(slot, score, entry));
            }
        }
        top.into_slots()
    }

    /// The same by a score that takes some work: it is asked of those alone whose `bounds`, which
    /// it does not exceed, are high enough.
    pub fn best_by(
        &self,
        bounds: impl Iterator<Item = (u32, f32)>,
        keep: &dyn Fn(&Facets) -> bool,
        score: impl Fn(u32) -> f32,
        limit: usize,
    ) -> Vec<(u32, f32)> {
        let mut top = Top::of(limit);
        bounds.for_each(|(slot, bound)| self.offer(&mut top, slot, bound, keep, &score));
        top.into_slots()
    }

    /// The same with the bounds of all slots in their order; minus infinity for what is not looked
    /// for.
    pub fn best_of(
        &self,
        bounds: &[f32],
        keep: &dyn Fn(&Facets) -> bool,
        score: impl Fn(u32) -> f32,
        limit: usize,
    ) -> Vec<(u32, f32)> {
        let mut top = Top::of(limit);
        // With the best first, nearly all others are seen at a glance to be too low.
        for Block { highest, slots } in top::blocks(bounds) {
            if !top.could_take(highest) {
                break;
            }
            let start = slots.start as u32;
            for (slot, bound) in (start..).zip(&bounds[slots]) {
                if *bound != f32::NEG_INFINITY {
                    self.offer(&mut top, slot, *bound, keep, &score);
                }
            }
        }
        top.into_slots()
    }

    #[inline]
    fn offer<'a>(
        &'a self,
        top: &mut Top<'a>,
        slot: u32,
        bound: f32,
        keep: &dyn Fn(&Facets) -> bool,
        score: &impl Fn(u32) -> f32,
    ) {
        if top.could_take(bound)
            && let Some(entry) = self.entries.get(slot)
            && keep(&entry.facets)
        {
            let score = score(slot);
            if top.could_take(score) {
                top.push(Candidate::new(slot, score, entry));
            }
        }
    }

    /// The highest of scored slots that `keep` accepts; zero if there are none.
    pub fn highest(&self, scored: impl Iterator<Item = (u32, f32)>, keep: &dyn Fn(&Facets) -> bool) -> f32 {
        scored.fold(0.0, |highest, (slot, score)| {
            match highest < score && self.accepts(slot, keep) {
                true => score,
                false => highest,
            }
        })
    }

    /// The same with the scores of all slots in their order, of those that are at least `least`.
    pub fn highest_of(&self, scores: &[f32], least: f32, keep: &dyn Fn(&Facets) -> bool) -> f32 {
        let mut found = 0.0;
        for block in top::blocks(scores) {
            if block.highest <= found || block.highest < least {
                break;
            }
            let start = block.slots.start as u32;
            let scored = (start..).zip(scores[block.slots].iter().copied());
            let scored = scored.filter(|(_, score)| least <= *score);
            found = self.highest(scored, keep).max(found);
        }
        found
    }

    fn accepts(&self, slot: u32, keep: &dyn Fn(&Facets) -> bool) -> bool {
        self.entries.get(slot).is_some_and(|entry| keep(&entry.facets))
    }

    /// What an entry of ordinary length would score that holds every word of the query: the measure
    /// by which scores of different indexes can be compared. Words that no entry holds count as
    /// well.
    pub fn ideal(&self, query: &[Term]) -> f32 {
        Plan::ideal(query, &self.postings, self.entries.live())
    }

    fn drop_entry(&mut self, id: &str) -> bool {
        let slot = self.entries.slot(id);
        let Some(entry) = self.entries.remove(id) else {
            return false;
        };
        if let (Some(vectors), Some(slot)) = (&mut self.vectors, slot) {
            vectors.forget(slot);
        }
        self.postings.forget(&entry.terms);
        true
    }

    /// Numbers slots afresh once holes outweigh entries; returns where each slot went. Costs a
    /// constant per change on average.
    fn reclaim(&mut self) -> Option<Vec<u32>> {
        let holes = self.entries.slots() as usize - self.entries.live();
        if holes < HOLES_KEPT_MIN || holes < self.entries.live() / 2 {
            return None;
        }
        self.renumbered += 1;
        let moved = self.entries.close_holes();
        let terms = self.postings.close_holes(&moved);
        self.entries.rename_terms(&terms);
        if let Some(vectors) = &mut self.vectors {
            vectors.close_holes(&moved);
        }
        Some(moved)
    }
}

/// Fewer holes than this are not worth closing.
const HOLES_KEPT_MIN: usize = 64;

#[cfg(test)]
mod tests;
