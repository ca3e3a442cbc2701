//! The running token account of a memory document, and who leaves it when the cap is reached.

use jiff::Timestamp;
use recalld_index::text::tokens::TokenCount;

use super::lines::{Line, Lines};
use super::text::{self, Totals};
use crate::entity::Entity;
use crate::id::{EntityId, MemoryId};
use crate::memory::Memory;

/// What each line of the document costs, and what they cost together.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    facts: Lines<MemoryId>,
    places: Lines<EntityId>,
    active_facts: usize,
    /// The sum over all lines as if another line followed each.
    lines: TokenCount,
}

/// Who leaves the document so that it fits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Leaving {
    /// Inactive facts first, then the oldest.
    pub facts: Vec<MemoryId>,
    /// Only when no fact is left: the oldest places.
    pub places: Vec<EntityId>,
}

impl Ledger {
    /// Enters a fact, or its new state.
    pub fn put_fact(&mut self, fact: &Memory) {
        self.remove_fact(fact.learned_at, fact.id);
        let line = Line::of(&text::fact_line(fact), fact.is_active(), fact.revised_at);
        self.lines += line.followed;
        self.active_facts += usize::from(line.active);
        self.facts.put(fact.learned_at, fact.id, line);
    }

    /// Strikes a fact, if it is there.
    pub fn remove_fact(&mut self, learned_at: Timestamp, id: MemoryId) {
        if let Some(line) = self.facts.remove(learned_at, &id) {
            self.lines -= line.followed;
            self.active_facts -= usize::from(line.active);
        }
    }

    /// Enters a place, or its new state.
    pub fn put_place(&mut self, place: &Entity) {
        self.remove_place(place.added_at, &place.id);
        let line = Line::of(&text::place_line(place), true, place.touched_at());
        self.lines += line.followed;
        self.places.put(place.added_at, place.id.clone(), line);
    }

    /// Strikes a place, if it is there.
    pub fn remove_place(&mut self, added_at: Timestamp, id: &EntityId) {
        if let Some(line) = self.places.remove(added_at, id) {
            self.lines -= line.followed;
        }
    }

    /// Counts the whole document, exactly.
    pub fn tokens(&self) -> TokenCount {
        let facts = self.facts.iter().map(|(_, _, line)| line.touched);
        let places = self.places.iter().map(|(_, _, line)| line.touched);
        let last_updated = facts.chain(places).max();
        let border = |line: Option<&Line>| line.map(|line| (line.followed, line.last)).unwrap_or_default();
        let (fact_followed, fact_last) = border(self.facts.last());
        let (place_followed, place_last) = border(self.places.last());
        let lines = self.lines - fact_followed - place_followed + fact_last + place_last;
        let open = TokenCount::of(text::FACTS_OPEN) + TokenCount::of(text::PLACES_OPEN);
        let frame = lines + open + text::metadata_tokens(last_updated);
        let mut total = lines + open;
        // The count stands in the metadata that it counts: a few rounds settle it.
        for _ in 0..4 {
            let tokens = total.most();
            let totals = Totals {
                facts: self.facts.len(),
                active_facts: self.active_facts,
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
                leaving.facts.push(id);
            } else if let Some((added_at, id)) = self.oldest_place() {
                self.remove_place(added_at, &id);
                leaving.places.push(id);
            } else {
                break;
            }
        }
        leaving
    }

    fn oldest_place(&self) -> Option<(Timestamp, EntityId)> {
        let (added_at, id, _) = self.places.iter().next()?;
        Some((added_at, id.clone()))
    }

    /// The oldest of the inactive facts, or else of all.
    fn first_to_leave(&self) -> Option<(Timestamp, MemoryId)> {
        let all_active = self.active_facts == self.facts.len();
        let mut leaving = self
            .facts
            .iter()
            .filter(|(_, _, line)| all_active || !line.active);
        leaving.next().map(|(learned_at, id, _)| (learned_at, *id))
    }
}
