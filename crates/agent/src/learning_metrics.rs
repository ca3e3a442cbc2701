//! What was learned since the start, in numbers.

use std::sync::atomic::{AtomicU64, Ordering};

/// What was done since the start.
#[derive(Debug, Default)]
pub struct LearningMetrics {
    pub readings: AtomicU64,
    pub remembered: AtomicU64,
    pub revised: AtomicU64,
    pub retired: AtomicU64,
    pub known: AtomicU64,
    /// Facts without evidence, and statements that must not be stored.
    pub rejected: AtomicU64,
    /// Readings in which nothing was worth remembering.
    pub empty: AtomicU64,
    /// Readings that no model made, because it failed too often. What rules found is kept.
    pub given_up: AtomicU64,
    pub postponed: AtomicU64,
    pub tokens: AtomicU64,
}

impl LearningMetrics {
    /// Lists the figures by name.
    pub fn all(&self) -> [(&'static str, u64); 10] {
        let read = |figure: &AtomicU64| figure.load(Ordering::Relaxed);
        [
            ("readings", read(&self.readings)),
            ("remembered", read(&self.remembered)),
            ("revised", read(&self.revised)),
            ("retired", read(&self.retired)),
            ("known", read(&self.known)),
            ("rejected", read(&self.rejected)),
            ("empty", read(&self.empty)),
            ("given_up", read(&self.given_up)),
            ("postponed", read(&self.postponed)),
            ("tokens", read(&self.tokens)),
        ]
    }
}
