//! Counts of recalls that are not stored yet.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicUsize, Ordering};

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use parking_lot::{Mutex, MutexGuard};

use crate::id::{MemoryId, SpaceId};
use crate::scope::Scope;

/// Searches of different users rarely wait for each other.
const SHARDS: usize = 16;

/// More memories than this are not counted before the next flush: 20 MB at the most.
const PENDING_MAX: usize = 200_000;

/// How often a memory was recalled, and on which day (UTC) last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecallCount {
    pub times: u64,
    pub last_on: Date,
}

impl RecallCount {
    /// Adds what was counted elsewhere.
    pub(crate) fn and(self, other: RecallCount) -> RecallCount {
        RecallCount {
            times: self.times.saturating_add(other.times),
            last_on: self.last_on.max(other.last_on),
        }
    }
}

/// How often, and when last.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PendingCount {
    pub(crate) times: u64,
    pub(crate) last: Timestamp,
}

impl PendingCount {
    pub(crate) fn recalled(self) -> RecallCount {
        RecallCount {
            times: self.times,
            last_on: self.last.to_zoned(TimeZone::UTC).date(),
        }
    }
}

/// The counts of one space.
pub(crate) type PendingCounts = HashMap<MemoryId, PendingCount>;

/// PendingCounts what is recalled in this process, space by space.
#[derive(Debug, Default)]
pub struct RecallCounts {
    shards: [Mutex<HashMap<SpaceId, PendingCounts>>; SHARDS],
    pending: AtomicUsize,
    state: RandomState,
}

impl RecallCounts {
    /// PendingCounts that these memories of the scope's space answered a question: one lock, and
    /// one look-up for each.
    pub fn note(&self, scope: &Scope, memories: impl IntoIterator<Item = MemoryId>) {
        let mut memories = memories.into_iter().peekable();
        if memories.peek().is_none() {
            return;
        }
        let mut shard = self.shard(scope.space());
        let counts = match shard.get_mut(scope.space()) {
            Some(counts) => counts,
            None => shard.entry(scope.space().clone()).or_default(),
        };
        for id in memories {
            if let Some(count) = counts.get_mut(&id) {
                count.times += 1;
                count.last = count.last.max(scope.now);
            } else if self.pending.load(Ordering::Relaxed) < PENDING_MAX {
                self.pending.fetch_add(1, Ordering::Relaxed);
                let last = scope.now;
                counts.insert(id, PendingCount { times: 1, last });
            }
        }
    }

    /// Lets go of what was counted in a space that was erased.
    pub fn forget(&self, space: &SpaceId) {
        drop(self.take(space));
    }

    /// Gives what was counted in a space.
    pub(crate) fn of(&self, space: &SpaceId) -> Vec<(MemoryId, RecallCount)> {
        let shard = self.shard(space);
        let counts = shard.get(space).into_iter().flatten();
        counts.map(|(id, count)| (*id, count.recalled())).collect()
    }

    /// Names the spaces in which something was counted, at most `limit`.
    pub(crate) fn spaces(&self, limit: usize) -> Vec<SpaceId> {
        let mut found = Vec::new();
        for shard in &self.shards {
            let shard = shard.lock();
            found.extend(shard.keys().take(limit - found.len()).cloned());
        }
        found
    }

    /// Takes out what was counted in a space.
    pub(crate) fn take(&self, space: &SpaceId) -> PendingCounts {
        let counts = self.shard(space).remove(space).unwrap_or_default();
        self.pending.fetch_sub(counts.len(), Ordering::Relaxed);
        counts
    }

    /// Puts back what could not be stored.
    pub(crate) fn put_back(&self, space: &SpaceId, counts: PendingCounts) {
        let mut shard = self.shard(space);
        let known = shard.entry(space.clone()).or_default();
        for (id, count) in counts {
            match known.get_mut(&id) {
                Some(sum) => {
                    sum.times += count.times;
                    sum.last = sum.last.max(count.last);
                }
                None => {
                    self.pending.fetch_add(1, Ordering::Relaxed);
                    known.insert(id, count);
                }
            }
        }
    }

    fn shard(&self, space: &SpaceId) -> MutexGuard<'_, HashMap<SpaceId, PendingCounts>> {
        let at = self.state.hash_one(space) as usize % SHARDS;
        self.shards[at].lock()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::change::Actor;
    use crate::id::UserId;
    use uuid::Uuid;

    fn scope(user: &str, second: i64) -> Scope {
        let now = Timestamp::from_second(second).unwrap();
        Scope::of_user(UserId::new(user).unwrap(), Actor::new("test"), now)
    }

    fn id(number: u128) -> MemoryId {
        MemoryId::from_uuid(Uuid::from_u128(number))
    }

    #[test]
    fn counts_add_up_within_a_space_and_are_taken_once() {
        let recalls = RecallCounts::default();
        recalls.note(&scope("ana", 5), [id(1), id(2)]);
        recalls.note(&scope("ana", 3), [id(1)]);
        recalls.note(&scope("bo", 3), []);
        assert_eq!(recalls.spaces(9), [scope("ana", 0).space().clone()]);
        let counts = recalls.take(scope("ana", 0).space());
        let (first, second) = (counts[&id(1)], counts[&id(2)]);
        assert_eq!((first.times, first.last.as_second()), (2, 5));
        assert_eq!(second.times, 1);
        recalls.note(&scope("ana", 9), [id(1)]);
        recalls.put_back(scope("ana", 0).space(), counts);
        let again = recalls.take(scope("ana", 0).space());
        assert_eq!((again[&id(1)].times, again[&id(1)].last.as_second()), (3, 9));
        assert!(recalls.take(scope("ana", 0).space()).is_empty());
        assert_eq!(recalls.pending.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn what_is_pending_has_a_bound() {
        let recalls = RecallCounts::default();
        recalls.note(&scope("ana", 1), (0..PENDING_MAX as u128 + 10).map(id));
        assert_eq!(recalls.pending.load(Ordering::Relaxed), PENDING_MAX);
        recalls.note(&scope("ana", 1), [id(1)]);
        assert_eq!(recalls.of(scope("ana", 1).space()).len(), PENDING_MAX);
        recalls.forget(scope("ana", 1).space());
        assert_eq!(recalls.pending.load(Ordering::Relaxed), 0);
    }
}
