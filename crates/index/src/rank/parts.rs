//! Puts a score together from its parts.

use super::{CONFIDENCE_MAX, RECENCY_MAX, RERANK_WEIGHT, ScoreParts, TIME_MAX};
use crate::fusion;

/// The logarithm of the odds that an entry with a product of 1 answers, and how much it falls with
/// the logarithm of the product. Fitted on questions of seven public sets
/// (`tools/calibration/fit.py`).
const LOG_ODDS_AT_ONE: f32 = 1.2;
const LOG_ODDS_SLOPE: f32 = 2.0;

/// Turns the product of mean and factors into the chance that an entry answers: 0.5 means even
/// odds. Monotone, so that it changes no order.
pub fn calibrated(product: f32) -> f32 {
    if product <= 0.0 {
        return 0.0;
    }
    let log_odds = LOG_ODDS_AT_ONE + LOG_ODDS_SLOPE * product.ln();
    (1.0 + (-log_odds).exp()).recip()
}

impl ScoreParts {
    /// Puts the parts together: the mean of both arms, times every factor, brought to a chance; and
    /// mixed with the second look, if there was one.
    pub fn score(&self) -> f32 {
        let first = calibrated(self.product());
        match self.reranked {
            Some(second) => (1.0 - RERANK_WEIGHT) * first + RERANK_WEIGHT * second,
            None => first,
        }
    }

    fn mean(&self) -> f32 {
        let words = self.words.map_or(0.0, |arm| arm.share);
        fusion::mean(self.weights, words, self.meaning.map(|arm| arm.share))
    }

    /// The mean of both arms, times every factor but the last: what entries are ordered by.
    pub(super) fn product(&self) -> f32 {
        let factors = self.uncalibrated().into_iter();
        factors.fold(self.mean(), |score, (_, factor)| score * factor)
    }

    /// Gives what the mean is multiplied by, each with its name. `scale` keeps the product within
    /// 1, and `calibration` makes a chance of it.
    pub fn factors(&self) -> [(&'static str, f32); 7] {
        let product = self.product();
        let calibration = match 0.0 < product {
            true => calibrated(product) / product,
            false => 1.0,
        };
        let [recency, confidence, time, author, evidence, scale] = self.uncalibrated();
        [
            recency,
            confidence,
            time,
            author,
            evidence,
            scale,
            ("calibration", calibration),
        ]
    }

    fn uncalibrated(&self) -> [(&'static str, f32); 6] {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_keep_the_order_and_stay_within_their_span() {
        let products = [0.0, 1e-30, 1e-6, 0.01, 0.1, 0.3, 0.51, 0.9, 1.0];
        let chances = products.map(calibrated);
        assert!(chances.is_sorted() && chances.iter().all(|chance| (0.0..1.0).contains(chance)));
        assert_eq!(chances[0], 0.0);
    }
}
