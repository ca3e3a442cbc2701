//! Which memories answered questions, how often and when last: what `audit` needs to tell which
//! ones nobody ever asks for.
//!
//! A memory is recalled when it answers a search, the look-up of a tool, or the topic of a context.
//! What is put before a model unasked, listed, exported or read by its name is not. A search writes
//! nothing: it counts in this process, and [`flush`] writes the counts from time to time. A process
//! that dies loses what it has counted since.

mod flush;

use std::collections::HashMap;

use jiff::civil::Date;
use serde_json::{Value, json};

pub use flush::flush;

use crate::id::MemoryId;
use crate::ports::StoreError;
use crate::recall_counts::RecallCount;
use crate::record::{Record, RecordKind};
use crate::scope::Scope;
use crate::wiring::Ports;

/// What is known of the recalls of one space.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecallStats {
    /// The day on which counting began; none if nothing was ever recalled.
    pub since: Option<Date>,
    pub memories: HashMap<MemoryId, RecallCount>,
}

/// The record that tells when counting began; all others are named by the id of their memory.
pub const SINCE: &str = "since";

/// How many records are read at once.
const PAGE: usize = 500;

/// Reads what is stored of the recalls of a space, together with what this process has counted
/// since.
pub async fn read(ports: &Ports, scope: &Scope) -> Result<RecallStats, StoreError> {
    let mut known = RecallStats::default();
    let mut after: Option<String> = None;
    loop {
        let page = ports
            .store
            .records(scope.space(), RecordKind::Recall, after.as_deref(), PAGE)
            .await?;
        for record in &page {
            match (MemoryId::parse(&record.name), from_value(&record.value)) {
                (Ok(id), Some(recalled)) => drop(known.memories.insert(id, recalled)),
                _ if record.name == SINCE => known.since = since(record),
                _ => {}
            }
        }
        match page.into_iter().next_back() {
            Some(last) => after = Some(last.name),
            None => break,
        }
    }
    for (id, counted) in ports.recall_counts.of(scope.space()) {
        known.since = known.since.or(Some(counted.last_on));
        let sum = known
            .memories
            .entry(id)
            .or_insert(RecallCount { times: 0, ..counted });
        *sum = sum.and(counted);
    }
    Ok(known)
}

/// Reads how often one memory was recalled, as far as it is kept and counted here; none if it never
/// was.
pub async fn of_memory(
    ports: &Ports,
    scope: &Scope,
    id: MemoryId,
) -> Result<Option<RecallCount>, StoreError> {
    let name = id.to_string();
    let record = ports
        .store
        .record(scope.space(), RecordKind::Recall, &name)
        .await?;
    let kept = record.and_then(|record| from_value(&record.value));
    let mut counted = ports.recall_counts.of(scope.space()).into_iter();
    let counted = counted.find(|(known, _)| *known == id).map(|(_, count)| count);
    Ok(match (kept, counted) {
        (Some(kept), Some(counted)) => Some(kept.and(counted)),
        (kept, counted) => kept.or(counted),
    })
}

fn to_value(recalled: RecallCount) -> Value {
    json!({ "times": recalled.times, "last_on": recalled.last_on.to_string() })
}

/// Reads a record's value; none if it says something else, as one out of an archive may.
fn from_value(value: &Value) -> Option<RecallCount> {
    Some(RecallCount {
        times: value["times"].as_u64()?,
        last_on: value["last_on"].as_str()?.parse().ok()?,
    })
}

fn since(record: &Record) -> Option<Date> {
    record.value["day"].as_str()?.parse().ok()
}
