//! Writes what was counted to the store, a space at a time.

use jiff::Timestamp;
use serde_json::json;

use super::{SINCE, from_value, to_value};
use crate::change::{Effect, Revision};
use crate::id::SpaceId;
use crate::recall_counts::{PendingCounts, RecallCount};
use crate::record::{Record, RecordKind};
use crate::scope::Scope;
use crate::space::{SpaceError, SpaceView};
use crate::wiring::Ports;

/// How often a space is tried in which others keep writing; then it is for the next time.
const ATTEMPTS: usize = 5;

/// Keeps what was counted in at most `spaces_max` spaces. Gives how many spaces that were.
pub async fn flush(ports: &Ports, now: Timestamp, spaces_max: usize) -> Result<usize, SpaceError> {
    let spaces = ports.recall_counts.spaces(spaces_max);
    for space in &spaces {
        let counts = ports.recall_counts.take(space);
        match flush_one(ports, space, &counts, now).await {
            Ok(true) => {}
            Ok(false) => ports.recall_counts.put_back(space, counts),
            Err(error) => {
                ports.recall_counts.put_back(space, counts);
                return Err(error);
            }
        }
    }
    Ok(spaces.len())
}

/// Tells whether it could be stored. What was erased since is not.
async fn flush_one(
    ports: &Ports,
    space: &SpaceId,
    counts: &PendingCounts,
    now: Timestamp,
) -> Result<bool, SpaceError> {
    for _ in 0..ATTEMPTS {
        let revision = ports.store.revision(space).await?;
        if revision == Revision(0) {
            return Ok(true);
        }
        let records = records(ports, space, counts, now).await?;
        let scope = Scope::of_upkeep(space.clone(), now);
        let decide = move |view: &SpaceView| {
            let there = |record: &&Record| {
                let id = crate::id::MemoryId::parse(&record.name);
                id.map_or(true, |id| view.memory(id).is_some())
            };
            let change = |record: &Record| scope.change(None, Effect::Record(record.clone()));
            (records.iter().filter(there).map(change).collect(), ())
        };
        if ports.spaces.write_at(space, revision, decide).await?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Makes the records as they should be, from those that are there.
async fn records(
    ports: &Ports,
    space: &SpaceId,
    counts: &PendingCounts,
    now: Timestamp,
) -> Result<Vec<Record>, SpaceError> {
    let kind = RecordKind::Recall;
    let mut records = Vec::with_capacity(counts.len() + 1);
    let first_on = counts.values().map(|count| count.recalled().last_on).min();
    if let (Some(day), None) = (first_on, ports.store.record(space, kind, SINCE).await?) {
        records.push(Record {
            kind,
            name: SINCE.to_owned(),
            value: json!({ "day": day.to_string() }),
            version: 1,
            written_at: now,
        });
    }
    for (id, count) in counts {
        let name = id.to_string();
        let known = ports.store.record(space, kind, &name).await?;
        let before = known.as_ref().and_then(|known| from_value(&known.value));
        let recalled = count.recalled();
        let sum = before.map_or(recalled, |before: RecallCount| before.and(recalled));
        records.push(Record {
            kind,
            name,
            value: to_value(sum),
            version: known.map_or(1, |known| known.version.saturating_add(1)),
            written_at: now,
        });
    }
    Ok(records)
}
