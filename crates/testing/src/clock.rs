//! Clocks and ids that make a test repeatable.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use jiff::Timestamp;
use recalld_memory::ports::{Clock, Ids};
use uuid::Uuid;

/// The moment at which scripts and servers under test begin.
pub fn opening() -> Timestamp {
    "2026-03-01T10:00:00Z".parse().unwrap()
}

/// A clock that always shows the same time.
#[derive(Debug)]
pub struct FixedClock(pub Timestamp);

impl Clock for FixedClock {
    fn now(&self) -> Timestamp {
        self.0
    }
}

/// A clock that advances by a fixed step each time it is read, from [`opening`] on.
#[derive(Debug)]
pub struct SteppingClock {
    step_ms: i64,
    passed_ms: AtomicI64,
}

impl SteppingClock {
    /// Advances by `step_ms` milliseconds.
    pub fn in_steps_of(step_ms: i64) -> SteppingClock {
        SteppingClock {
            step_ms,
            passed_ms: AtomicI64::new(0),
        }
    }

    /// Lets `seconds` pass.
    pub fn advance(&self, seconds: i64) {
        self.passed_ms.fetch_add(seconds * 1000, Ordering::Relaxed);
    }
}

impl Clock for SteppingClock {
    fn now(&self) -> Timestamp {
        let passed = self.passed_ms.fetch_add(self.step_ms, Ordering::Relaxed);
        Timestamp::from_millisecond(opening().as_millisecond() + passed).unwrap()
    }
}

/// Ids that count from 1, or from a number of choice.
#[derive(Debug, Default)]
pub struct CountingIds(AtomicU64);

impl CountingIds {
    /// Counts from the number after `last`.
    pub fn after(last: u64) -> CountingIds {
        CountingIds(AtomicU64::new(last))
    }
}

impl Ids for CountingIds {
    fn next(&self, _now: Timestamp) -> Uuid {
        Uuid::from_u128(u128::from(self.0.fetch_add(1, Ordering::Relaxed) + 1))
    }
}

/// Ids as the program makes them.
#[derive(Debug)]
pub struct TimeOrderedIds;

impl Ids for TimeOrderedIds {
    fn next(&self, _now: Timestamp) -> Uuid {
        Uuid::now_v7()
    }
}
