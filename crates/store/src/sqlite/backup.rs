//! A copy of the whole database as of one moment, made while writes go on.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use recalld_memory::ports::StoreError;
use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, OpenFlags};
use thiserror::Error;

use super::SqliteStore;
use super::directory::{private_file, sync_directory};
use super::error::SqlResult;

/// Why a backup could not be made. Nothing is left under the name that was asked for.
#[derive(Debug, Error)]
pub enum BackupError {
    /// There is something already, and a backup never overwrites.
    #[error("{} already exists", path.display())]
    Exists { path: PathBuf },
    /// The file cannot be made.
    #[error("{} cannot be written", path.display())]
    File {
        path: PathBuf,
        #[source]
        source: io::Error,
    },
    /// The database cannot be read or the copy not be written.
    #[error("the copy failed")]
    Store(#[from] StoreError),
}

impl SqliteStore {
    /// Writes a copy of everything, as of one moment, to the new file `to`. Writes continue
    /// meanwhile.
    pub async fn backup(&self, to: &Path) -> Result<(), BackupError> {
        let partial = begin(to)?;
        let file = partial.clone();
        let copied = self.ask(move |connection| copy(connection, &file)).await;
        if let Err(error) = copied {
            abandon(&partial);
            return Err(error.into());
        }
        finish(&partial, to)
    }
}

/// The file that grows until the backup is whole.
pub(super) fn partial(to: &Path) -> PathBuf {
    let mut name = OsString::from(to);
    name.push(".partial");
    PathBuf::from(name)
}

/// Makes an empty file for its owner alone, where the copy will grow. An abandoned one is begun
/// anew.
pub(super) fn begin(to: &Path) -> Result<PathBuf, BackupError> {
    if to.symlink_metadata().is_ok() {
        return Err(BackupError::Exists { path: to.to_owned() });
    }
    let partial = partial(to);
    let created = private_file().truncate(true).open(&partial);
    created.map_err(|source| BackupError::File {
        path: partial.clone(),
        source,
    })?;
    Ok(partial)
}

/// Copies the database of `connection` into the file, and examines the copy.
pub(super) fn copy(connection: &Connection, file: &Path) -> SqlResult<()> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut target = Connection::open_with_flags(file, flags)?;
    let backup = Backup::new(connection, &mut target)?;
    // All pages in one step: one moment, and writers need not wait for it.
    let step = backup.step(-1)?;
    drop(backup);
    if step != StepResult::Done {
        return Err(unfinished("the database was busy"));
    }
    // A single file, without a log beside it.
    target.pragma_update(None, "journal_mode", "delete")?;
    let verdict: String = target.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    match verdict.as_str() {
        "ok" => Ok(()),
        _ => Err(unfinished(&verdict)),
    }
}

/// Returns the finished copy its name.
pub(super) fn finish(partial: &Path, to: &Path) -> Result<(), BackupError> {
    let finished = (|| {
        fs::File::open(partial)?.sync_all()?;
        // Unlike a rename, a link does not replace what came to be there meanwhile.
        fs::hard_link(partial, to).or_else(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => Err(error),
            _ => fs::rename(partial, to),
        })?;
        abandon(partial);
        match to.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => sync_directory(parent),
            _ => sync_directory(Path::new(".")),
        }
    })();
    finished.map_err(|source| BackupError::File {
        path: to.to_owned(),
        source,
    })
}

/// Removes what has been copied so far.
pub(super) fn abandon(partial: &Path) {
    // The file may be missing; the next backup replaces an unfinished one anyway.
    let _ = fs::remove_file(partial);
}

fn unfinished(why: &str) -> super::error::Failure {
    StoreError::Unavailable {
        reason: why.to_owned(),
    }
    .into()
}
