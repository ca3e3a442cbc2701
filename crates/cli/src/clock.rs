//! The system clock, and ids that are ordered by time.

use jiff::Timestamp;
use parking_lot::Mutex;
use recalld_memory::ports::{Clock, Ids};
use uuid::{ContextV7, Uuid};

/// The system clock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        let now = Timestamp::now();
        // Truncated, not rounded: no memory may be learned in the future.
        Timestamp::from_microsecond(now.as_microsecond()).unwrap_or(now)
    }
}

/// Time-ordered ids (UUID version 7) that strictly increase within this process.
#[derive(Debug)]
pub(crate) struct TimeOrderedIds {
    context: Mutex<ContextV7>,
}

impl TimeOrderedIds {
    /// Starts a sequence.
    pub(crate) fn new() -> TimeOrderedIds {
        // The extra bits of time keep the order between processes that follow each other within a
        // millisecond.
        let context = ContextV7::new().with_additional_precision();
        TimeOrderedIds {
            context: Mutex::new(context),
        }
    }
}

impl Ids for TimeOrderedIds {
    fn next(&self, now: Timestamp) -> Uuid {
        let since_epoch = now.as_nanosecond().max(0);
        let seconds = u64::try_from(since_epoch / 1_000_000_000).unwrap_or(0);
        let nanos = u32::try_from(since_epoch % 1_000_000_000).unwrap_or(0);
        let context = self.context.lock();
        Uuid::new_v7(uuid::Timestamp::from_unix(&*context, seconds, nanos))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_increase_within_one_moment_and_when_the_clock_goes_back() {
        let ids = TimeOrderedIds::new();
        let moments = [
            "2026-11-15T10:00:00Z",
            "2026-11-15T10:00:00Z",
            "2026-11-15T09:59:59Z",
        ];
        let made: Vec<Uuid> = moments
            .iter()
            .cycle()
            .take(3_000)
            .map(|at| ids.next(at.parse().unwrap()))
            .collect();
        assert!(made.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn the_clock_returns_whole_microseconds() {
        assert_eq!(SystemClock.now().as_nanosecond() % 1_000, 0);
    }

    #[test]
    fn a_time_before_the_epoch_still_has_an_id() {
        let ids = TimeOrderedIds::new();
        assert_eq!(
            ids.next("1960-01-01T00:00:00Z".parse().unwrap())
                .get_version_num(),
            7
        );
    }
}
