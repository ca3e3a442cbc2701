//! Tells other servers which spaces were written to, so that they can read early what they will be
//! asked for. Nothing depends on it: whoever hears nothing finds out by the revision.
//!
//! It is told after the commit and for many writes at once, because PostgreSQL lets only one
//! transaction with news commit at a time. Anybody who may connect can listen, so a space is told
//! by a digest that only those can compare who may read the database's mark.

use std::collections::HashSet;
use std::fmt::Write;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use recalld_memory::id::SpaceId;
use recalld_memory::ports::StoreError;
use recalld_memory::vector::Vector;
use tokio::sync::OnceCell;
use uuid::Uuid;

use super::ask::Ask;
use super::error::{Answer, Failure};
use super::identity::Identity;
use super::pool::Pool;
use super::{rows, transaction};

/// Where news are told.
pub(super) const CHANNEL: &str = "recalld";

/// How long writes are gathered before they are told of.
const GATHERED: Duration = Duration::from_millis(50);

/// How many spaces are told of at once: the database takes at most 8000 bytes.
const SPACES_MAX: usize = 400;

/// What stands for a space in the news.
pub(super) type Tag = [u8; 8];

/// Tells what this server wrote.
#[derive(Debug)]
pub(super) struct Herald {
    pool: Arc<Pool>,
    /// Tells this server from the others.
    pub(super) name: Uuid,
    mark: OnceCell<String>,
    noted: Mutex<Noted>,
}

#[derive(Debug, Default)]
struct Noted {
    spaces: HashSet<SpaceId>,
    /// Whether somebody is about to tell of them.
    is_gathering: bool,
}

impl Herald {
    pub(super) fn new(pool: Arc<Pool>) -> Arc<Herald> {
        Arc::new(Herald {
            pool,
            name: Uuid::new_v4(),
            mark: OnceCell::new(),
            noted: Mutex::default(),
        })
    }

    /// Notes that a space was written to. It is told soon, unless the process ends before.
    pub(super) fn note(self: &Arc<Herald>, space: &SpaceId) {
        let mut noted = self.noted();
        if noted.spaces.len() < SPACES_MAX {
            noted.spaces.insert(space.clone());
        }
        if !noted.is_gathering {
            noted.is_gathering = true;
            tokio::spawn(Arc::clone(self).tell_soon());
        }
    }

    /// Gives the mark by which this database and its backups are told from all others.
    pub(super) async fn mark(&self) -> Result<&str, StoreError> {
        let read = || async {
            let ask = Ask::new("SELECT mark::text FROM recalld.eras");
            let found = transaction::read(&self.pool, Identity::upkeep(), vec![ask]).await?;
            let mark = rows::each(&found[0], |row| rows::get(row, 0))?.pop();
            mark.ok_or_else(|| StoreError::Failed("the database has lost its mark".into()))
        };
        Ok(self.mark.get_or_try_init(read).await?)
    }

    /// Tells of these spaces now.
    pub(super) async fn tell(&self, spaces: &[SpaceId]) -> Result<(), StoreError> {
        let mark = self.mark().await?;
        let mut told = format!("{} ", self.name.simple());
        for space in spaces {
            for byte in tag(mark, space) {
                let _ = write!(told, "{byte:02x}");
            }
        }
        // All of it is letters, digits and a blank.
        Ok(self
            .say(&format!("SELECT pg_notify('{CHANNEL}', '{told}')"))
            .await?)
    }

    async fn say(&self, sql: &str) -> Answer<()> {
        let lent = self.pool.lend().await?;
        match tokio::time::timeout(self.pool.timeout, lent.client.simple_query(sql)).await {
            Ok(answer) => {
                lent.give_back();
                answer?;
                Ok(())
            }
            Err(_) => Err(Failure::Lost("the database did not answer".to_owned())),
        }
    }

    async fn tell_soon(self: Arc<Herald>) {
        tokio::time::sleep(GATHERED).await;
        let spaces: Vec<SpaceId> = {
            let mut noted = self.noted();
            noted.is_gathering = false;
            noted.spaces.drain().collect()
        };
        if let Err(error) = self.tell(&spaces).await {
            tracing::debug!(%error, "other servers are not told of writes");
        }
    }

    fn noted(&self) -> std::sync::MutexGuard<'_, Noted> {
        self.noted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Digests the name of a space, so that only who knows the mark can tell whose it is.
pub(super) fn tag(mark: &str, space: &SpaceId) -> Tag {
    let digest = Vector::digest_of(&format!("{mark}\n{space}"));
    let mut tag = Tag::default();
    tag.copy_from_slice(&digest[..8]);
    tag
}
