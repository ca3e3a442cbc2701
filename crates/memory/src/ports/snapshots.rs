//! The port for what was worked out of a space and is kept between two starts.

use std::fmt::Debug;

use async_trait::async_trait;

use crate::id::SpaceId;

/// Where what was worked out of spaces is kept. All of it can be worked out again: losing it loses
/// time alone, so nothing here fails.
#[async_trait]
pub trait Snapshots: Debug + Send + Sync {
    /// Reads what was kept of a space, just as it was given. None if nothing was, or if it was
    /// changed since.
    async fn read(&self, space: &SpaceId) -> Option<Vec<u8>>;

    /// Gives the right to keep what is read from now on.
    fn permit(&self) -> SnapshotPermit;

    /// Keeps it in place of what was kept before, unless anything was erased since the permit was
    /// given: what is erased must not be kept here. Tells whether it did.
    async fn keep(&self, space: &SpaceId, permit: SnapshotPermit, bytes: Vec<u8>) -> bool;
}

/// The right to keep something that was read after it was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SnapshotPermit(pub u64);
