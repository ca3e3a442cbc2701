//! Moving the write-ahead log into the database, after the callers have their answers.

use std::time::Duration;

use rusqlite::wal::CheckpointMode;
use rusqlite::{Connection, ErrorCode, MAIN_DB};

use super::connection::BUSY_TIMEOUT;

/// After so many pages the log is moved as far as readers allow: 4 MB. It is then written from its
/// start again, so that a commit changes no file's length, which would cost another write to the
/// disk.
pub(super) const LOG_PAGES_DUE: u32 = 1000;

/// From this length on the readers are waited for, so that the log cannot grow without bound: 128
/// MB.
const LOG_PAGES_LONG: i32 = 32_000;

/// How long writing may stand still for readers to finish.
const READERS_TIMEOUT: Duration = Duration::from_millis(50);

/// Counts the pages in the log.
pub(super) fn frames(connection: &Connection) -> rusqlite::Result<u32> {
    let (frames, _) = connection.wal_checkpoint_v2(Some(MAIN_DB), CheckpointMode::NOOP)?;
    // Negative where there is no log.
    Ok(u32::try_from(frames).unwrap_or(0))
}

/// Moves as much of the log as readers allow, and cuts a very long one to nothing.
pub(super) fn move_log(connection: &Connection) -> rusqlite::Result<()> {
    let (pages, moved) = connection.wal_checkpoint_v2(Some(MAIN_DB), CheckpointMode::PASSIVE)?;
    // If less was moved, a long read such as a backup still needs the log. Waiting for it would
    // stop all writes.
    if LOG_PAGES_LONG <= pages && moved == pages {
        truncate(connection)?;
    }
    Ok(())
}

/// Moves the whole log and cuts it to nothing. Gives false when a reader still needs it.
pub(super) fn truncate(connection: &Connection) -> rusqlite::Result<bool> {
    connection.busy_timeout(READERS_TIMEOUT)?;
    let truncated = connection.wal_checkpoint_v2(Some(MAIN_DB), CheckpointMode::TRUNCATE);
    connection.busy_timeout(BUSY_TIMEOUT)?;
    match truncated {
        Ok(_) => Ok(true),
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) => Ok(false),
        Err(error) => Err(error),
    }
}
