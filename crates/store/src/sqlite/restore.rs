//! Puts a backup in the place of the database, whole or not at all.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags};
use thiserror::Error;

use super::directory::{DATABASE_FILE, Directory, private_file, sync_directory};
use super::error::OpenError;
use super::{log, migrate, snapshots};

/// What to do with an existing database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// It stays, and nothing is restored.
    Keep,
    /// The backup takes its place.
    Replace,
}

/// Why a backup could not be put in place. What was there before is still there.
#[derive(Debug, Error)]
pub enum RestoreError {
    /// There is a database already.
    #[error("{} already contains memories", directory.display())]
    Occupied { directory: PathBuf },
    /// The file cannot be read, or not be copied.
    #[error("{} cannot be copied", path.display())]
    File {
        path: PathBuf,
        #[source]
        source: io::Error,
    },
    /// The file is a database of recalld with damage.
    #[error("{} is damaged: {verdict}", path.display())]
    Damaged { path: PathBuf, verdict: String },
    /// The directory is in use, or the file is not a backup that this version reads.
    #[error(transparent)]
    Open(#[from] OpenError),
}

/// The file that grows until the copy is whole.
const PARTIAL_FILE: &str = "recalld.db.restoring";

/// The offset of the application id in the header of a database.
const APPLICATION_AT: usize = 68;

/// Returns whether the file is a database of recalld, by its first bytes.
pub fn is_backup(path: &Path) -> bool {
    let mut head = [0; APPLICATION_AT + 4];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut head));
    let application = i64::from(u32::from_be_bytes([head[68], head[69], head[70], head[71]]));
    read.is_ok() && head.starts_with(b"SQLite format 3\0") && application == migrate::APPLICATION_ID
}

/// Replaces the contents of `directory` by those of the backup, which is only read.
pub fn restore(directory: &Path, backup: &Path, existing: Existing) -> Result<(), RestoreError> {
    let database = directory.join(DATABASE_FILE);
    let is_occupied = || fs::metadata(&database).is_ok_and(|metadata| 0 < metadata.len());
    let occupied = || RestoreError::Occupied {
        directory: directory.to_owned(),
    };
    if is_occupied() && existing == Existing::Keep {
        return Err(occupied());
    }
    let held = Directory::hold(directory)?;
    // Checked again under the lock: nobody else can write from here on.
    if is_occupied() && existing == Existing::Keep {
        return Err(occupied());
    }
    let partial = directory.join(PARTIAL_FILE);
    let placed = copy(backup, &partial)
        .and_then(|()| examine(backup, &partial))
        .and_then(|()| put_in_place(directory, &partial, &held.database()));
    if placed.is_err() {
        // The file may be missing; the next attempt replaces it anyway.
        let _ = fs::remove_file(&partial);
    }
    placed
}

fn copy(backup: &Path, partial: &Path) -> Result<(), RestoreError> {
    let failed = |source| RestoreError::File {
        path: backup.to_owned(),
        source,
    };
    let mut from = File::open(backup).map_err(failed)?;
    let mut to = private_file().truncate(true).open(partial).map_err(failed)?;
    io::copy(&mut from, &mut to)
        .and_then(|_| to.sync_all())
        .map_err(failed)
}

/// Checks the pages and indexes of the copy. Errors name the file that it was copied from.
fn examine(backup: &Path, partial: &Path) -> Result<(), RestoreError> {
    let failed = |source| RestoreError::Open(OpenError::of(backup, source));
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(partial, flags).map_err(failed)?;
    migrate::recognise(&connection, backup, &migrate::STEPS)?;
    let tables: i64 = connection
        .query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))
        .map_err(failed)?;
    if tables == 0 {
        let path = backup.to_owned();
        return Err(OpenError::Foreign { path }.into());
    }
    let verdict: String = connection
        .query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))
        .map_err(failed)?;
    match verdict.as_str() {
        "ok" => Ok(()),
        _ => Err(RestoreError::Damaged {
            path: backup.to_owned(),
            verdict,
        }),
    }
}

fn put_in_place(directory: &Path, partial: &Path, database: &Path) -> Result<(), RestoreError> {
    let failed = |source| RestoreError::File {
        path: database.to_owned(),
        source,
    };
    settle(database);
    snapshots::remove_all(directory).map_err(failed)?;
    for beside in [log::path(database), database.with_extension("db-shm")] {
        match fs::remove_file(&beside) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(error)),
            _ => {}
        }
    }
    fs::rename(partial, database)
        .and_then(|()| sync_directory(directory))
        .map_err(failed)
}

/// Brings the log of the former database into its file, so that it is whole should this be cut
/// short here. One that is damaged cannot be settled, and is about to go.
fn settle(database: &Path) {
    if !log::path(database).exists() {
        return;
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let settled = Connection::open_with_flags(database, flags)
        .and_then(|connection| connection.pragma_update(None, "journal_mode", "delete"));
    if let Err(error) = settled {
        tracing::warn!(%error, "the database that is replaced could not be closed in order");
    }
}
