//! Removes checkpoints, for good: nothing else refers to them.

use std::collections::HashMap;

use super::CheckpointError;
use super::name;
use super::read::{Stored, records, stored};
use super::write::write;
use crate::change::{Change, Effect};
use crate::record::RecordKind;
use crate::scope::Scope;
use crate::wiring::Ports;

/// What a pruned thread keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// The latest checkpoint of each namespace.
    Latest,
    Nothing,
}

/// Removes a thread with all its checkpoints and writes. Returns how many checkpoints it had.
pub async fn delete_thread(ports: &Ports, scope: &Scope, thread: &str) -> Result<usize, CheckpointError> {
    let prefix = name::of_thread(thread);
    let (mut changes, mut count) = (Vec::new(), 0);
    let kinds = [
        RecordKind::Checkpoint,
        RecordKind::CheckpointData,
        RecordKind::CheckpointWrite,
    ];
    for kind in kinds {
        let found = records(ports, scope, kind, &prefix).await?;
        count += usize::from(kind == RecordKind::Checkpoint) * found.len();
        let names = found.into_iter().map(|record| record.name);
        changes.extend(names.map(|name| scope.change(None, Effect::EraseRecord { kind, name })));
    }
    write(ports, scope, changes).await?;
    Ok(count)
}

/// Removes what threads do not keep. Returns how many checkpoints were removed.
pub async fn prune(
    ports: &Ports,
    scope: &Scope,
    threads: &[String],
    keep: Keep,
) -> Result<usize, CheckpointError> {
    let mut removed = 0;
    for thread in threads {
        removed += match keep {
            Keep::Nothing => delete_thread(ports, scope, thread).await?,
            Keep::Latest => {
                let all = stored(ports, scope, &name::of_thread(thread)).await?;
                remove(ports, scope, but_latest(all)).await?
            }
        };
    }
    Ok(removed)
}

/// Removes the checkpoints whose metadata names one of these runs. Returns how many there were.
pub async fn delete_runs(ports: &Ports, scope: &Scope, runs: &[String]) -> Result<usize, CheckpointError> {
    if runs.is_empty() {
        return Ok(0);
    }
    let mut all = stored(ports, scope, "").await?;
    all.retain(|stored| {
        let run = stored.metadata.get("run_id").and_then(|run| run.as_str());
        run.is_some_and(|run| runs.iter().any(|asked| asked == run))
    });
    remove(ports, scope, all).await
}

fn but_latest(all: Vec<Stored>) -> Vec<Stored> {
    let mut latest: HashMap<String, String> = HashMap::new();
    for Stored { place, .. } in &all {
        let id = latest.entry(place.namespace.clone()).or_default();
        if *id < place.id {
            place.id.clone_into(id);
        }
    }
    let is_old = |stored: &Stored| latest.get(&stored.place.namespace) != Some(&stored.place.id);
    all.into_iter().filter(is_old).collect()
}

async fn remove(ports: &Ports, scope: &Scope, which: Vec<Stored>) -> Result<usize, CheckpointError> {
    let mut changes: Vec<Change> = Vec::new();
    for Stored { place, record, .. } in &which {
        let prefix = name::of_writes(place);
        let writes = records(ports, scope, RecordKind::CheckpointWrite, &prefix).await?;
        let writes = writes
            .into_iter()
            .map(|write| (RecordKind::CheckpointWrite, write.name));
        let own =
            [RecordKind::Checkpoint, RecordKind::CheckpointData].map(|kind| (kind, record.name.clone()));
        let gone = own.into_iter().chain(writes);
        changes.extend(gone.map(|(kind, name)| scope.change(None, Effect::EraseRecord { kind, name })));
    }
    write(ports, scope, changes).await?;
    Ok(which.len())
}
