//! Reads checkpoints.

use serde_json::{Map, Value};

use super::name;
use super::{Blob, Checkpoint, CheckpointAddress, CheckpointError, CheckpointTuple, PendingWrite};
use crate::ports::StoreError;
use crate::record::{Record, RecordKind};
use crate::scope::Scope;
use crate::wiring::Ports;

/// How many records are read at a time.
const PAGE: usize = 500;

/// The most bytes of blobs in one answer; the first checkpoint is given whatever it has.
const ANSWER_BYTES_MAX: usize = 16 << 20;

/// Which checkpoints are listed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Listing {
    /// None: of all threads.
    pub thread: Option<String>,
    /// None: of all namespaces.
    pub namespace: Option<String>,
    /// Only this one.
    pub id: Option<String>,
    /// Only with smaller ids.
    pub before: Option<String>,
    /// Only those whose metadata has these values.
    pub filter: Map<String, Value>,
    /// Only after this one, in the order of the list.
    pub after: Option<CheckpointAddress>,
    pub limit: usize,
}

impl Listing {
    fn keeps(&self, stored: &Stored) -> bool {
        let Stored { place, metadata, .. } = stored;
        let matches = |wanted: &Option<String>, given: &str| wanted.as_deref().is_none_or(|id| id == given);
        matches(&self.thread, &place.thread)
            && matches(&self.namespace, &place.namespace)
            && matches(&self.id, &place.id)
            && self.before.as_deref().is_none_or(|id| *place.id < *id)
            && self.after.as_ref().is_none_or(|last| place < last)
            && self
                .filter
                .iter()
                .all(|(name, value)| metadata.get(name) == Some(value))
    }
}

/// A checkpoint without its blob.
#[derive(Clone, Debug)]
pub(super) struct Stored {
    pub(super) place: CheckpointAddress,
    pub(super) record: Record,
    pub(super) metadata: Map<String, Value>,
}

impl Stored {
    fn read(record: Record) -> Option<Stored> {
        let text = |name: &str| record.value[name].as_str().map(str::to_owned);
        let place = CheckpointAddress {
            id: text("id")?,
            thread: text("thread")?,
            namespace: text("namespace")?,
        };
        let metadata = record.value["metadata"].as_object()?.clone();
        Some(Stored {
            place,
            metadata,
            record,
        })
    }
}

/// Reads one checkpoint: the one with this id, or the latest of the namespace.
pub async fn get(
    ports: &Ports,
    scope: &Scope,
    thread: &str,
    namespace: &str,
    id: Option<&str>,
) -> Result<Option<CheckpointTuple>, CheckpointError> {
    let kind = RecordKind::Checkpoint;
    let record = match id {
        Some(id) => {
            let place = CheckpointAddress {
                id: id.to_owned(),
                thread: thread.to_owned(),
                namespace: namespace.to_owned(),
            };
            let name = name::of_checkpoint(&place);
            ports.store.record(scope.space(), kind, &name).await?
        }
        None => {
            let prefix = name::of_namespace(thread, namespace);
            let newest = ports.store.records(scope.space(), kind, Some(&prefix), 1).await?;
            newest.into_iter().find(|record| record.name.starts_with(&prefix))
        }
    };
    match record.and_then(Stored::read) {
        Some(stored) => whole(ports, scope, stored).await,
        None => Ok(None),
    }
}

/// Lists checkpoints, the newest first, and tells whether there are more.
pub async fn list(
    ports: &Ports,
    scope: &Scope,
    listing: &Listing,
) -> Result<(Vec<CheckpointTuple>, bool), CheckpointError> {
    let prefix = match (&listing.thread, &listing.namespace) {
        (Some(thread), Some(namespace)) => name::of_namespace(thread, namespace),
        (Some(thread), None) => name::of_thread(thread),
        (None, _) => String::new(),
    };
    let mut found = stored(ports, scope, &prefix).await?;
    found.retain(|stored| listing.keeps(stored));
    found.sort_by(|a, b| b.place.cmp(&a.place));
    let mut listed = Vec::new();
    let (mut bytes, mut all) = (0, found.into_iter());
    for stored in all.by_ref().take(listing.limit) {
        if let Some(tuple) = whole(ports, scope, stored).await? {
            let blobs = tuple.writes.iter().map(|write| &write.blob);
            let blobs = blobs.chain([&tuple.checkpoint.blob]);
            bytes += blobs.map(|blob| blob.base64.len()).sum::<usize>();
            listed.push(tuple);
        }
        if ANSWER_BYTES_MAX < bytes {
            break;
        }
    }
    Ok((listed, all.next().is_some()))
}

/// Reads all checkpoints whose names begin with `prefix`, without their blobs.
pub(super) async fn stored(ports: &Ports, scope: &Scope, prefix: &str) -> Result<Vec<Stored>, StoreError> {
    let records = records(ports, scope, RecordKind::Checkpoint, prefix).await?;
    Ok(records.into_iter().filter_map(Stored::read).collect())
}

/// Reads all records of a kind whose names begin with `prefix`.
pub(super) async fn records(
    ports: &Ports,
    scope: &Scope,
    kind: RecordKind,
    prefix: &str,
) -> Result<Vec<Record>, StoreError> {
    let mut found: Vec<Record> = Vec::new();
    loop {
        let after = found.last().map_or(prefix, |record| record.name.as_str());
        let page = ports
            .store
            .records(scope.space(), kind, Some(after), PAGE)
            .await?;
        let is_last = page.len() < PAGE;
        let before = found.len();
        found.extend(
            page.into_iter()
                .take_while(|record| record.name.starts_with(prefix)),
        );
        if is_last || found.len() < before + PAGE {
            return Ok(found);
        }
    }
}

/// Adds the blob and the writes; none if the checkpoint was removed in between.
pub(super) async fn whole(
    ports: &Ports,
    scope: &Scope,
    stored: Stored,
) -> Result<Option<CheckpointTuple>, CheckpointError> {
    let data = ports
        .store
        .record(scope.space(), RecordKind::CheckpointData, &stored.record.name)
        .await?;
    let Some(blob) = data.and_then(|data| blob(&data.value)) else {
        return Ok(None);
    };
    let prefix = name::of_writes(&stored.place);
    let writes = records(ports, scope, RecordKind::CheckpointWrite, &prefix).await?;
    let mut writes: Vec<PendingWrite> = writes.iter().filter_map(pending).collect();
    writes.sort_by(|a, b| (&a.task_path, &a.task, a.number).cmp(&(&b.task_path, &b.task, b.number)));
    let checkpoint = Checkpoint {
        parent: stored.record.value["parent"].as_str().map(str::to_owned),
        written_at: stored.record.written_at,
        place: stored.place,
        metadata: stored.metadata,
        blob,
    };
    Ok(Some(CheckpointTuple { checkpoint, writes }))
}

fn blob(value: &Value) -> Option<Blob> {
    Some(Blob {
        format: value["format"].as_str()?.to_owned(),
        base64: value["base64"].as_str()?.to_owned(),
    })
}

fn pending(record: &Record) -> Option<PendingWrite> {
    let text = |name: &str| record.value[name].as_str().map(str::to_owned);
    Some(PendingWrite {
        task: text("task")?,
        task_path: text("task_path")?,
        number: record.value["number"].as_i64()?,
        channel: text("channel")?,
        blob: blob(&record.value)?,
    })
}
