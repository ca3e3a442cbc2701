//! Adds up what each entry scores, in a buffer that every thread keeps for the next search.

use std::cell::RefCell;

use super::entries::Entries;
use super::params::{Bm25, UNIT};
use super::plan::{Plan, RankQuery};
use super::postings::Postings;
use crate::text::TermKind;

/// The lexical scores of one query, by slot.
#[derive(Debug, Default)]
pub struct Scores {
    /// Zero for every slot that did not match, and everywhere between searches.
    by_slot: Vec<f32>,
    matched: Vec<u32>,
    /// The most that the query could have given.
    worth: f32,
}

thread_local! {
    static BUFFER: RefCell<Scores> = RefCell::default();
}

impl Scores {
    /// The slots that matched, in no particular order, with their scores.
    pub fn iter(&self) -> impl Iterator<Item = (u32, f32)> + '_ {
        self.matched
            .iter()
            .map(|&slot| (slot, self.by_slot[slot as usize]))
    }

    /// The score of a slot: zero if it did not match.
    pub fn get(&self, slot: u32) -> f32 {
        self.by_slot.get(slot as usize).copied().unwrap_or(0.0)
    }

    /// The scores of the first `slots` slots in their order: zero where one did not match.
    pub fn by_slot(&self, slots: usize) -> &[f32] {
        &self.by_slot[..slots]
    }

    /// How many slots matched.
    pub fn len(&self) -> usize {
        self.matched.len()
    }

    /// Whether none did.
    pub fn is_empty(&self) -> bool {
        self.matched.is_empty()
    }

    /// The most that an entry could have scored, had it held every word of the query many times
    /// over. An entry that holds each of them once comes to about half of it.
    pub fn worth(&self) -> f32 {
        self.worth
    }

    pub(super) fn with<R>(slots: u32, work: impl FnOnce(&mut Scores) -> R) -> R {
        // Taken out and put back, so that a search inside a search has a buffer of its own.
        let mut scores = BUFFER.with(RefCell::take);
        if scores.by_slot.len() < slots as usize {
            scores.by_slot.resize(slots as usize, 0.0);
        }
        let result = work(&mut scores);
        for slot in scores.matched.drain(..) {
            scores.by_slot[slot as usize] = 0.0;
        }
        BUFFER.set(scores);
        result
    }

    pub(super) fn add(&mut self, plan: &Plan, postings: &Postings, entries: &Entries, params: Bm25) {
        self.worth = plan.worth;
        for asked in &plan.asked {
            self.add_term(asked, postings, entries, params);
        }
        if entries.live() < entries.slots() as usize {
            let by_slot = &mut self.by_slot;
            self.matched.retain(|&slot| {
                let live = entries.get(slot).is_some();
                if !live {
                    by_slot[slot as usize] = 0.0;
                }
                live
            });
        }
        if let Some(bonus) = plan.whole_bonus {
            self.add_bonus(bonus, plan, postings, entries);
        }
    }

    fn add_term(&mut self, asked: &RankQuery, postings: &Postings, entries: &Entries, params: Bm25) {
        let lengths = entries.length_terms();
        let Bm25 { k1, b, .. } = params;
        let (mean, linearity) = (entries.length_term_mean(), entries.length_linearity());
        let base = k1 * (1.0 - b);
        let slope = (1.0 - linearity) * k1 * b / mean;
        let steeper = linearity * k1 * b / (mean * mean);
        for posting in postings.of(asked.term) {
            let slot = posting.slot as usize;
            let often = f32::from(posting.units) / UNIT as f32;
            let held_back = (slope + steeper * lengths[slot]) * lengths[slot];
            let part = asked.worth * often / (often + base + held_back);
            let score = &mut self.by_slot[slot];
            if *score == 0.0 {
                self.matched.push(posting.slot);
            }
            // A part too small for an f32 still counts as a match.
            *score += part.max(f32::MIN_POSITIVE);
        }
    }

    /// An entry holds the whole if it holds all its words, or the word in another spelling.
    fn add_bonus(&mut self, bonus: f32, plan: &Plan, postings: &Postings, entries: &Entries) {
        let holders = |asked: &RankQuery| postings.of(asked.term).iter().filter(|p| p.whole).map(|p| p.slot);
        let words: Vec<&RankQuery> = plan
            .asked
            .iter()
            .filter(|asked| asked.kind == TermKind::Word)
            .collect();
        let mut holding: Vec<u32> = match words.split_first() {
            Some((first, rest)) if words.len() == plan.words => {
                let mut all: Vec<u32> = holders(first).collect();
                for asked in rest {
                    let mut theirs = holders(asked).peekable();
                    all.retain(|slot| {
                        while theirs.next_if(|other| other < slot).is_some() {}
                        theirs.peek() == Some(slot)
                    });
                }
                all
            }
            _ => Vec::new(),
        };
        let aliases = plan.asked.iter().filter(|asked| asked.kind == TermKind::Alias);
        let in_order = holding.len();
        holding.extend(aliases.flat_map(holders));
        if in_order < holding.len() {
            holding.sort_unstable();
            holding.dedup();
        }
        for slot in holding {
            if entries.get(slot).is_some() {
                self.by_slot[slot as usize] += bonus;
            }
        }
    }
}
