//! Checkpoints: opaque states of an agent's graph, by thread, with the writes that are pending on
//! them. They are neither searched nor shown to a model; they are exported and erased with the
//! user.

mod name;
mod read;
mod remove;
mod write;

use jiff::Timestamp;
use serde_json::{Map, Value};
use thiserror::Error;

use crate::ports::StoreError;
use crate::space::SpaceError;

pub use read::{Listing, get, list};
pub use remove::{Keep, delete_runs, delete_thread, prune};
pub use write::{copy_thread, put, put_writes};

/// Which checkpoint is meant.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CheckpointAddress {
    /// Later checkpoints of a thread have greater ids.
    pub id: String,
    pub thread: String,
    /// The graph inside the graph, or empty.
    pub namespace: String,
}

/// What somebody else's code made and alone can read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blob {
    /// How it is written, such as `msgpack`.
    pub format: String,
    /// The bytes, in base64.
    pub base64: String,
}

/// One stored state.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    pub place: CheckpointAddress,
    /// The id of the checkpoint before it.
    pub parent: Option<String>,
    pub metadata: Map<String, Value>,
    pub blob: Blob,
    pub written_at: Timestamp,
}

/// A value that a task wrote and that is not yet part of a state.
#[derive(Clone, Debug, PartialEq)]
pub struct PendingWrite {
    pub task: String,
    pub task_path: String,
    /// Its number within the task. A write of a negative number replaces an earlier one; others are
    /// stored once.
    pub number: i64,
    pub channel: String,
    pub blob: Blob,
}

/// A checkpoint with what is pending on it, by path, task and number.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckpointTuple {
    pub checkpoint: Checkpoint,
    pub writes: Vec<PendingWrite>,
}

/// The most bytes of a thread's id.
pub const THREAD_BYTES_MAX: usize = 512;
/// The most bytes of a namespace.
pub const NAMESPACE_BYTES_MAX: usize = 1024;
/// The most bytes of a checkpoint's id, which is part of a record's name.
pub const ID_BYTES_MAX: usize = 128;
/// The most bytes of a task's id, a task's path, a channel's name or a format.
pub const LABEL_BYTES_MAX: usize = 1024;
/// The most bytes of metadata, written as JSON.
pub const METADATA_BYTES_MAX: usize = 256 * 1024;
/// The most bytes of a blob in base64: about 4 MiB of bytes, within what a line of an archive may
/// have.
pub const BLOB_BYTES_MAX: usize = 5_600_000;
/// The most writes that are stored at once.
pub const WRITES_MAX: usize = 1000;

/// Why a checkpoint could not be stored or read.
#[derive(Debug, Error)]
pub enum CheckpointError {
    /// A field is longer than it may be, or empty.
    #[error("{field} is {bytes} bytes, not from {least} to {most}")]
    Length {
        field: &'static str,
        bytes: usize,
        least: usize,
        most: usize,
    },
    /// More writes than are stored at once.
    #[error("{given} writes are too many at once; the limit is {WRITES_MAX}")]
    Writes { given: usize },
    /// The space could not be read or written.
    #[error(transparent)]
    Space(#[from] SpaceError),
}

impl From<StoreError> for CheckpointError {
    fn from(error: StoreError) -> CheckpointError {
        CheckpointError::Space(error.into())
    }
}

fn check(field: &'static str, text: &str, least: usize, most: usize) -> Result<(), CheckpointError> {
    let bytes = text.len();
    match (least..=most).contains(&bytes) {
        true => Ok(()),
        false => Err(CheckpointError::Length {
            field,
            bytes,
            least,
            most,
        }),
    }
}

impl CheckpointAddress {
    fn check(&self) -> Result<(), CheckpointError> {
        check("checkpoint_id", &self.id, 1, ID_BYTES_MAX)?;
        check("thread_id", &self.thread, 1, THREAD_BYTES_MAX)?;
        check("checkpoint_ns", &self.namespace, 0, NAMESPACE_BYTES_MAX)
    }
}

impl Blob {
    fn check(&self) -> Result<(), CheckpointError> {
        check("type", &self.format, 0, LABEL_BYTES_MAX)?;
        check("data", &self.base64, 0, BLOB_BYTES_MAX)
    }
}
