//! Keeps the best few of many without sorting the rest.

use std::cmp::Ordering;

use super::entries::Entry;

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

    /// The best first: the highest score, then the newest, then by id.
    fn order(&self, other: &Candidate<'_>) -> Ordering {
        let better = other.score.total_cmp(&self.score);
        better
            .then_with(|| other.time_ms.cmp(&self.time_ms))
            .then_with(|| self.id.cmp(other.id))
    }
}

/// The best of those that came, and some more: once twice as many are there as are wanted, the worse half is let go. That costs
/// a few comparisons for each that comes, where a heap would take the logarithm of what it holds.
#[derive(Debug)]
pub(super) struct Top<'a> {
    limit: usize,
    kept: Vec<Candidate<'a>>,
    /// What comes with less than this is not among the best.
    score_min: f32,
}

impl<'a> Top<'a> {
    pub(super) fn of(limit: usize) -> Top<'a> {
        Top {
            limit,
            kept: Vec::new(),
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
        self.kept.push(candidate);
        if self.limit.saturating_mul(2) <= self.kept.len() {
            self.let_go();
            self.score_min = self.kept.last().map_or(f32::INFINITY, |worst| worst.score);
        }
    }

    /// Leaves the best, the worst of them last.
    fn let_go(&mut self) {
        if self.limit < self.kept.len() {
            if let Some(worst) = self.limit.checked_sub(1) {
                self.kept.select_nth_unstable_by(worst, Candidate::order);
            }
            self.kept.truncate(self.limit);
        }
    }

    /// The slots of the best with their scores, the best first.
    pub(super) fn into_slots(mut self) -> Vec<(u32, f32)> {
        self.let_go();
        self.kept.sort_unstable_by(Candidate::order);
        let slots = self.kept.iter().map(|kept| (kept.slot, kept.score));
        slots.collect()
    }
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
            all.sort_by(Candidate::order);
            let best = all[..limit.min(all.len())].iter().map(|one| (one.slot, one.score));
            prop_assert_eq!(top.into_slots(), best.collect::<Vec<_>>());
        }
    }
}
