//! The data directory: made for its owner alone, and held by one process at a time.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use super::error::OpenError;

/// The name of the database within the data directory.
pub const DATABASE_FILE: &str = "recalld.db";

/// The name of the file by which a process locks the data directory.
pub const LOCK_FILE: &str = "recalld.lock";

/// A data directory that this process holds until the value is dropped, or the process dies in any
/// way.
#[derive(Debug)]
pub(super) struct Directory {
    path: PathBuf,
    lock: File,
}

impl Directory {
    /// Creates the directory if it is missing, and locks it.
    pub(super) fn hold(path: &Path) -> Result<Directory, OpenError> {
        let unusable = |source| OpenError::Directory {
            directory: path.to_owned(),
            source,
        };
        create_private_directory(path).map_err(unusable)?;
        let mut lock = private_file().open(path.join(LOCK_FILE)).map_err(unusable)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(OpenError::Locked {
                    directory: path.to_owned(),
                    pid: read_pid(&mut lock),
                });
            }
            Err(TryLockError::Error(source)) => return Err(unusable(source)),
        }
        write_pid(&mut lock).map_err(unusable)?;
        let directory = Directory {
            path: path.to_owned(),
            lock,
        };
        directory.prepare_database().map_err(unusable)?;
        Ok(directory)
    }

    /// Returns where it is.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns where the database is.
    pub(super) fn database(&self) -> PathBuf {
        self.path.join(DATABASE_FILE)
    }

    /// Returns who else could read the files.
    pub(super) fn faults(&self) -> Vec<String> {
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = |path: &Path| fs::metadata(path).map_or(0, |metadata| metadata.permissions().mode());
            // Other users cannot reach a file in a private directory.
            if mode(&self.path) & 0o077 != 0 && mode(&self.database()) & 0o077 != 0 {
                return vec![format!(
                    "{} can be read by other users of this machine",
                    self.database().display()
                )];
            }
        }
        Vec::new()
    }

    /// Makes an empty file for SQLite to fill: it gives its other files the same permissions. The
    /// name has to be on disk before anything is acknowledged.
    fn prepare_database(&self) -> io::Result<()> {
        if self.database().exists() {
            return Ok(());
        }
        private_file().open(self.database())?.sync_all()?;
        sync_directory(&self.path)?;
        match self.path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => sync_directory(parent),
            _ => Ok(()),
        }
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        // Closing would not do: a process that is being started at this moment has a copy of the
        // file for a while. If this fails the lock ends with the last copy.
        let _ = self.lock.unlock();
    }
}

/// Opens files for reading and writing, made for their owner alone.
pub(super) fn private_file() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Makes sure that the names in a directory are on disk.
pub(super) fn sync_directory(path: &Path) -> io::Result<()> {
    // Elsewhere a directory cannot be opened as a file, and the file system does this by itself.
    match cfg!(unix) {
        true => File::open(path)?.sync_all(),
        false => Ok(()),
    }
}

/// Creates a directory for its owner alone, if it is missing.
pub(super) fn create_private_directory(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

fn write_pid(lock: &mut File) -> io::Result<()> {
    lock.set_len(0)?;
    lock.rewind()?;
    writeln!(lock, "{}", std::process::id())?;
    lock.flush()
}

fn read_pid(lock: &mut File) -> Option<u32> {
    let mut text = String::new();
    lock.take(32).read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
}
