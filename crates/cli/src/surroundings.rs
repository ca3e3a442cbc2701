//! The time of this machine, and ids that grow with it.

use std::sync::{Mutex, PoisonError};

use jiff::Timestamp;
use recalld_memory::ports::{Clock, Ids};
use uuid::{ContextV7, Uuid};

/// The clock of this machine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        let now = Timestamp::now();
        // Cut and not rounded: nothing may be learned in the future.
        Timestamp::from_microsecond(now.as_microsecond()).unwrap_or(now)
    }
}

/// Time-ordered ids (UUID version 7) that never repeat and never fall back within this process.
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
        let context = self.context.lock().unwrap_or_else(PoisonError::into_inner);
        Uuid::new_v7(uuid::Timestamp::from_unix(&*context, seconds, nanos))
    }
}

/// Names this machine among others, as far as it has a name. What is the same on two machines tells
/// them not apart.
pub(crate) fn machine() -> String {
    let kept = ["/etc/machine-id", "/proc/sys/kernel/hostname", "/etc/hostname"];
    let named = kept.iter().find_map(|path| {
        let name = std::fs::read_to_string(path).ok()?.trim().to_owned();
        (!name.is_empty()).then_some(name)
    });
    named
        .or_else(|| std::env::var("COMPUTERNAME").ok())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_one_moment_and_of_a_clock_that_falls_back_still_grow() {
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
    fn the_clock_tells_whole_microseconds() {
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
