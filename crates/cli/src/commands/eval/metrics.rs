//! The metrics of a ranking: how much of what should be found is found, and at which rank.

use std::collections::HashMap;

/// The metrics of one query.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Measures {
    pub(crate) ndcg_10: f64,
    pub(crate) mrr: f64,
    pub(crate) recall_10: f64,
    /// Whether anything was found among the first so many of [`DEPTHS`].
    pub(crate) recall_any: [f64; DEPTHS.len()],
    /// Whether everything was found among them.
    pub(crate) recall_all: [f64; DEPTHS.len()],
}

/// The ranks up to which results count.
pub(crate) const DEPTHS: [usize; 4] = [1, 3, 5, 10];

/// The rank up to which the first correct result counts.
pub(crate) const LIST: usize = 100;

impl Measures {
    /// Measures a ranked list against the gains of what should be found, all of them positive.
    pub(crate) fn of(ranked: &[&str], gains: &HashMap<&str, f64>) -> Measures {
        let right = |depth: usize| {
            ranked
                .iter()
                .take(depth)
                .filter(|id| gains.contains_key(*id))
                .count()
        };
        let first = ranked.iter().take(LIST).position(|id| gains.contains_key(id));
        Measures {
            ndcg_10: ndcg(ranked, gains, 10),
            mrr: first.map_or(0.0, |place| 1.0 / (place + 1) as f64),
            recall_10: right(10) as f64 / gains.len().max(1) as f64,
            recall_any: DEPTHS.map(|depth| f64::from(u8::from(right(depth) > 0))),
            recall_all: DEPTHS.map(|depth| f64::from(u8::from(right(depth) == gains.len()))),
        }
    }

    /// Returns the mean of many; zeros for none.
    pub(crate) fn mean<'a>(all: impl Iterator<Item = &'a Measures>) -> Measures {
        let (mut sum, mut count) = (Measures::default(), 0usize);
        for one in all {
            sum.ndcg_10 += one.ndcg_10;
            sum.mrr += one.mrr;
            sum.recall_10 += one.recall_10;
            for at in 0..DEPTHS.len() {
                sum.recall_any[at] += one.recall_any[at];
                sum.recall_all[at] += one.recall_all[at];
            }
            count += 1;
        }
        let share = 1.0 / count.max(1) as f64;
        sum.ndcg_10 *= share;
        sum.mrr *= share;
        sum.recall_10 *= share;
        sum.recall_any.iter_mut().for_each(|value| *value *= share);
        sum.recall_all.iter_mut().for_each(|value| *value *= share);
        sum
    }
}

/// The gain of a list, discounted by the logarithm of the place, as a share of the best possible.
fn ndcg(ranked: &[&str], gains: &HashMap<&str, f64>, depth: usize) -> f64 {
    let discount = |place: usize| 1.0 / ((place + 2) as f64).log2();
    let gained: f64 = ranked
        .iter()
        .take(depth)
        .enumerate()
        .filter_map(|(place, id)| Some(gains.get(id)? * discount(place)))
        .sum();
    let mut best: Vec<f64> = gains.values().copied().collect();
    best.sort_by(|a, b| b.total_cmp(a));
    let ideal: f64 = best
        .iter()
        .take(depth)
        .enumerate()
        .map(|(place, gain)| gain * discount(place))
        .sum();
    if ideal > 0.0 { gained / ideal } else { 0.0 }
}

/// Spearman's rank correlation: that of the ranks, ties sharing theirs. None of fewer than two, or
/// where all are equal.
pub(crate) fn spearman(a: &[f64], b: &[f64]) -> Option<f64> {
    if a.len() != b.len() || a.len() < 2 {
        return None;
    }
    let (a, b) = (ranks(a), ranks(b));
    let mean = (a.len() as f64 + 1.0) / 2.0;
    let product =
        |x: &[f64], y: &[f64]| -> f64 { x.iter().zip(y).map(|(x, y)| (x - mean) * (y - mean)).sum() };
    let scale = (product(&a, &a) * product(&b, &b)).sqrt();
    (scale > 0.0).then(|| product(&a, &b) / scale)
}

fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut ranks = vec![0.0; values.len()];
    let mut at = 0;
    while at < order.len() {
        let same = order[at..]
            .iter()
            .take_while(|i| values[**i] == values[order[at]])
            .count();
        let shared = (2 * at + same + 1) as f64 / 2.0;
        order[at..at + same].iter().for_each(|i| ranks[*i] = shared);
        at += same;
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gains<'a>(of: &[(&'a str, f64)]) -> HashMap<&'a str, f64> {
        of.iter().copied().collect()
    }

    #[test]
    fn a_perfect_list_is_worth_one() {
        let measures = Measures::of(&["a", "b", "x"], &gains(&[("a", 1.0), ("b", 1.0)]));
        assert_eq!(
            (measures.ndcg_10, measures.mrr, measures.recall_10),
            (1.0, 1.0, 1.0)
        );
        assert_eq!(measures.recall_any, [1.0; 4]);
        assert_eq!(measures.recall_all, [0.0, 1.0, 1.0, 1.0]);
    }

    #[test]
    fn what_comes_later_is_worth_less() {
        let found = Measures::of(&["x", "a"], &gains(&[("a", 1.0)]));
        assert!((found.ndcg_10 - 1.0 / 3f64.log2()).abs() < 1e-12);
        assert_eq!(found.mrr, 0.5);
        let late: Vec<String> = (0..10).map(|n| n.to_string()).chain(["a".to_owned()]).collect();
        let late: Vec<&str> = late.iter().map(String::as_str).collect();
        assert_eq!(Measures::of(&late, &gains(&[("a", 1.0)])).ndcg_10, 0.0);
    }

    #[test]
    fn a_higher_gain_should_come_first() {
        let gains = gains(&[("a", 3.0), ("b", 1.0)]);
        assert_eq!(Measures::of(&["a", "b"], &gains).ndcg_10, 1.0);
        assert!(Measures::of(&["b", "a"], &gains).ndcg_10 < 1.0);
    }

    #[test]
    fn nothing_found_is_worth_nothing() {
        assert_eq!(Measures::of(&[], &gains(&[("a", 1.0)])), Measures::default());
        assert_eq!(Measures::mean([].iter()), Measures::default());
    }

    #[test]
    fn correlation_is_that_of_ranks() {
        assert_eq!(spearman(&[1.0, 2.0, 3.0], &[10.0, 100.0, 1000.0]), Some(1.0));
        assert_eq!(spearman(&[1.0, 2.0, 3.0], &[3.0, 2.0, 1.0]), Some(-1.0));
        assert_eq!(ranks(&[5.0, 1.0, 5.0]), [2.5, 1.0, 2.5]);
        assert_eq!(spearman(&[1.0, 1.0], &[1.0, 2.0]), None);
        assert_eq!(spearman(&[1.0], &[1.0]), None);
    }
}
