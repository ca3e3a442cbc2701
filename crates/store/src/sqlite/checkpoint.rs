//! Moving the write-ahead log into the database, when the callers have their answers.

use std::time::Duration;

use rusqlite::wal::CheckpointMode;
use rusqlite::{Connection, MAIN_DB};

use super::connection::BUSY_TIMEOUT;

/// From this length on the log is moved as far as readers allow: 32 MB.
const LOG_PAGES_DUE: i32 = 8000;

/// From this length on the readers are waited for, so that the log cannot grow for ever: 128 MB.
const LOG_PAGES_LONG: i32 = 32_000;

/// How long writing may stand still for readers to finish.
const READERS_TIMEOUT: Duration = Duration::from_millis(50);

/// Moves the log when it has grown long. A failure costs nothing but the next attempt.
pub(super) fn when_due(connection: &Connection) {
    if let Err(error) = move_when_due(connection) {
        tracing::debug!(%error, "the write-ahead log could not be moved into the database");
    }
}

fn move_when_due(connection: &Connection) -> rusqlite::Result<()> {
    let (pages, _) = connection.wal_checkpoint_v2(Some(MAIN_DB), CheckpointMode::NOOP)?;
    if pages < LOG_PAGES_DUE {
        return Ok(());
    }
    let (pages, moved) = connection.wal_checkpoint_v2(Some(MAIN_DB), CheckpointMode::PASSIVE)?;
    // When less was moved, somebody reads from long ago, a backup perhaps: waiting would stop all
    // writing.
    match LOG_PAGES_LONG <= pages && moved == pages {
        true => truncate(connection),
        false => Ok(()),
    }
}

/// Moves the whole log and cuts it to nothing. Fails when a reader still needs it.
pub(super) fn truncate(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(READERS_TIMEOUT)?;
    let truncated = connection.wal_checkpoint_v2(Some(MAIN_DB), CheckpointMode::TRUNCATE);
    connection.busy_timeout(BUSY_TIMEOUT)?;
    truncated.map(|_| ())
}
