//! What the rollout is judged by: figures of each arm, with how sure they are.

use std::collections::BTreeMap;

use parking_lot::Mutex;

use super::mode::Choice;
use crate::agent_loop::Outcome;

/// A figure with the interval in which it lies with 95 percent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

/// Of a normal distribution, so many deviations to each side hold 95 percent.
const Z: f64 = 1.959_964;

impl Interval {
    /// Of a share: `some` of `all`, after Wilson. None when there are none.
    pub fn of_share(some: u64, all: u64) -> Option<Interval> {
        if all == 0 {
            return None;
        }
        let (n, p) = (all as f64, some as f64 / all as f64);
        let scale = 1.0 + Z * Z / n;
        let middle = (p + Z * Z / (2.0 * n)) / scale;
        let half = Z / scale * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
        Some(Interval {
            value: p,
            low: (middle - half).max(0.0),
            high: (middle + half).min(1.0),
        })
    }
}

/// Adds up measurements.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sum {
    count: u64,
    sum: f64,
    squares: f64,
}

impl Sum {
    fn add(&mut self, value: f64) {
        self.count += 1;
        self.sum += value;
        self.squares += value * value;
    }

    /// Gives the sum of all measurements.
    pub fn total(&self) -> f64 {
        self.sum
    }

    /// Gives the mean. None when nothing was measured.
    pub fn mean(&self) -> Option<Interval> {
        if self.count == 0 {
            return None;
        }
        let n = self.count as f64;
        let mean = self.sum / n;
        let variance = (self.squares / n - mean * mean).max(0.0) * n / (n - 1.0).max(1.0);
        let half = Z * (variance / n).sqrt();
        Some(Interval {
            value: mean,
            low: mean - half,
            high: mean + half,
        })
    }
}

/// The figures of one arm.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ArmMetrics {
    pub messages: u64,
    pub conversations: u64,
    /// Messages that called a tool.
    pub with_calls: u64,
    pub calls: u64,
    /// Calls by category of context.
    pub categories: BTreeMap<String, u64>,
    /// Calls that found nothing.
    pub misses: u64,
    /// Calls that tell whether they found something.
    pub look_ups: u64,
    /// Look-ups that found something, whose use was judged by the reply.
    pub judged: u64,
    /// Those whose result the reply uses.
    pub needed: u64,
    /// Replies after which the user went on.
    pub followed: u64,
    /// Replies for which a tool failed.
    pub fell_back: u64,
    /// Replies without memory.
    pub memory_off: u64,
    pub first_word_ms: Sum,
    pub tokens_in: Sum,
    pub tokens_out: Sum,
    /// Questions to the store before the model was asked.
    pub queries: Sum,
}

/// What conversation mode would have done, while the rollout only watches.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Shadow {
    pub messages: u64,
    /// It would have called a tool.
    pub would_call: u64,
    /// The tokens of the prompt that it would have saved.
    pub tokens_saved: Sum,
}

/// All figures of this process since its start.
#[derive(Debug, Default)]
pub struct RolloutMetrics {
    arms: Mutex<BTreeMap<String, ArmMetrics>>,
    shadow: Mutex<Shadow>,
}

/// What is counted of one message.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counted<'o> {
    pub(crate) choice: &'o Choice,
    /// Whether this is the conversation's first message in its arm.
    pub(crate) joins: bool,
    /// The arm of the reply before it, if there is one.
    pub(crate) follows: Option<&'o str>,
    pub(crate) outcome: &'o Outcome,
    pub(crate) memory_off: bool,
    pub(crate) fell_back: bool,
    pub(crate) queries: u32,
}

impl RolloutMetrics {
    /// Lists the arms by name.
    pub fn arms(&self) -> Vec<(String, ArmMetrics)> {
        let arms = self.arms.lock();
        arms.iter()
            .map(|(name, arm)| (name.clone(), arm.clone()))
            .collect()
    }

    /// Gives what was seen in the shadow phase.
    pub fn shadow(&self) -> Shadow {
        *self.shadow.lock()
    }

    pub(crate) fn count(&self, counted: &Counted<'_>) {
        let mut arms = self.arms.lock();
        if let Some(before) = counted.follows {
            arms.entry(before.to_owned()).or_default().followed += 1;
        }
        let arm = arms.entry(counted.choice.arm.to_owned()).or_default();
        let outcome = counted.outcome;
        arm.messages += 1;
        arm.conversations += u64::from(counted.joins);
        arm.memory_off += u64::from(counted.memory_off);
        arm.fell_back += u64::from(counted.fell_back);
        arm.with_calls += u64::from(!outcome.calls.is_empty());
        arm.calls += outcome.calls.len() as u64;
        for call in &outcome.calls {
            arm.look_ups += u64::from(call.found.is_some());
            arm.misses += u64::from(call.found == Some(false));
            if let Some(category) = call.category.as_ref().filter(|_| call.found.is_some()) {
                *arm.categories.entry(category.clone()).or_default() += 1;
            }
        }
        if let Some(first) = outcome.first_word {
            arm.first_word_ms.add(first.as_secs_f64() * 1_000.0);
        }
        arm.tokens_in.add(outcome.spent.usage.tokens_in as f64);
        arm.tokens_out.add(outcome.spent.usage.tokens_out as f64);
        arm.queries.add(f64::from(counted.queries));
    }

    /// Counts, for each look-up that found something, whether it was needed.
    pub(crate) fn count_needed(&self, arm: &str, needed: &[bool]) {
        let mut arms = self.arms.lock();
        let arm = arms.entry(arm.to_owned()).or_default();
        arm.judged += needed.len() as u64;
        arm.needed += needed.iter().filter(|needed| **needed).count() as u64;
    }

    pub(crate) fn watch(&self, would_call: bool, tokens_saved: usize) {
        let mut shadow = self.shadow.lock();
        shadow.messages += 1;
        shadow.would_call += u64::from(would_call);
        shadow.tokens_saved.add(tokens_saved as f64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_of_few_is_not_sure() {
        let few = Interval::of_share(1, 2).unwrap();
        let many = Interval::of_share(1_000, 2_000).unwrap();
        assert!(few.high - few.low > 0.7 && many.high - many.low < 0.05);
        assert_eq!(Interval::of_share(0, 0), None);
        let none = Interval::of_share(0, 10).unwrap();
        assert!(none.low == 0.0 && 0.2 < none.high && none.high < 0.35);
    }

    #[test]
    fn a_mean_lies_in_its_interval() {
        let mut sum = Sum::default();
        assert_eq!(sum.mean(), None);
        [1.0, 2.0, 3.0].into_iter().for_each(|value| sum.add(value));
        let mean = sum.mean().unwrap();
        assert_eq!(mean.value, 2.0);
        assert!((mean.high - 2.0 - Z * (1.0_f64 / 3.0).sqrt()).abs() < 1e-9);
    }
}
