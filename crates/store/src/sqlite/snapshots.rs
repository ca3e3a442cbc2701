//! What the engine worked out of spaces, kept beside the database for the next start: one file a
//! space.
//!
//! The files hold words of memories. So an erasure begins with removing the file of its space, for
//! good, and until it is committed none is put in its place; what was read before it began is never
//! kept afterwards. A process that dies at any point leaves either a file with nothing of what was
//! erased, or an erasure that was not answered.

mod file;
#[cfg(test)]
mod tests;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use parking_lot::Mutex;
use recalld_memory::change::{Change, Effect};
use recalld_memory::id::SpaceId;
use recalld_memory::ports::{SnapshotPermit, Snapshots, StoreError};
use sha2::{Digest, Sha256};

use super::SqliteStore;
use super::directory::{create_private_directory, sync_directory};

/// The folder within the data directory.
const FOLDER: &str = "snapshots";

/// The file that grows until it is whole. There is one, since one snapshot is written at a time.
const PARTIAL_FILE: &str = "partial";

/// The snapshots of one data directory. Clones share everything.
#[derive(Clone, Debug)]
pub(super) struct SnapshotFiles(Arc<Files>);

#[derive(Debug)]
struct Files {
    folder: PathBuf,
    erasures: Mutex<Erasures>,
    writing: Mutex<()>,
}

#[derive(Debug, Default)]
struct Erasures {
    /// Counts how often one began or ended.
    count: u64,
    /// How many are under way.
    open: usize,
}

impl Erasures {
    fn permit(&self, permit: SnapshotPermit) -> bool {
        self.open == 0 && self.count == permit.0
    }
}

impl SnapshotFiles {
    /// Keeps them in `directory`. Removes what a process that died has left half written.
    pub(super) fn within(directory: &Path) -> SnapshotFiles {
        let folder = directory.join(FOLDER);
        // Usually there is none. Where it cannot be removed, nothing can be written either.
        let _ = fs::remove_file(folder.join(PARTIAL_FILE));
        SnapshotFiles(Arc::new(Files {
            folder,
            erasures: Mutex::default(),
            writing: Mutex::default(),
        }))
    }

    /// Removes the file of a space, and sees that none takes its place before the erasure is over.
    pub(super) async fn begin_erasure(&self, space: &SpaceId) -> Result<Erasure, StoreError> {
        let (files, space) = (Arc::clone(&self.0), space.clone());
        let begun = tokio::task::spawn_blocking(move || {
            let erasure = Erasure::open(&files);
            files.remove(&space).map(|()| erasure)
        });
        let failed = |cause: Box<dyn std::error::Error + Send + Sync>| StoreError::Failed(cause);
        begun
            .await
            .map_err(|error| failed(error.into()))?
            .map_err(|error| failed(error.into()))
    }
}

impl Files {
    fn remove(&self, space: &SpaceId) -> io::Result<()> {
        let is_gone = |path: PathBuf| match fs::remove_file(path) {
            Ok(()) => Ok(true),
            Err(error) if is_absent(&error) => Ok(false),
            Err(error) => Err(error),
        };
        let removed = is_gone(self.path(space))?;
        // Whatever is being written was permitted before, and ends in vain.
        let interrupted = is_gone(self.folder.join(PARTIAL_FILE))?;
        match removed || interrupted {
            // A machine that loses its power now must not bring it back.
            true => sync_directory(&self.folder),
            false => Ok(()),
        }
    }

    /// The name tells nobody whose space it is.
    fn path(&self, space: &SpaceId) -> PathBuf {
        let digest = Sha256::digest(space.as_str());
        let name = data_encoding::HEXLOWER.encode(&digest[..16]);
        self.folder.join(name)
    }

    fn write(&self, space: &SpaceId, permit: SnapshotPermit, bytes: &[u8]) -> io::Result<bool> {
        let _one_at_a_time = self.writing.lock();
        let partial = self.folder.join(PARTIAL_FILE);
        let mut file = {
            let erasures = self.erasures.lock();
            if !erasures.permit(permit) {
                return Ok(false);
            }
            create_private_directory(&self.folder)?;
            file::create(&partial)?
        };
        let written = file::write(&mut file, space, bytes);
        drop(file);
        let erasures = self.erasures.lock();
        let kept = match written {
            Ok(()) if erasures.permit(permit) => fs::rename(&partial, self.path(space)).map(|()| true),
            Ok(()) => Ok(false),
            Err(error) => Err(error),
        };
        if !matches!(kept, Ok(true)) {
            // An erasure has removed it already.
            let _ = fs::remove_file(&partial);
        }
        kept
    }
}

#[async_trait]
impl Snapshots for SnapshotFiles {
    async fn read(&self, space: &SpaceId) -> Option<Vec<u8>> {
        let (path, space) = (self.0.path(space), space.clone());
        let read = tokio::task::spawn_blocking(move || file::read(&path, &space));
        read.await.ok().flatten()
    }

    fn permit(&self) -> SnapshotPermit {
        SnapshotPermit(self.0.erasures.lock().count)
    }

    async fn keep(&self, space: &SpaceId, permit: SnapshotPermit, bytes: Vec<u8>) -> bool {
        let (files, space) = (Arc::clone(&self.0), space.clone());
        let written = tokio::task::spawn_blocking(move || files.write(&space, permit, &bytes));
        match written.await {
            Ok(Ok(is_kept)) => is_kept,
            Ok(Err(error)) => {
                tracing::debug!(%error, "a snapshot could not be written; the next start takes longer");
                false
            }
            Err(_) => false,
        }
    }
}

impl SqliteStore {
    /// Returns where what the engine works out is kept for the next start; none in memory.
    pub fn snapshots(&self) -> Option<Arc<dyn Snapshots>> {
        let files = self.snapshots.clone()?;
        Some(Arc::new(files))
    }

    /// Begins an erasure: nothing of the space is kept for the next start until it is over.
    pub(super) async fn begin_erasure(&self, space: &SpaceId) -> Result<Option<Erasure>, StoreError> {
        match &self.snapshots {
            Some(files) => files.begin_erasure(space).await.map(Some),
            None => Ok(None),
        }
    }

    /// The same if `changes` erase what is kept there.
    pub(super) async fn begin_erasure_of(
        &self,
        space: &SpaceId,
        changes: &[Change],
    ) -> Result<Option<Erasure>, StoreError> {
        let is_erasure = |change: &Change| matches!(change.effect, Effect::EraseMemory { .. });
        match changes.iter().any(is_erasure) {
            true => self.begin_erasure(space).await,
            false => Ok(None),
        }
    }
}

/// An erasure that is under way, until it is dropped.
#[derive(Debug)]
pub(super) struct Erasure(Arc<Files>);

impl Erasure {
    fn open(files: &Arc<Files>) -> Erasure {
        let mut erasures = files.erasures.lock();
        erasures.count += 1;
        erasures.open += 1;
        Erasure(Arc::clone(files))
    }
}

impl Drop for Erasure {
    fn drop(&mut self) {
        let mut erasures = self.0.erasures.lock();
        erasures.count += 1;
        erasures.open -= 1;
    }
}

/// Whether there is no such file, or not even a folder for it.
fn is_absent(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

/// Removes all snapshots of a data directory whose database is replaced.
pub(super) fn remove_all(directory: &Path) -> io::Result<()> {
    match fs::remove_dir_all(directory.join(FOLDER)) {
        Err(error) if is_absent(&error) => Ok(()),
        removed => removed,
    }
}
