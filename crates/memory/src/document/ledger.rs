//! The running token account of a memory document, and who leaves it when the cap is reached.
//!
//! Every question that an eviction asks (who leaves first, what the rest costs, when it last
//! changed) is answered from something that is sorted already, so that evicting many from a large
//! document costs little more than reading it.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use recalld_index::text::tokens::TokenCount;

use super::line::Line;
use super::text::{self, Totals};
use crate::entity::Entity;
use crate::id::{EntityId, MemoryId};
use crate::memory::Memory;

/// What each line of the document costs, and what they cost together.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    /// The oldest first.
    facts: BTreeMap<(Timestamp, MemoryId), Line>,
    /// Those of the facts that are inactive: they leave first.
    inactive: BTreeSet<(Timestamp, MemoryId)>,
    places: BTreeMap<(Timestamp, EntityId), Line>,
    /// How many lines changed last at a time.
    touched: BTreeMap<Timestamp, usize>,
    /// The sum over all lines as if another line followed each.
    lines: TokenCount,
    /// Facts and places that are over the cap, and stored as part of the document nevertheless.
    postponed_facts: BTreeSet<(Timestamp, MemoryId)>,
    postponed_places: BTreeSet<(Timestamp, EntityId)>,
}

/// Who leaves the document so that it fits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Leaving {
    /// Inactive facts first, then the oldest.
    pub facts: Vec<(Timestamp, MemoryId)>,
    /// Only when no fact is left: the oldest places.
    pub places: Vec<(Timestamp, EntityId)>,
}

impl Ledger {
    /// Enters a fact, or its new state.
    pub fn put_fact(&mut self, fact: &Memory) {
        self.remove_fact(fact.learned_at, fact.id);
        let line = Line::of(&text::fact_line(fact), fact.revised_at);
        if !fact.is_active() {
            self.inactive.insert((fact.learned_at, fact.id));
        }
        self.add(&line);
        self.facts.insert((fact.learned_at, fact.id), line);
    }

    /// Strikes a fact, if it is there.
    pub fn remove_fact(&mut self, learned_at: Timestamp, id: MemoryId) {
        self.postponed_facts.remove(&(learned_at, id));
        if let Some(line) = self.facts.remove(&(learned_at, id)) {
            self.inactive.remove(&(learned_at, id));
            self.subtract(&line);
        }
    }

    /// Returns whether a fact is part of the document.
    pub fn has_fact(&self, fact: &Memory) -> bool {
        self.facts.contains_key(&(fact.learned_at, fact.id))
    }

    /// Enters a place, or its new state.
    pub fn put_place(&mut self, place: &Entity) {
        self.remove_place(place.added_at, &place.id);
        let line = Line::of(&text::place_line(place), place.touched_at());
        self.add(&line);
        self.places.insert((place.added_at, place.id.clone()), line);
    }

    /// Strikes a place, if it is there.
    pub fn remove_place(&mut self, added_at: Timestamp, id: &EntityId) {
        let key = (added_at, id.clone());
        self.postponed_places.remove(&key);
        if let Some(line) = self.places.remove(&key) {
            self.subtract(&line);
        }
    }

    /// Returns whether a place is part of the document.
    pub fn has_place(&self, place: &Entity) -> bool {
        self.places.contains_key(&(place.added_at, place.id.clone()))
    }

    fn add(&mut self, line: &Line) {
        self.lines += line.followed;
        *self.touched.entry(line.touched).or_default() += 1;
    }

    fn subtract(&mut self, line: &Line) {
        self.lines -= line.followed;
        if let Some(count) = self.touched.get_mut(&line.touched) {
            *count -= 1;
            if *count == 0 {
                self.touched.remove(&line.touched);
            }
        }
    }

    /// Counts the whole document, exactly.
    pub fn tokens(&self) -> TokenCount {
        let last_updated = self.touched.last_key_value().map(|(at, _)| *at);
        let border = |line: Option<&Line>| line.map(|line| (line.followed, line.last)).unwrap_or_default();
        let (fact_followed, fact_last) = border(self.facts.values().next_back());
        let (place_followed, place_last) = border(self.places.values().next_back());
        let lines = self.lines - fact_followed - place_followed + fact_last + place_last;
        let open = TokenCount::of(text::FACTS_OPEN) + TokenCount::of(text::PLACES_OPEN);
        let frame = lines + open + text::metadata_tokens(last_updated);
        let mut total = lines + open;
        // The count stands in the metadata that it counts: a few rounds settle it.
        for _ in 0..4 {
            let tokens = total.most();
            let totals = Totals {
                facts: self.facts.len(),
                active_facts: self.facts.len() - self.inactive.len(),
                places: self.places.len(),
                tokens,
            };
            total = frame + totals.tokens_beyond_zeros();
            if total.most() == tokens {
                break;
            }
        }
        total
    }

    /// Decides who must leave so that the document is within `cap`, and strikes them.
    pub fn make_room(&mut self, cap: usize) -> Leaving {
        let mut leaving = Leaving::default();
        while !self.tokens().fits(cap) {
            if let Some((learned_at, id)) = self.first_to_leave() {
                self.remove_fact(learned_at, id);
                leaving.facts.push((learned_at, id));
            } else if let Some((added_at, id)) = self.places.keys().next().cloned() {
                self.remove_place(added_at, &id);
                leaving.places.push((added_at, id));
            } else {
                break;
            }
        }
        leaving
    }

    /// The oldest of the inactive facts, or else of all.
    fn first_to_leave(&self) -> Option<(Timestamp, MemoryId)> {
        self.inactive.first().or(self.facts.keys().next()).copied()
    }

    /// Brings the document within `cap` where nothing can be written: who leaves is struck, and
    /// remembered for [`Ledger::take_postponed`].
    pub fn postpone_evictions(&mut self, cap: usize) {
        let leaving = self.make_room(cap);
        self.postponed_facts.extend(leaving.facts);
        self.postponed_places.extend(leaving.places);
    }

    /// Takes at most `limit` of those who left and are stored as part of the document nevertheless.
    pub fn take_postponed(&mut self, limit: usize) -> Leaving {
        let mut leaving = Leaving::default();
        while leaving.facts.len() < limit
            && let Some(fact) = self.postponed_facts.pop_first()
        {
            leaving.facts.push(fact);
        }
        while leaving.facts.len() + leaving.places.len() < limit
            && let Some(place) = self.postponed_places.pop_first()
        {
            leaving.places.push(place);
        }
        leaving
    }
}
