//! Notifies other servers of the spaces that this one wrote to, so that they can refresh what they
//! hold in memory. Nothing depends on it: a server that misses a notification finds the write by
//! the revision.
//!
//! Notifications are sent after the commit and in batches, because PostgreSQL commits transactions
//! that notify one at a time. Anybody who may connect can listen, so a space is named by a digest
//! that only those can compare who may read the database's id.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use data_encoding::HEXLOWER;
use parking_lot::Mutex;
use recalld_memory::id::SpaceId;
use recalld_memory::ports::StoreError;
use recalld_memory::vector::Vector;
use tokio::sync::OnceCell;

use super::error::{DbResult, Failure};
use super::identity::Identity;
use super::pool::{Pool, random_id};
use super::statement::Statement;
use super::{rows, transaction};

/// The channel of all notifications.
pub(super) const CHANNEL: &str = "recalld";

/// How long writes are collected before a notification is sent.
const BATCH_DELAY: Duration = Duration::from_millis(50);

/// The most spaces in one notification. PostgreSQL accepts payloads of at most 8000 bytes.
const SPACES_MAX: usize = 400;

/// The bytes of a [`Tag`].
pub(super) const TAG_BYTES: usize = 8;

/// The digest that stands for a space in a notification.
pub(super) type Tag = [u8; TAG_BYTES];

/// Sends notifications of what this server wrote.
#[derive(Debug)]
pub(super) struct Notifier {
    pool: Arc<Pool>,
    /// Distinguishes this server from the others.
    pub(super) server_id: String,
    database_id: OnceCell<String>,
    pending: Mutex<Pending>,
}

#[derive(Debug, Default)]
struct Pending {
    spaces: HashSet<SpaceId>,
    /// Whether a task is about to send them.
    is_scheduled: bool,
}

impl Notifier {
    pub(super) fn new(pool: Arc<Pool>) -> Arc<Notifier> {
        Arc::new(Notifier {
            pool,
            server_id: random_id(),
            database_id: OnceCell::new(),
            pending: Mutex::default(),
        })
    }

    /// Schedules a notification of a write to `space`. It is lost if the process ends first.
    pub(super) fn schedule(self: &Arc<Notifier>, space: &SpaceId) {
        let mut pending = self.pending.lock();
        if pending.spaces.len() < SPACES_MAX {
            pending.spaces.insert(space.clone());
        }
        if !pending.is_scheduled {
            pending.is_scheduled = true;
            tokio::spawn(Arc::clone(self).send_after_delay());
        }
    }

    /// Returns the id that distinguishes this database and its backups from all others.
    pub(super) async fn database_id(&self) -> Result<&str, StoreError> {
        let read = || async {
            let statement = Statement::new("SELECT mark::text FROM recalld.eras");
            let found = transaction::read(&self.pool, Identity::upkeep(), vec![statement]).await?;
            let id = rows::each(&found[0], |row| rows::get(row, 0))?.pop();
            id.ok_or_else(|| StoreError::Failed("the table recalld.eras is empty".into()))
        };
        Ok(self.database_id.get_or_try_init(read).await?)
    }

    /// Sends a notification of these spaces now.
    pub(super) async fn send(&self, spaces: &[SpaceId]) -> Result<(), StoreError> {
        let id = self.database_id().await?;
        let tags: Vec<Tag> = spaces.iter().map(|space| tag(id, space)).collect();
        let sender = &self.server_id;
        // All of it is letters, digits and a blank: nothing needs to be quoted.
        let payload = format!("{sender} {}", HEXLOWER.encode(&tags.concat()));
        Ok(self
            .execute(&format!("SELECT pg_notify('{CHANNEL}', '{payload}')"))
            .await?)
    }

    async fn execute(&self, sql: &str) -> DbResult<()> {
        let client = self.pool.acquire().await?;
        match tokio::time::timeout(self.pool.timeout, client.session.client.simple_query(sql)).await {
            Ok(answer) => {
                client.release();
                answer?;
                Ok(())
            }
            Err(_) => Err(Failure::Lost("the database did not answer".to_owned())),
        }
    }

    async fn send_after_delay(self: Arc<Notifier>) {
        tokio::time::sleep(BATCH_DELAY).await;
        let spaces: Vec<SpaceId> = {
            let mut pending = self.pending.lock();
            pending.is_scheduled = false;
            pending.spaces.drain().collect()
        };
        if let Err(error) = self.send(&spaces).await {
            tracing::debug!(%error, "cannot notify other servers of writes");
        }
    }
}

/// Digests the name of a space. Only those who know the database's id can tell whose it is.
pub(super) fn tag(database_id: &str, space: &SpaceId) -> Tag {
    let digest = Vector::digest_of(&format!("{database_id}\n{space}"));
    let mut tag = Tag::default();
    tag.copy_from_slice(&digest[..TAG_BYTES]);
    tag
}
