//! Makes one score of what the two arms of a search say of an entry.
//!
//! Each arm's scores are brought to the span from 0 to 1 and averaged by what the arm is worth for
//! this query. Compared on public sets with fusion of ranks and with a plain mean
//! (`docs/recall.md`): ranks throw away how much better the best is, and a plain mean gives half
//! the vote to an arm that has nothing to say.

use crate::simd::within;

/// What the two arms are worth for one query. The sum is 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    pub words: f32,
    pub meaning: f32,
}

/// The least weight of meaning where the model understands the query: beside words that hit well.
const MEANING_MIN: f32 = 0.25;
/// What is added when the words hit nothing.
const MEANING_MORE: f32 = 0.3;
/// The best entry's share of the query's worth from which on the words hit well.
const STRONG_HIT: f32 = 0.2;
/// A model that understands less of a query than this says nothing about it.
const UNDERSTOOD_MIN: f32 = 0.25;
/// A model that understands this much of a query has its full vote.
const UNDERSTOOD_WELL: f32 = 0.75;

impl Weights {
    /// Only words count.
    pub const WORDS: Weights = Weights {
        words: 1.0,
        meaning: 0.0,
    };

    /// Only meaning counts.
    pub const MEANING: Weights = Weights {
        words: 0.0,
        meaning: 1.0,
    };

    /// Both count the same.
    pub const EVEN: Weights = Weights {
        words: 0.5,
        meaning: 0.5,
    };

    /// Weighs the arms: meaning the more, the less of the query the best entry holds (`hit`, from 0
    /// to 1), and the less, the less of the query the model understands. `strength` is 1 for the
    /// built-in model, and more for a better one.
    pub fn of(hit: f32, understanding: f32, strength: f32) -> Weights {
        let weak = 1.0 - (hit / STRONG_HIT).clamp(0.0, 1.0);
        let understood = (understanding - UNDERSTOOD_MIN) / (UNDERSTOOD_WELL - UNDERSTOOD_MIN);
        let meaning = (MEANING_MIN + MEANING_MORE * weak) * understood.clamp(0.0, 1.0) * strength;
        // NaN gets no vote.
        let meaning = if meaning.is_finite() {
            meaning.clamp(0.0, 1.0)
        } else {
            0.0
        };
        Weights {
            words: 1.0 - meaning,
            meaning,
        }
    }
}

/// Brings the scores of both arms to the span from 0 to 1. Made once a search: entries are many,
/// and divisions slow.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scales {
    words: f32,
    words_best: f32,
    cosine_mean: f32,
    /// None where all are alike.
    meaning: Option<f32>,
    cosine_best: f32,
}

impl Scales {
    pub(super) fn new(words_best: f32, cosine_mean: f32, cosine_best: f32) -> Scales {
        let spread = cosine_best - cosine_mean;
        Scales {
            words: if words_best > 0.0 { words_best.recip() } else { 0.0 },
            words_best,
            cosine_mean,
            meaning: (SPREAD_MIN <= spread).then(|| spread.recip()),
            cosine_best,
        }
    }

    /// A lexical score as a share of the best one.
    #[inline]
    pub(super) fn words(&self, score: f32) -> f32 {
        match 0.0 < score && self.words_best <= score {
            true => 1.0,
            false => (score * self.words).clamp(0.0, 1.0),
        }
    }

    /// Where a cosine stands between that of an entry as any other (0) and the best one (1). What
    /// is below any other counts as such.
    #[inline]
    pub(super) fn meaning(&self, cosine: f32) -> f32 {
        match self.meaning {
            Some(scale) if cosine < self.cosine_best => ((cosine - self.cosine_mean) * scale).clamp(0.0, 1.0),
            // If all scores are equal, the best is still the best.
            _ if cosine >= self.cosine_best => 1.0,
            _ => 0.0,
        }
    }

    /// Prepares [`Ceiling::mean`].
    pub(super) fn ceiling(&self, weights: Weights) -> Ceiling {
        Ceiling {
            words: self.words,
            cosine_mean: self.cosine_mean,
            meaning: self.meaning.unwrap_or(0.0),
            meaning_min: if self.meaning.is_some() { 0.0 } else { 1.0 },
            weights,
        }
    }
}

/// What the mean of both shares does not exceed but for rounding: a straight line without a branch,
/// so that it is worked out for several entries at a time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ceiling {
    words: f32,
    cosine_mean: f32,
    meaning: f32,
    /// Where all are alike, each might be the best.
    meaning_min: f32,
    weights: Weights,
}

impl Ceiling {
    /// A cosine of minus infinity stands for none.
    #[inline]
    pub(super) fn mean(self, words: f32, cosine: f32) -> f32 {
        let words = within(words * self.words, 0.0, 1.0);
        let meaning = within((cosine - self.cosine_mean) * self.meaning, self.meaning_min, 1.0);
        let meaning = if cosine == f32::NEG_INFINITY {
            words
        } else {
            meaning
        };
        self.weights.words * words + self.weights.meaning * meaning
    }
}

/// What a place in a list is worth, as reciprocal rank fusion has it: 1 for the first, half as much
/// for the sixty-second.
pub(super) fn place_share(rank: Option<usize>) -> f32 {
    const SMOOTHING: f32 = 60.0;
    rank.map_or(0.0, |rank| (SMOOTHING + 1.0) / (SMOOTHING + rank as f32))
}

const SPREAD_MIN: f32 = 1e-6;

/// The mean of both. An entry that has no vector is judged by its words alone.
pub(super) fn mean(weights: Weights, words: f32, meaning: Option<f32>) -> f32 {
    weights.words * words + weights.meaning * meaning.unwrap_or(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meaning_counts_more_when_words_hit_little() {
        let strong = Weights::of(0.5, 1.0, 1.0);
        let weak = Weights::of(0.02, 1.0, 1.0);
        assert!(strong.meaning < weak.meaning && weak.meaning <= 0.7);
        assert!(
            strong.words > strong.meaning,
            "a word that hits is the better evidence"
        );
    }

    #[test]
    fn what_a_model_does_not_know_does_not_vote() {
        assert_eq!(Weights::of(0.0, 0.0, 1.0), Weights::WORDS);
        assert_eq!(Weights::of(f32::NAN, f32::NAN, 1.0), Weights::WORDS);
        assert!(Weights::of(0.1, 0.5, 1.0).meaning < Weights::of(0.1, 0.9, 1.0).meaning);
    }

    #[test]
    fn shares_are_within_their_span() {
        assert_eq!(Scales::new(0.0, 0.0, 0.0).words(0.0), 0.0);
        assert_eq!(Scales::new(4.0, 0.0, 0.0).words(2.0), 0.5);
        let scales = Scales::new(1.0, 0.1, 0.7);
        assert!((scales.meaning(0.4) - 0.5).abs() < 1e-6);
        assert_eq!(scales.meaning(-0.3), 0.0);
        assert_eq!(scales.meaning(0.7), 1.0);
        assert_eq!(Scales::new(1.0, 0.5, 0.5).meaning(0.5), 1.0);
    }

    #[test]
    fn the_ceiling_is_not_below_the_mean() {
        let weights = Weights::of(0.1, 1.0, 1.0);
        for scales in [
            Scales::new(3.0, 0.1, 0.7),
            Scales::new(0.0, 0.2, 0.2),
            Scales::new(0.7, -0.3, 0.9),
        ] {
            for words in [0.0, 0.1, 0.7, 1.0].map(|share| share * scales.words_best) {
                for cosine in [None, Some(-1.0), Some(0.2), Some(0.5), Some(0.7), Some(1.0)] {
                    let exact = mean(
                        weights,
                        scales.words(words),
                        cosine.map(|cosine| scales.meaning(cosine)),
                    );
                    let most = scales
                        .ceiling(weights)
                        .mean(words, cosine.unwrap_or(f32::NEG_INFINITY));
                    assert!(exact <= most * (1.0 + 1e-6), "{words} {cosine:?}: {exact} {most}");
                }
            }
        }
    }

    #[test]
    fn an_entry_without_a_vector_is_judged_by_its_words() {
        let weights = Weights::of(1.0, 1.0, 1.0);
        assert!((mean(weights, 0.8, None) - 0.8).abs() < 1e-6);
    }
}
