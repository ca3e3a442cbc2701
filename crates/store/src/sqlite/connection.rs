//! Connections with the settings that the promises of the store rest on.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use super::error::OpenError;
use super::migrate;

/// How long a statement waits for a lock. Within one process only a checkpoint ever does.
pub(super) const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// The size of the cache of prepared statements: enough for all of this crate.
const STATEMENTS_KEPT: usize = 128;

/// Opens the one connection that writes, and brings the schema up to date.
pub(super) fn open_writer(path: &Path, bytes_max: Option<u64>) -> Result<Connection, OpenError> {
    let failed = |source| OpenError::of(path, source);
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(path, flags).map_err(failed)?;
    // Before anything is set: what is not ours must stay as it is.
    migrate::recognise(&connection, path, &migrate::STEPS)?;
    connection
        .pragma_update(None, "journal_mode", "wal")
        .map_err(failed)?;
    set_up(&connection, bytes_max).map_err(failed)?;
    migrate::migrate(&mut connection, path, &migrate::STEPS)?;
    Ok(connection)
}

/// Opens a database that lives as long as its connection.
pub(super) fn open_in_memory() -> Result<Connection, OpenError> {
    let path = Path::new(":memory:");
    let failed = |source| OpenError::of(path, source);
    let mut connection = Connection::open_in_memory().map_err(failed)?;
    set_up(&connection, None).map_err(failed)?;
    migrate::migrate(&mut connection, path, &migrate::STEPS)?;
    Ok(connection)
}

/// Opens a connection that cannot write.
pub(super) fn open_reader(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS_KEPT);
    // What was read is held in the spaces' views; the pages are seldom asked for again.
    connection.pragma_update(None, "cache_size", -512)?;
    // Sorting must not leave content in temporary files.
    connection.pragma_update(None, "temp_store", "memory")?;
    Ok(connection)
}

fn set_up(connection: &Connection, bytes_max: Option<u64>) -> rusqlite::Result<()> {
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS_KEPT);
    connection.pragma_update(None, "synchronous", "full")?;
    connection.pragma_update(None, "secure_delete", "on")?;
    connection.pragma_update(None, "foreign_keys", "on")?;
    connection.pragma_update(None, "temp_store", "memory")?;
    connection.pragma_update(None, "cache_size", -16 * 1024)?;
    // The writer thread does it when the callers have their answers.
    connection.pragma_update(None, "wal_autocheckpoint", 0)?;
    if let Some(bytes) = bytes_max {
        let page: u64 = connection.query_row("PRAGMA page_size", [], |row| row.get(0))?;
        let pages = (bytes / page.max(1)).clamp(1, u64::from(u32::MAX - 1));
        connection.pragma_update(None, "max_page_count", pages)?;
    }
    Ok(())
}
