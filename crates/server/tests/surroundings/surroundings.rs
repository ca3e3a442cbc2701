//! A clock and ids for the stages on which the service is played.

use std::sync::atomic::{AtomicI64, Ordering};

use jiff::Timestamp;
use recalld_memory::ports::{Clock, Ids};
use uuid::Uuid;

/// A clock that goes on a little each time it is read.
#[derive(Debug)]
pub struct StageClock {
    step_ms: i64,
    passed_ms: AtomicI64,
}

impl StageClock {
    /// Goes on by so many milliseconds.
    pub fn in_steps_of(step_ms: i64) -> StageClock {
        StageClock {
            step_ms,
            passed_ms: AtomicI64::new(0),
        }
    }
}

impl Clock for StageClock {
    fn now(&self) -> Timestamp {
        let opening: Timestamp = "2026-03-01T10:00:00Z".parse().unwrap();
        let passed = self.passed_ms.fetch_add(self.step_ms, Ordering::Relaxed);
        Timestamp::from_millisecond(opening.as_millisecond() + passed).unwrap()
    }
}

/// Ids as they are in earnest.
#[derive(Debug)]
pub struct StageIds;

impl Ids for StageIds {
    fn next(&self, _now: Timestamp) -> Uuid {
        Uuid::now_v7()
    }
}
