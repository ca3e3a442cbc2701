//! The embedded store: one SQLite database in a directory that one process locks.
//!
//! One thread writes and commits many requests at once. A few threads read, each from its own
//! snapshot.

mod administration;
mod apply;
mod backup;
mod checkpoint;
mod claims;
mod connection;
mod conversations;
mod directory;
mod entities;
mod erase;
mod error;
mod group;
mod job;
mod json;
mod keys;
mod knowledge;
mod log;
mod messages;
mod migrate;
mod overwrite;
mod page;
mod queries;
mod query;
mod readers;
mod records;
mod restore;
mod revisions;
mod rows;
mod snapshots;
mod vectors;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use recalld_index::model::EmbeddingModel;
use recalld_memory::change::{Change, Event, Revision, Version};
use recalld_memory::conversation::Message;
use recalld_memory::id::{ConversationId, MemoryId, MessageId, SpaceId};
use recalld_memory::ports::{
    Changed, ChangedKnowledge, ChangedMessages, EventPage, MessagePage, Store, StoreError,
};
use recalld_memory::record::{Record, RecordKind};
use recalld_memory::vector::{Vector, VectorKind};
use rusqlite::Connection;

pub use backup::BackupError;
pub use directory::{DATABASE_FILE, LOCK_FILE};
pub use error::OpenError;
pub use restore::{Existing, RestoreError, is_backup, restore};

use claims::Claims;
use directory::Directory;
use error::SqlResult;
use overwrite::{Overwriter, ReadLock};
use readers::Readers;
use revisions::Revisions;
use snapshots::SnapshotFiles;

use writer::Writer;

/// The options of a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The number of threads that read.
    pub readers: usize,
    /// The size at which the database is full. None means as large as the disk allows.
    pub bytes_max: Option<u64>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            readers: 4,
            bytes_max: None,
        }
    }
}

/// Memories in one SQLite database. Acknowledged means on disk.
///
/// The fields are dropped in order: the readers, the writer, and then the lock on the directory.
#[derive(Debug)]
pub struct SqliteStore {
    /// None in memory, where the writer's connection also reads.
    readers: Option<Readers>,
    writer: Writer,
    revisions: Arc<Revisions>,
    claims: Claims,
    /// None in memory, where nothing is kept for the next start.
    snapshots: Option<SnapshotFiles>,
    directory: Option<Directory>,
}

impl SqliteStore {
    /// Opens the store in `directory`, creates the directory if it is missing, and locks it until
    /// the store is dropped.
    pub fn open(directory: &Path) -> Result<SqliteStore, OpenError> {
        SqliteStore::open_with(directory, &Settings::default())
    }

    /// Opens the store in `directory` with other settings.
    pub fn open_with(directory: &Path, settings: &Settings) -> Result<SqliteStore, OpenError> {
        let directory = Directory::hold(directory)?;
        let path = directory.database();
        let log = log::path(&path);
        // A clean end removes the log. A process that was killed may have left erased content.
        let was_killed = log.exists();
        let connection = connection::open_writer(&path, settings.bytes_max)?;
        let read_lock = ReadLock::default();
        let mut overwriter = Overwriter::of_files(&connection, log, Arc::clone(&read_lock))
            .map_err(|source| OpenError::of(&path, source))?;
        if was_killed {
            overwriter.note_erasure();
        }
        let revisions = Arc::new(Revisions::default());
        let writer = Writer::start(connection, overwriter, revisions.clone())?;
        Ok(SqliteStore {
            readers: Some(Readers::start(&path, settings.readers, &read_lock)?),
            writer,
            revisions,
            claims: Claims::default(),
            snapshots: Some(SnapshotFiles::within(directory.path())),
            directory: Some(directory),
        })
    }

    /// Creates a store in memory, for development and tests.
    pub fn in_memory() -> Result<SqliteStore, OpenError> {
        let revisions = Arc::new(Revisions::default());
        Ok(SqliteStore {
            readers: None,
            writer: Writer::start(
                connection::open_in_memory()?,
                Overwriter::of_memory(),
                revisions.clone(),
            )?,
            revisions,
            claims: Claims::default(),
            snapshots: None,
            directory: None,
        })
    }

    /// Returns where the database is; none in memory.
    pub fn path(&self) -> Option<PathBuf> {
        self.directory.as_ref().map(Directory::database)
    }

    async fn ask<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> SqlResult<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        match &self.readers {
            Some(readers) => readers.ask(work).await,
            None => self.writer.ask(work).await,
        }
    }
}

#[async_trait]
impl Store for SqliteStore {
    async fn apply(
        &self,
        space: &SpaceId,
        revision: Revision,
        changes: &[Change],
    ) -> Result<Revision, StoreError> {
        let erasure = self.begin_erasure_of(space, changes).await?;
        self.writer.apply(space, revision, changes, erasure).await
    }

    async fn revision(&self, space: &SpaceId) -> Result<Revision, StoreError> {
        if let Some(revision) = self.revisions.get(space) {
            return Ok(revision);
        }
        let moment = self.revisions.moment();
        let asked = space.clone();
        let revision = self
            .ask(move |connection| query::revision(connection, &asked))
            .await?;
        self.revisions.read(moment, space, revision);
        Ok(revision)
    }

    async fn changed_since(&self, space: &SpaceId, since: Revision) -> Result<Changed, StoreError> {
        let space = space.clone();
        self.ask(move |connection| queries::changed_since(connection, &space, since))
            .await
    }

    async fn history(&self, space: &SpaceId, memory: MemoryId) -> Result<Vec<Version>, StoreError> {
        let space = space.clone();
        self.ask(move |connection| queries::history(connection, &space, memory))
            .await
    }

    async fn histories(
        &self,
        space: &SpaceId,
        after: Option<MemoryId>,
        limit: usize,
    ) -> Result<Vec<Version>, StoreError> {
        let space = space.clone();
        self.ask(move |connection| queries::histories(connection, &space, after, limit))
            .await
    }

    async fn record(
        &self,
        space: &SpaceId,
        kind: RecordKind,
        name: &str,
    ) -> Result<Option<Record>, StoreError> {
        let (space, name) = (space.clone(), name.to_owned());
        self.ask(move |connection| records::one(connection, &space, kind, &name))
            .await
    }

    async fn records(
        &self,
        space: &SpaceId,
        kind: RecordKind,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<Record>, StoreError> {
        let (space, after) = (space.clone(), after.map(str::to_owned));
        self.ask(move |connection| records::page(connection, &space, kind, after.as_deref(), limit))
            .await
    }

    async fn messages(
        &self,
        space: &SpaceId,
        conversation: &ConversationId,
        page: &MessagePage,
    ) -> Result<Vec<Message>, StoreError> {
        let (space, conversation, page) = (space.clone(), conversation.clone(), *page);
        self.ask(move |connection| messages::page(connection, &space, &conversation, &page))
            .await
    }

    async fn message(
        &self,
        space: &SpaceId,
        conversation: &ConversationId,
        id: &MessageId,
    ) -> Result<Option<Message>, StoreError> {
        let (space, conversation, id) = (space.clone(), conversation.clone(), id.clone());
        self.ask(move |connection| messages::one(connection, &space, &conversation, &id))
            .await
    }

    async fn messages_since(&self, space: &SpaceId, since: Revision) -> Result<ChangedMessages, StoreError> {
        let space = space.clone();
        self.ask(move |connection| messages::changed_since(connection, &space, since))
            .await
    }

    async fn knowledge_since(
        &self,
        space: &SpaceId,
        since: Revision,
    ) -> Result<ChangedKnowledge, StoreError> {
        let space = space.clone();
        self.ask(move |connection| knowledge::changed_since(connection, &space, since))
            .await
    }

    async fn vectors_since(
        &self,
        space: &SpaceId,
        model: &EmbeddingModel,
        kind: VectorKind,
        since: Revision,
    ) -> Result<Vec<Vector>, StoreError> {
        let (space, model) = (space.clone(), model.clone());
        self.ask(move |connection| vectors::since(connection, &space, &model, kind, since))
            .await
    }

    async fn events(&self, space: &SpaceId, page: &EventPage) -> Result<Vec<Event>, StoreError> {
        let (space, page) = (space.clone(), page.clone());
        self.ask(move |connection| queries::events(connection, &space, &page))
            .await
    }
}
