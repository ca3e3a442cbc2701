//! Stores checkpoints and the writes that are pending on them.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::name;
use super::read::{records, stored, whole};
use super::{
    Checkpoint, CheckpointAddress, CheckpointError, LABEL_BYTES_MAX, METADATA_BYTES_MAX, PendingWrite,
    THREAD_BYTES_MAX, WRITES_MAX, check,
};
use crate::change::{Change, Effect};
use crate::record::{Record, RecordKind};
use crate::scope::Scope;
use crate::space::{Decision, SpaceError, SpaceView};
use crate::wiring::Ports;

/// Stores a checkpoint, in place of one with the same id.
pub async fn put(ports: &Ports, scope: &Scope, checkpoint: &Checkpoint) -> Result<(), CheckpointError> {
    checkpoint.place.check()?;
    checkpoint.blob.check()?;
    if let Some(parent) = &checkpoint.parent {
        check("parent_id", parent, 1, super::ID_BYTES_MAX)?;
    }
    let metadata = Value::Object(checkpoint.metadata.clone()).to_string();
    check("metadata", &metadata, 0, METADATA_BYTES_MAX)?;
    let changes = of_checkpoint(scope, checkpoint);
    write(ports, scope, changes).await
}

/// Stores what a task wrote. A write that is there already stays, unless its number is negative.
pub async fn put_writes(
    ports: &Ports,
    scope: &Scope,
    place: &CheckpointAddress,
    writes: &[PendingWrite],
) -> Result<(), CheckpointError> {
    place.check()?;
    if WRITES_MAX < writes.len() {
        return Err(CheckpointError::Writes { given: writes.len() });
    }
    for write in writes {
        check("task_id", &write.task, 1, LABEL_BYTES_MAX)?;
        check("task_path", &write.task_path, 0, LABEL_BYTES_MAX)?;
        check("channel", &write.channel, 1, LABEL_BYTES_MAX)?;
        write.blob.check()?;
    }
    let prefix = name::of_writes(place);
    let known = records(ports, scope, RecordKind::CheckpointWrite, &prefix).await?;
    let known: HashSet<String> = known.into_iter().map(|record| record.name).collect();
    let new = |write: &&PendingWrite| write.number < 0 || !known.contains(&name::of_write(place, write));
    let changes = writes
        .iter()
        .filter(new)
        .map(|write| of_write(scope, place, write));
    write(ports, scope, changes.collect()).await
}

/// How many bytes of blobs are copied in one write.
const COPIED_BYTES_MAX: usize = 8 << 20;

/// Copies all checkpoints of a thread, the oldest first, so that a copy that was interrupted lacks
/// the latest ones and can be made again.
pub async fn copy_thread(
    ports: &Ports,
    scope: &Scope,
    from: &str,
    to: &str,
) -> Result<usize, CheckpointError> {
    check("to", to, 1, THREAD_BYTES_MAX)?;
    check("from", from, 1, THREAD_BYTES_MAX)?;
    if from == to {
        return Ok(0);
    }
    let mut all = stored(ports, scope, &name::of_thread(from)).await?;
    all.sort_by(|a, b| a.place.cmp(&b.place));
    let (mut copied, mut bytes, mut changes) = (0, 0, Vec::new());
    for stored in all {
        let Some(mut tuple) = whole(ports, scope, stored).await? else {
            continue;
        };
        to.clone_into(&mut tuple.checkpoint.place.thread);
        bytes += tuple.checkpoint.blob.base64.len();
        bytes += tuple
            .writes
            .iter()
            .map(|write| write.blob.base64.len())
            .sum::<usize>();
        let place = tuple.checkpoint.place.clone();
        changes.extend(of_checkpoint(scope, &tuple.checkpoint));
        changes.extend(tuple.writes.iter().map(|write| of_write(scope, &place, write)));
        copied += 1;
        if COPIED_BYTES_MAX < bytes {
            write(ports, scope, std::mem::take(&mut changes)).await?;
            bytes = 0;
        }
    }
    write(ports, scope, changes).await?;
    Ok(copied)
}

fn of_checkpoint(scope: &Scope, checkpoint: &Checkpoint) -> Vec<Change> {
    let Checkpoint { place, blob, .. } = checkpoint;
    let name = name::of_checkpoint(place);
    let known = json!({
        "thread": place.thread, "namespace": place.namespace, "id": place.id,
        "parent": checkpoint.parent, "metadata": checkpoint.metadata,
    });
    let data = json!({ "format": blob.format, "base64": blob.base64 });
    vec![
        record(scope, RecordKind::Checkpoint, name.clone(), known),
        record(scope, RecordKind::CheckpointData, name, data),
    ]
}

fn of_write(scope: &Scope, place: &CheckpointAddress, write: &PendingWrite) -> Change {
    let value = json!({
        "task": write.task, "task_path": write.task_path, "number": write.number,
        "channel": write.channel, "format": write.blob.format, "base64": write.blob.base64,
    });
    record(
        scope,
        RecordKind::CheckpointWrite,
        name::of_write(place, write),
        value,
    )
}

fn record(scope: &Scope, kind: RecordKind, name: String, value: Value) -> Change {
    let record = Record {
        kind,
        name,
        value,
        version: 1,
        written_at: scope.now,
    };
    scope.change(None, Effect::Record(record))
}

/// Applies changes that do not depend on what the view holds.
pub(super) async fn write(ports: &Ports, scope: &Scope, changes: Vec<Change>) -> Result<(), CheckpointError> {
    if changes.is_empty() {
        return Ok(());
    }
    let decide = move |_: &SpaceView| Decision {
        changes: changes.clone(),
        outcome: (),
    };
    let written: Result<(), SpaceError> = ports.spaces.write(scope.space(), decide).await;
    Ok(written?)
}
