//! Keeps the best few of many without sorting the rest.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::sync::Arc;

#[derive(Debug)]
pub(super) struct Candidate<'a> {
    pub(super) score: f32,
    pub(super) time_ms: i64,
    pub(super) id: &'a Arc<str>,
    pub(super) slot: u32,
}

/// The smaller candidate is the better one: a heap then has the worst on top.
impl Ord for Candidate<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        let better = other.score.total_cmp(&self.score);
        better
            .then_with(|| other.time_ms.cmp(&self.time_ms))
            .then_with(|| self.id.cmp(other.id))
    }
}

impl PartialOrd for Candidate<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Candidate<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Candidate<'_> {}

#[derive(Debug)]
pub(super) struct Top<'a> {
    limit: usize,
    heap: BinaryHeap<Candidate<'a>>,
}

impl<'a> Top<'a> {
    pub(super) fn of(limit: usize) -> Top<'a> {
        Top {
            limit,
            heap: BinaryHeap::new(),
        }
    }

    /// Whether a candidate with this score may be among the best; cheap, and right when it says no.
    pub(super) fn could_take(&self, score: f32) -> bool {
        self.limit > 0
            && (self.heap.len() < self.limit || self.heap.peek().is_none_or(|worst| score >= worst.score))
    }

    pub(super) fn takes(&self, candidate: &Candidate) -> bool {
        self.heap.len() < self.limit || self.heap.peek().is_some_and(|worst| candidate < worst)
    }

    pub(super) fn push(&mut self, candidate: Candidate<'a>) {
        if self.heap.len() == self.limit {
            self.heap.pop();
        }
        self.heap.push(candidate);
    }

    /// The best first.
    pub(super) fn into_sorted(self) -> Vec<Candidate<'a>> {
        self.heap.into_sorted_vec()
    }
}
