//! Errors of SQLite, and how they map to errors of the port and of opening a store.

use std::io;
use std::path::PathBuf;

use recalld_memory::ports::StoreError;
use rusqlite::ErrorCode;
use thiserror::Error;

/// Why a store could not be opened.
#[derive(Debug, Error)]
pub enum OpenError {
    /// The directory or a file in it cannot be made or read.
    #[error("the data directory {} cannot be used", directory.display())]
    Directory {
        directory: PathBuf,
        #[source]
        source: io::Error,
    },
    /// Another process works on the same directory.
    #[error("the data directory {} is in use by {}", directory.display(), holder(*pid))]
    Locked { directory: PathBuf, pid: Option<u32> },
    /// The file in place of the database is something else.
    #[error("{} is not a database of recalld", path.display())]
    Foreign { path: PathBuf },
    /// The database was written by a later version of this program.
    #[error("{} has schema {found}, and this version of recalld knows schemas up to {known}", path.display())]
    Newer { path: PathBuf, found: i64, known: i64 },
    /// The database is damaged.
    #[error("{} is damaged", path.display())]
    Corrupt {
        path: PathBuf,
        #[source]
        source: rusqlite::Error,
    },
    /// A step of the schema could not be made. What was there before is untouched.
    #[error("the schema step {step} failed")]
    Migration {
        step: &'static str,
        #[source]
        source: rusqlite::Error,
    },
    /// SQLite refused for another reason.
    #[error("{} cannot be opened", path.display())]
    Failed {
        path: PathBuf,
        #[source]
        source: rusqlite::Error,
    },
    /// A thread of the store could not be started.
    #[error("a thread of the store cannot be started")]
    Thread(#[source] io::Error),
}

fn holder(pid: Option<u32>) -> String {
    match pid {
        Some(pid) => format!("process {pid}"),
        None => "another process".to_owned(),
    }
}

impl OpenError {
    /// Says what a person can do about it, where there is something.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            OpenError::Locked { .. } => {
                Some("stop that process, ask it instead, or choose another directory")
            }
            OpenError::Foreign { .. } => Some("choose another directory, or move that file away"),
            OpenError::Newer { .. } => Some(
                "use the newer version of recalld that wrote it, or restore a backup that was made before the upgrade",
            ),
            OpenError::Corrupt { .. } => Some("restore the newest backup"),
            _ => None,
        }
    }

    pub(super) fn of(path: &std::path::Path, source: rusqlite::Error) -> OpenError {
        let path = path.to_owned();
        match source.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => OpenError::Foreign { path },
            Some(ErrorCode::DatabaseCorrupt) => OpenError::Corrupt { path, source },
            _ => OpenError::Failed { path, source },
        }
    }
}

/// What a statement or a row gave instead of an answer. It exists so that `?` works on both.
#[derive(Debug)]
pub(super) enum Failure {
    Sql(rusqlite::Error),
    Store(StoreError),
}

/// The answer of everything that runs on a connection.
pub(super) type SqlResult<T> = Result<T, Failure>;

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Failure {
        Failure::Sql(error)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Failure {
        Failure::Store(error)
    }
}

impl From<Failure> for StoreError {
    fn from(failure: Failure) -> StoreError {
        match failure {
            Failure::Store(error) => error,
            Failure::Sql(error) => store_error(error),
        }
    }
}

fn store_error(error: rusqlite::Error) -> StoreError {
    use rusqlite::Error::{FromSqlConversionFailure, IntegralValueOutOfRange, InvalidColumnType, Utf8Error};
    if matches!(
        error,
        FromSqlConversionFailure(..) | IntegralValueOutOfRange(..) | InvalidColumnType(..) | Utf8Error(..)
    ) {
        return StoreError::Corrupt {
            what: error.to_string(),
        };
    }
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => StoreError::Full(error.into()),
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => StoreError::Corrupt {
            what: error.to_string(),
        },
        // These may pass: a disk that fails, a file system that is read-only, another process.
        Some(
            ErrorCode::DatabaseBusy
            | ErrorCode::DatabaseLocked
            | ErrorCode::CannotOpen
            | ErrorCode::SystemIoFailure
            | ErrorCode::ReadOnly
            | ErrorCode::PermissionDenied
            | ErrorCode::FileLockingProtocolFailed
            | ErrorCode::OutOfMemory
            | ErrorCode::OperationInterrupted
            | ErrorCode::OperationAborted,
        ) => StoreError::Unavailable {
            reason: error.to_string(),
        },
        _ => StoreError::Failed(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use rusqlite::ffi;

    use super::*;

    fn of_code(code: i32) -> StoreError {
        store_error(rusqlite::Error::SqliteFailure(ffi::Error::new(code), None))
    }

    #[test]
    fn what_the_disk_refuses_is_no_fault_of_the_program() {
        let unavailable = [
            ffi::SQLITE_IOERR,
            ffi::SQLITE_IOERR_READ,
            ffi::SQLITE_IOERR_WRITE,
            ffi::SQLITE_IOERR_FSYNC,
            ffi::SQLITE_IOERR_SHORT_READ,
            ffi::SQLITE_READONLY,
            ffi::SQLITE_READONLY_DBMOVED,
            ffi::SQLITE_CANTOPEN,
            ffi::SQLITE_PERM,
            ffi::SQLITE_BUSY,
            ffi::SQLITE_BUSY_SNAPSHOT,
            ffi::SQLITE_LOCKED,
            ffi::SQLITE_PROTOCOL,
            ffi::SQLITE_NOMEM,
        ];
        for code in unavailable {
            let error = of_code(code);
            assert!(
                matches!(error, StoreError::Unavailable { .. }),
                "{code}: {error:?}"
            );
        }
        let full = of_code(ffi::SQLITE_FULL);
        assert!(matches!(full, StoreError::Full(_)), "{full:?}");
        for code in [ffi::SQLITE_CORRUPT, ffi::SQLITE_CORRUPT_INDEX, ffi::SQLITE_NOTADB] {
            let error = of_code(code);
            assert!(matches!(error, StoreError::Corrupt { .. }), "{code}: {error:?}");
        }
        for code in [ffi::SQLITE_CONSTRAINT, ffi::SQLITE_MISUSE, ffi::SQLITE_TOOBIG] {
            let error = of_code(code);
            assert!(matches!(error, StoreError::Failed(_)), "{code}: {error:?}");
        }
    }
}
