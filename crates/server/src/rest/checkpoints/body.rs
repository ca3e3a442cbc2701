//! The bodies of checkpoints.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use jiff::Timestamp;
use recalld_memory::checkpoints::{
    Blob, Checkpoint, CheckpointAddress, CheckpointTuple, Listing, PendingWrite,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::error::{ApiError, Code};

/// A checkpoint to store.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewCheckpoint {
    #[schema(min_length = 1, max_length = 512)]
    thread_id: String,
    /// The graph inside the graph; the outer one, if none is given.
    #[serde(default)]
    #[schema(max_length = 1024)]
    checkpoint_ns: String,
    /// Later checkpoints of a thread have greater ids.
    #[schema(min_length = 1, max_length = 128)]
    checkpoint_id: String,
    /// The id of the checkpoint before it.
    parent_id: Option<String>,
    #[serde(default)]
    #[schema(value_type = Object)]
    metadata: Map<String, Value>,
    /// How `data` is written, such as `msgpack`.
    r#type: String,
    /// The state, in base64; at most 4 MiB of bytes.
    #[schema(content_encoding = "base64")]
    data: String,
}

impl NewCheckpoint {
    pub(super) fn checkpoint(self, now: Timestamp) -> Result<Checkpoint, ApiError> {
        Ok(Checkpoint {
            place: CheckpointAddress {
                id: self.checkpoint_id,
                thread: self.thread_id,
                namespace: self.checkpoint_ns,
            },
            parent: self.parent_id,
            metadata: self.metadata,
            blob: blob("/data", self.r#type, self.data)?,
            written_at: now,
        })
    }
}

/// What a task wrote.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewWrites {
    #[schema(min_length = 1, max_length = 512)]
    thread_id: String,
    #[serde(default)]
    #[schema(max_length = 1024)]
    checkpoint_ns: String,
    #[schema(min_length = 1, max_length = 128)]
    checkpoint_id: String,
    #[schema(min_length = 1)]
    task_id: String,
    #[serde(default)]
    task_path: String,
    #[schema(max_items = 1000)]
    writes: Vec<NewWrite>,
}

/// One value that a task wrote.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewWrite {
    /// Its number within the task; a negative one replaces what is there.
    idx: i64,
    #[schema(min_length = 1)]
    channel: String,
    r#type: String,
    /// The value, in base64.
    #[schema(content_encoding = "base64")]
    data: String,
}

impl NewWrites {
    pub(super) fn writes(self) -> Result<(CheckpointAddress, Vec<PendingWrite>), ApiError> {
        let place = CheckpointAddress {
            id: self.checkpoint_id,
            thread: self.thread_id,
            namespace: self.checkpoint_ns,
        };
        let write = |(number, write): (usize, NewWrite)| {
            Ok(PendingWrite {
                task: self.task_id.clone(),
                task_path: self.task_path.clone(),
                number: write.idx,
                channel: write.channel,
                blob: blob(&format!("/writes/{number}/data"), write.r#type, write.data)?,
            })
        };
        let writes: Result<_, ApiError> = self.writes.into_iter().enumerate().map(write).collect();
        Ok((place, writes?))
    }
}

fn blob(pointer: &str, format: String, base64: String) -> Result<Blob, ApiError> {
    match STANDARD.decode(&base64) {
        Ok(_) => Ok(Blob { format, base64 }),
        Err(error) => Err(ApiError::field(pointer, &format!("not base64: {error}"))),
    }
}

/// Which checkpoints are listed.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CheckpointSearch {
    /// Of this thread; of all, if none is given.
    thread_id: Option<String>,
    /// Of this namespace; of all, if none is given.
    checkpoint_ns: Option<String>,
    /// Only this one.
    checkpoint_id: Option<String>,
    /// Only with ids smaller than this.
    before: Option<String>,
    /// Only with these values in `metadata`.
    #[serde(default)]
    #[schema(value_type = Object)]
    filter: Map<String, Value>,
    /// At most so many; 100, if none is given. A page ends earlier when it becomes large.
    #[schema(minimum = 1, maximum = 1000)]
    limit: Option<usize>,
    /// The `next` of the page before.
    cursor: Option<String>,
}

impl CheckpointSearch {
    pub(super) fn listing(self, limit_max: usize) -> Result<Listing, ApiError> {
        let limit = self.limit.unwrap_or(100);
        if !(1..=limit_max).contains(&limit) {
            let reason = format!("{limit} is not from 1 to {limit_max}");
            return Err(ApiError::field("/limit", &reason));
        }
        let after = self.cursor.as_deref().map(place_of).transpose()?;
        Ok(Listing {
            thread: self.thread_id,
            namespace: self.checkpoint_ns,
            id: self.checkpoint_id,
            before: self.before,
            filter: self.filter,
            after,
            limit,
        })
    }
}

/// One page of checkpoints.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct CheckpointList {
    pub(super) checkpoints: Vec<CheckpointBody>,
    /// The `cursor` of the next page; none on the last.
    pub(super) next: Option<String>,
}

/// Says after which checkpoint a list goes on.
pub(super) fn cursor(place: &CheckpointAddress) -> String {
    let parts = serde_json::json!([place.id, place.thread, place.namespace]);
    URL_SAFE_NO_PAD.encode(parts.to_string())
}

fn place_of(cursor: &str) -> Result<CheckpointAddress, ApiError> {
    let invalid = || ApiError::new(Code::InvalidRequest, "the cursor is not one that was given");
    let text = URL_SAFE_NO_PAD.decode(cursor).map_err(|_| invalid())?;
    let (id, thread, namespace) = serde_json::from_slice(&text).map_err(|_| invalid())?;
    Ok(CheckpointAddress {
        id,
        thread,
        namespace,
    })
}

/// A checkpoint with the writes that are pending on it.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct CheckpointBody {
    thread_id: String,
    checkpoint_ns: String,
    checkpoint_id: String,
    parent_id: Option<String>,
    #[schema(value_type = Object)]
    metadata: Map<String, Value>,
    r#type: String,
    #[schema(content_encoding = "base64")]
    data: String,
    #[schema(value_type = String, format = "date-time")]
    written_at: Timestamp,
    /// By path, task and number.
    writes: Vec<WriteBody>,
}

/// A value that a task wrote.
#[derive(Debug, Serialize, ToSchema)]
struct WriteBody {
    task_id: String,
    task_path: String,
    idx: i64,
    channel: String,
    r#type: String,
    #[schema(content_encoding = "base64")]
    data: String,
}

impl From<CheckpointTuple> for CheckpointBody {
    fn from(tuple: CheckpointTuple) -> CheckpointBody {
        let Checkpoint {
            place,
            parent,
            metadata,
            blob,
            written_at,
        } = tuple.checkpoint;
        let write = |write: PendingWrite| WriteBody {
            task_id: write.task,
            task_path: write.task_path,
            idx: write.number,
            channel: write.channel,
            r#type: write.blob.format,
            data: write.blob.base64,
        };
        CheckpointBody {
            thread_id: place.thread,
            checkpoint_ns: place.namespace,
            checkpoint_id: place.id,
            parent_id: parent,
            metadata,
            r#type: blob.format,
            data: blob.base64,
            written_at,
            writes: tuple.writes.into_iter().map(write).collect(),
        }
    }
}
