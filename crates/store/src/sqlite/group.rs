//! Group commit: many writes, one transaction, one fsync.
//!
//! A conflict is found before anything is written, so the others go on. A write that fails half
//! way, which is rare, ends the group, and all are carried out again, each in a transaction of its
//! own: it is undone alone. That is cheaper than a savepoint for every write. Nobody is answered
//! before the commit.

use std::slice;

use recalld_memory::change::{Change, Revision};
use recalld_memory::id::SpaceId;
use recalld_memory::ports::StoreError;
use rusqlite::Connection;
use tokio::sync::oneshot;

use super::apply;
use super::error::{Failure, SqlResult};
use super::snapshots::Erasure;

/// One call of `apply` that waits for its turn.
#[derive(Debug)]
pub(super) struct Write {
    pub(super) space: SpaceId,
    pub(super) revision: Revision,
    pub(super) changes: Vec<Change>,
    /// Is over when it is committed.
    pub(super) erasure: Option<Erasure>,
    pub(super) reply: oneshot::Sender<Outcome>,
}

/// What became of one write.
pub(super) type Outcome = Result<Revision, StoreError>;

/// Carries out `writes` in their order, and tells what became of each. Those that succeeded are on
/// disk.
pub(super) fn commit(connection: &Connection, writes: &[Write]) -> Vec<Outcome> {
    let attempt = commit_together(connection, writes);
    if attempt.is_err() {
        roll_back(connection);
    }
    match attempt {
        Ok(outcomes) => outcomes,
        Err(Broken::InWrite(_)) if 1 < writes.len() => writes
            .iter()
            .flat_map(|write| commit(connection, slice::from_ref(write)))
            .collect(),
        Err(Broken::InWrite(failure) | Broken::AtCommit(failure)) => shared_by_all(failure, writes.len()),
    }
}

/// Where a group came to its end.
enum Broken {
    InWrite(Failure),
    AtCommit(Failure),
}

/// Undoes whatever is open.
pub(super) fn roll_back(connection: &Connection) {
    if connection.is_autocommit() {
        return;
    }
    if let Err(error) = connection.execute_batch("ROLLBACK") {
        tracing::error!(%error, "a failed transaction could not be rolled back");
    }
}

fn commit_together(connection: &Connection, writes: &[Write]) -> Result<Vec<Outcome>, Broken> {
    execute(connection, "BEGIN IMMEDIATE").map_err(Broken::AtCommit)?;
    let mut outcomes = Vec::with_capacity(writes.len());
    for write in writes {
        match apply::apply(connection, &write.space, write.revision, &write.changes) {
            Ok(revision) => outcomes.push(Ok(revision)),
            Err(Failure::Store(conflict @ StoreError::Conflict { .. })) => outcomes.push(Err(conflict)),
            Err(failure) => return Err(Broken::InWrite(failure)),
        }
    }
    execute(connection, "COMMIT").map_err(Broken::AtCommit)?;
    Ok(outcomes)
}

fn execute(connection: &Connection, sql: &str) -> SqlResult<()> {
    connection.prepare_cached(sql)?.execute([])?;
    Ok(())
}

/// Copies a failure for each of `count` callers.
fn shared_by_all(failure: Failure, count: usize) -> Vec<Outcome> {
    let error = StoreError::from(failure);
    if count == 1 {
        return vec![Err(error)];
    }
    let again = |error: &StoreError| match error {
        StoreError::Full(cause) => StoreError::Full(cause.to_string().into()),
        StoreError::Corrupt { what } => StoreError::Corrupt { what: what.clone() },
        StoreError::Damaged { table, id } => StoreError::Damaged {
            table,
            id: id.clone(),
        },
        StoreError::Unavailable { reason } => StoreError::Unavailable {
            reason: reason.clone(),
        },
        StoreError::Failed(cause) => StoreError::Failed(cause.to_string().into()),
        StoreError::Conflict { expected, at } => StoreError::Conflict {
            expected: *expected,
            at: *at,
        },
    };
    (0..count).map(|_| Err(again(&error))).collect()
}
