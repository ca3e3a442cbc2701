//! An answer and its score.

use recalld_index::rank::ScoreParts;

use crate::validity::Validity;

/// A hit with a smaller chance to answer is weak: it fills lists up, and enters no prompt by itself
/// (chosen on public sets, `docs/recall.md`).
pub const SCORE_FLOOR: f32 = 0.02;

/// An item that answers, and how well.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit<T> {
    pub item: T,
    /// From 0 to 1, comparable between kinds.
    pub score: f32,
    /// What the score is made of; none for items that are ranked by their words alone.
    pub parts: Option<ScoreParts>,
    /// Its place among the hits of its kind, from 1.
    pub rank: usize,
    /// When it holds, if it is a memory about something that has one value at a time.
    pub validity: Option<Validity>,
    /// Whether little more speaks for it than that there is room: no word and no nearness of
    /// meaning, or a chance below [`super::SCORE_FLOOR`].
    pub weak: bool,
}

impl<T> Hit<T> {
    /// The same hit with the item turned into something else.
    pub(super) fn map<U>(self, turn: impl FnOnce(T) -> U) -> Hit<U> {
        Hit {
            item: turn(self.item),
            score: self.score,
            parts: self.parts,
            rank: self.rank,
            validity: self.validity,
            weak: self.weak,
        }
    }
}

/// Numbers hits that are in their order, and cuts them off after `limit`.
pub(super) fn numbered<T>(mut hits: Vec<Hit<T>>, limit: usize) -> Vec<Hit<T>> {
    hits.truncate(limit);
    for (place, hit) in hits.iter_mut().enumerate() {
        hit.rank = place + 1;
    }
    hits
}
