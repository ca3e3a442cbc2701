//! Puts a score together from its parts.

use super::{CONFIDENCE_MAX, RECENCY_MAX, RERANK_WEIGHT, ScoreParts, TIME_MAX};
use crate::fusion;

impl ScoreParts {
    /// Puts the parts together: the mean of both arms, times every factor; and mixed with the
    /// second look, if there was one.
    pub fn score(&self) -> f32 {
        let words = self.words.map_or(0.0, |arm| arm.share);
        let mean = fusion::mean(self.weights, words, self.meaning.map(|arm| arm.share));
        let first = self
            .factors()
            .into_iter()
            .fold(mean, |score, (_, factor)| score * factor);
        match self.reranked {
            Some(second) => (1.0 - RERANK_WEIGHT) * first + RERANK_WEIGHT * second,
            None => first,
        }
    }

    /// Gives what the mean is multiplied by, each with its name. `scale` keeps the product within
    /// 1.
    pub fn factors(&self) -> [(&'static str, f32); 6] {
        let most = (1.0 + RECENCY_MAX) * (1.0 + CONFIDENCE_MAX) * (1.0 + TIME_MAX);
        [
            ("recency", self.recency),
            ("confidence", self.confidence),
            ("time", self.time),
            ("author", self.author),
            ("evidence", self.evidence),
            ("scale", most.recip()),
        ]
    }
}
