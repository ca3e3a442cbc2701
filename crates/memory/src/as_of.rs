//! What was remembered at some moment: every memory as it stood then.

use std::sync::Arc;

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;

use crate::browse::{Filter, Listing};
use crate::change::Version;
use crate::id::MemoryId;
use crate::memory::Memory;
use crate::ports::StoreError;
use crate::scope::Scope;
use crate::wiring::Ports;

/// How many memories are read at once.
const PAGE: usize = 500;

/// Reads every memory that was shown at `at`, as it was then, the oldest first.
pub async fn as_of(ports: &Ports, scope: &Scope, at: Timestamp) -> Result<Vec<Memory>, StoreError> {
    let mut found = Vec::new();
    let take = |versions: &[Version]| {
        let then = version_at(versions, at).map(|version| &version.memory);
        found.extend(then.filter(|memory| memory.is_current(at)).cloned());
    };
    each_history(ports, scope, take).await?;
    Ok(found)
}

/// Pages through what was shown at `at`, the newest first, at most `limit`.
pub async fn list(
    ports: &Ports,
    scope: &Scope,
    at: Timestamp,
    filter: &Filter,
    limit: usize,
) -> Result<Listing, StoreError> {
    let mut then = as_of(ports, scope, at).await?;
    then.retain(|memory| scope.lens().sees(memory) && filter.keeps(memory, at));
    let total = then.len();
    let mut rest = then
        .into_iter()
        .rev()
        .filter(|memory| filter.after.is_none_or(|after| memory.id < after))
        .map(Arc::new);
    let memories: Vec<Arc<Memory>> = rest.by_ref().take(limit).collect();
    let more = rest.next().is_some();
    Ok(Listing {
        total,
        next: memories.last().filter(|_| more).map(|last| last.id),
        memories,
    })
}

/// Reads a moment as people write it: a date, which means its end in UTC, or a date and time.
pub fn moment(raw: &str) -> Option<Timestamp> {
    let end_of = |day: Date| -> Option<Timestamp> {
        let midnight = day.tomorrow().ok()?.to_zoned(TimeZone::UTC).ok()?.timestamp();
        Timestamp::from_microsecond(midnight.as_microsecond() - 1).ok()
    };
    let civil = || -> Option<Timestamp> {
        let moment = raw.parse::<DateTime>().ok()?;
        Some(moment.to_zoned(TimeZone::UTC).ok()?.timestamp())
    };
    // A date and time would be read as a date, too.
    const DATE_CHARS: usize = 10;
    match raw.len() == DATE_CHARS {
        true => end_of(raw.parse().ok()?),
        false => raw.parse::<Timestamp>().ok().or_else(civil),
    }
}

/// Finds the state that a memory had at `at`; none if it was not known yet.
pub fn version_at(versions: &[Version], at: Timestamp) -> Option<&Version> {
    versions.iter().rev().find(|version| version.stamp.at <= at)
}

/// Reads the history of every memory of the space, one after the other.
pub async fn each_history(
    ports: &Ports,
    scope: &Scope,
    mut look: impl FnMut(&[Version]),
) -> Result<(), StoreError> {
    let mut after: Option<MemoryId> = None;
    loop {
        let page = ports.store.histories(scope.space(), after, PAGE).await?;
        let Some(last) = page.last() else {
            return Ok(());
        };
        after = Some(last.memory.id);
        page.chunk_by(|a, b| a.memory.id == b.memory.id)
            .for_each(&mut look);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_means_its_end() {
        let read = |raw: &str| moment(raw).map(|at| at.to_string());
        assert_eq!(read("2026-03-01").as_deref(), Some("2026-03-01T23:59:59.999999Z"));
        assert_eq!(
            read("2026-03-01T10:00:00+02:00").as_deref(),
            Some("2026-03-01T08:00:00Z")
        );
        assert_eq!(read("2026-03-01T10:00").as_deref(), Some("2026-03-01T10:00:00Z"));
        for other in ["", "yesterday", "2026-02-30", "2026-3-1", "9999-12-31", "12:00"] {
            assert_eq!(read(other), None, "{other}");
        }
    }
}
