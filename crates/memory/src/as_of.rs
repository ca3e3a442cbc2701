//! What was remembered at some moment: every memory as it stood then.

use jiff::Timestamp;

use crate::change::Version;
use crate::id::MemoryId;
use crate::memory::Memory;
use crate::ports::{Ports, StoreError};
use crate::scope::Scope;

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

/// Finds the state that a memory had at `at`; none if it was not known yet.
pub fn version_at(versions: &[Version], at: Timestamp) -> Option<&Version> {
    versions.iter().rev().find(|version| version.stamp.at <= at)
}

/// Reads the history of every memory of the space, one after the other.
pub(crate) async fn each_history(
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
