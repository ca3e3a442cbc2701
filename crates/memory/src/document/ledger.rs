//! The running token account of a memory document, and who leaves it when the cap is reached.

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::text::{self, Totals};
use crate::entity::Entity;
use crate::id::{EntityId, MemoryId};
use crate::memory::Memory;
use crate::text::tokens::TokenCount;

/// What each line of the document costs, and what they cost together.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    facts: BTreeMap<(Timestamp, MemoryId), Line>,
    places: BTreeMap<(Timestamp, EntityId), Line>,
    active_facts: usize,
    /// The sum over all lines as if another line followed each.
    lines: TokenCount,
}

/// The cost of one line: when another follows it, and when it is the last.
#[derive(Clone, Copy, Debug)]
struct Line {
    followed: TokenCount,
    last: TokenCount,
    active: bool,
    /// When the fact or place last changed.
    touched: Timestamp,
}

impl Line {
    fn of(line: &str, active: bool, touched: Timestamp) -> Line {
        // A line ends in a letter and signs, between which no token reaches: what comes before the signs is counted once.
        let said = line.trim_end_matches(['"', '}']);
        let signs = &line[said.len()..];
        let said = TokenCount::of(said);
        Line {
            followed: said + TokenCount::of(&format!("{signs},\n")),
            last: said + TokenCount::of(&format!("{signs}\n")),
            active,
            touched,
        }
    }
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
        self.facts.insert((fact.learned_at, fact.id), line);
    }

    /// Strikes a fact, if it is there.
    pub fn remove_fact(&mut self, learned_at: Timestamp, id: MemoryId) {
        if let Some(line) = self.facts.remove(&(learned_at, id)) {
            self.lines -= line.followed;
            self.active_facts -= usize::from(line.active);
        }
    }

    /// Enters a place, or its new state.
    pub fn put_place(&mut self, place: &Entity) {
        self.remove_place(place.added_at, &place.id);
        let line = Line::of(&text::place_line(place), true, place.touched_at());
        self.lines += line.followed;
        self.places.insert((place.added_at, place.id.clone()), line);
    }

    /// Strikes a place, if it is there.
    pub fn remove_place(&mut self, added_at: Timestamp, id: &EntityId) {
        if let Some(line) = self.places.remove(&(added_at, id.clone())) {
            self.lines -= line.followed;
        }
    }

    /// Counts the whole document, exactly.
    pub fn tokens(&self) -> TokenCount {
        let last_updated = self
            .facts
            .values()
            .chain(self.places.values())
            .map(|line| line.touched)
            .max();
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
            let inactive = self
                .facts
                .iter()
                .find(|(_, line)| !line.active)
                .map(|(key, _)| *key);
            let oldest = || self.facts.keys().next().copied();
            if let Some((learned_at, id)) = inactive.or_else(oldest) {
                self.remove_fact(learned_at, id);
                leaving.facts.push(id);
            } else if let Some((added_at, id)) = self.places.keys().next().cloned() {
                self.remove_place(added_at, &id);
                leaving.places.push(id);
            } else {
                break;
            }
        }
        leaving
    }
}
