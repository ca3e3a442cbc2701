//! Keeps the best few of many without sorting the rest.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::ops::Range;

use super::entries::Entry;
use crate::simd;

#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate<'a> {
    pub(super) score: f32,
    pub(super) time_ms: i64,
    pub(super) id: &'a str,
    pub(super) slot: u32,
}

impl<'a> Candidate<'a> {
    pub(super) fn new(slot: u32, score: f32, entry: &'a Entry) -> Candidate<'a> {
        Candidate {
            score,
            time_ms: entry.facets.time_ms,
            id: &entry.id,
            slot,
        }
    }
}

impl Ord for Candidate<'_> {
    /// The best first: the highest score, then the newest, then by id.
    fn cmp(&self, other: &Self) -> Ordering {
        let better = other.score.total_cmp(&self.score);
        better
            .then_with(|| other.time_ms.cmp(&self.time_ms))
            .then_with(|| self.id.cmp(other.id))
    }
}

impl PartialEq for Candidate<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Candidate<'_> {}

impl PartialOrd for Candidate<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The best of those that came. The worst of them is at hand, so what is no better is turned away
/// at a glance.
#[derive(Debug)]
pub(super) struct Top<'a> {
    limit: usize,
    kept: BinaryHeap<Candidate<'a>>,
    /// What comes with less than this is not among the best.
    score_min: f32,
}

/// Room for so many is made beforehand: more than most searches ask for.
const ROOM_MAX: usize = 64;

impl<'a> Top<'a> {
    pub(super) fn of(limit: usize) -> Top<'a> {
        Top {
            limit,
            kept: BinaryHeap::with_capacity(limit.min(ROOM_MAX)),
            score_min: match limit {
                0 => f32::INFINITY,
                _ => f32::NEG_INFINITY,
            },
        }
    }

    /// Whether a candidate with this score may be among the best; cheap, and right when it says no.
    pub(super) fn could_take(&self, score: f32) -> bool {
        score >= self.score_min
    }

    pub(super) fn push(&mut self, candidate: Candidate<'a>) {
        if self.kept.len() < self.limit {
            self.kept.push(candidate);
        } else if let Some(mut worst) = self.kept.peek_mut()
            && candidate < *worst
        {
            *worst = candidate;
        }
        if self.kept.len() == self.limit {
            self.score_min = self.kept.peek().map_or(f32::INFINITY, |worst| worst.score);
        }
    }

    /// The slots of the best with their scores, the best first.
    pub(super) fn into_slots(self) -> Vec<(u32, f32)> {
        let best = self.kept.into_sorted_vec().into_iter();
        best.map(|kept| (kept.slot, kept.score)).collect()
    }
}

/// Some slots beside each other, and the highest of their figures.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) highest: f32,
    pub(super) slots: Range<usize>,
}

/// So many slots are looked at together.
const BLOCK_SLOTS: usize = 64;

/// Cuts figures by slot into blocks, the one with the highest figure first. Those with nothing but
/// minus infinity are left out.
pub(super) fn blocks(by_slot: &[f32]) -> Vec<Block> {
    let all = by_slot.chunks(BLOCK_SLOTS).enumerate().map(|(place, some)| {
        let start = place * BLOCK_SLOTS;
        Block {
            highest: simd::highest(some),
            slots: start..start + some.len(),
        }
    });
    let mut blocks = Vec::with_capacity(by_slot.len().div_ceil(BLOCK_SLOTS));
    blocks.extend(all.filter(|block| block.highest != f32::NEG_INFINITY));
    blocks.sort_unstable_by(|a: &Block, b| b.highest.total_cmp(&a.highest));
    blocks
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// It keeps what sorting all would put first.
        #[test]
        fn the_best_are_kept_in_their_order(
            scores in prop::collection::vec(0..20u8, 0..200),
            limit in 0..30usize,
        ) {
            let ids: Vec<String> = (0..scores.len()).map(|n| format!("{n:03}")).collect();
            let candidate = |place: usize| Candidate {
                score: f32::from(scores[place]),
                time_ms: i64::from(scores[place] % 3),
                id: &ids[place],
                slot: place as u32,
            };
            let mut all: Vec<Candidate> = (0..scores.len()).map(candidate).collect();
            let mut top = Top::of(limit);
            for one in &all {
                if top.could_take(one.score) {
                    top.push(*one);
                }
            }
            all.sort();
            let best = all[..limit.min(all.len())].iter().map(|one| (one.slot, one.score));
            prop_assert_eq!(top.into_slots(), best.collect::<Vec<_>>());
        }
    }

    #[test]
    fn blocks_come_by_their_highest_figure() {
        let mut figures = vec![f32::NEG_INFINITY; 3 * BLOCK_SLOTS + 5];
        figures[BLOCK_SLOTS - 1] = 0.5;
        figures[2 * BLOCK_SLOTS + 17] = 0.7;
        figures[3 * BLOCK_SLOTS + 4] = 0.6;
        let blocks = blocks(&figures);
        let told: Vec<(f32, usize, usize)> = blocks
            .iter()
            .map(|block| (block.highest, block.slots.start, block.slots.len()))
            .collect();
        let at = |place| place * BLOCK_SLOTS;
        assert_eq!(
            told,
            [
                (0.7, at(2), BLOCK_SLOTS),
                (0.6, at(3), 5),
                (0.5, at(0), BLOCK_SLOTS)
            ]
        );
    }
}
