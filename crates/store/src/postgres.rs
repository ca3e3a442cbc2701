//! The store for more than one server: PostgreSQL, with walls of its own between users.
//!
//! Every transaction takes on a role that owns nothing and tells the policies whose request it is,
//! for itself alone; no state outlives it, so it works behind a transaction pooler. Statements are
//! typed and unnamed, and are sent together.

mod address;
mod administration;
mod apply;
mod ask;
mod claims;
mod conversations;
mod ear;
mod erase;
mod error;
mod herald;
mod identity;
mod json;
mod keys;
mod knowledge;
mod lookout;
mod memories;
mod messages;
mod migrate;
mod pool;
mod questions;
mod records;
mod rows;
mod tables;
mod transaction;
mod vectors;
mod walls;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

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
use tokio_postgres::Row;

pub use ear::{Ear, News};
pub use error::OpenError;
pub use migrate::Step;
pub use walls::Breach;

use address::Address;
use ask::Ask;
use herald::Herald;
use identity::Identity;
use lookout::Lookout;
use pool::Pool;
use rows::each;
use transaction::Found;

/// What can be chosen when a database is opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// How many connections one server has at the most.
    pub connections_max: usize,
    /// How long one transaction may take.
    pub transaction_max: Duration,
    pub storage: Storage,
    /// The role in which tables of the deployment's own are read.
    pub tables_role: String,
    #[doc(hidden)]
    pub filter: Filter,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            connections_max: 16,
            transaction_max: Duration::from_secs(30),
            storage: Storage::Examined,
            tables_role: "recalld_reader".to_owned(),
            filter: Filter::On,
        }
    }
}

/// Who answers for writes that reach the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// PostgreSQL: its settings are examined.
    Examined,
    /// The storage below it, as some hosts have it: the deployment vouches for that.
    Vouched,
}

/// Whether statements name the space they are about. Only a test that looks at the other wall alone
/// turns it off.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filter {
    On,
    Off,
}

/// Memories in PostgreSQL. Any number of servers can share one database.
#[derive(Debug)]
pub struct PostgresStore {
    pool: Arc<Pool>,
    lookout: Arc<Lookout>,
    herald: Arc<Herald>,
    /// The era of the store when somebody last looked.
    era: AtomicU64,
}

/// How often a first write is tried that meets an era which has just begun.
const ERAS_MAX: usize = 8;

impl PostgresStore {
    /// Opens the database at `address`, whose schema must be the present one and whose walls must
    /// stand.
    pub async fn open(address: &str, settings: &Settings) -> Result<PostgresStore, OpenError> {
        let store = PostgresStore::reach(address, settings)?;
        let missing = migrate::pending(&store.pool).await?.len();
        if 0 < missing {
            let known = migrate::STEPS.len();
            let found = known - missing;
            return Err(OpenError::Behind { found, known });
        }
        let breaches = walls::breaches(&store.pool).await?;
        match breaches.is_empty() {
            true => Ok(store),
            false => Err(OpenError::Unsafe(breaches)),
        }
    }

    /// Brings the schema at `address` to the present one, and names the steps that were taken.
    pub async fn migrate(address: &str, settings: &Settings) -> Result<Vec<&'static str>, OpenError> {
        let store = PostgresStore::reach(address, settings)?;
        migrate::migrate(&store.pool).await
    }

    /// Tells whether there are the functions that find by vectors: they need pgvector.
    pub async fn has_matching(&self) -> Result<bool, OpenError> {
        migrate::has_matching(&self.pool).await
    }

    /// Gives the steps of the schema that [`PostgresStore::migrate`] would take.
    pub async fn pending(address: &str, settings: &Settings) -> Result<Vec<Step>, OpenError> {
        let store = PostgresStore::reach(address, settings)?;
        Ok(migrate::pending(&store.pool).await?.to_vec())
    }

    /// Opens without a look at schema and walls, for tests that take one of them away.
    #[doc(hidden)]
    pub fn reach(address: &str, settings: &Settings) -> Result<PostgresStore, OpenError> {
        let pool = Arc::new(Pool::new(Address::parse(address)?, settings));
        let lookout = Lookout::new(Arc::clone(&pool));
        let era = AtomicU64::new(0);
        let herald = Herald::new(Arc::clone(&pool));
        Ok(PostgresStore {
            pool,
            lookout,
            herald,
            era,
        })
    }

    /// Tells how many transactions were begun since it was opened.
    pub fn transactions(&self) -> u64 {
        self.pool.lent.load(Ordering::Relaxed)
    }

    /// Gives the mark by which this database and its backups are told from all others.
    pub async fn birth_mark(&self) -> Result<String, StoreError> {
        Ok(self.herald.mark().await?.to_owned())
    }

    /// Gives what hears of writes by other servers. It only ever lets them be read early.
    pub fn ear(&self) -> Ear {
        Ear::new(Arc::clone(&self.pool), Arc::clone(&self.herald))
    }

    /// Applies `changes` as the write that takes the space from `revision` to `next`; gives where
    /// it stands when that cannot be.
    async fn advance(
        &self,
        space: &SpaceId,
        revision: Revision,
        next: Revision,
        changes: &[Change],
    ) -> Result<Result<Revision, Found>, StoreError> {
        let rest = apply::statements(space, next, changes)?;
        let first = vec![erase::hold(space), apply::advance(space, revision, next)];
        let elsewhere = space.clone();
        let look = move |found: &Found| {
            Ok(match found[1].is_empty() {
                false => Ok(next),
                true => Err(questions::standing(&elsewhere)),
            })
        };
        Ok(transaction::decide(&self.pool, Identity::of(space)?, first, rest, look).await?)
    }

    async fn read(&self, space: &SpaceId, asks: Vec<Ask>) -> Result<Found, StoreError> {
        Ok(transaction::read(&self.pool, Identity::of(space)?, asks).await?)
    }

    async fn read_one(&self, space: &SpaceId, ask: Ask) -> Result<Vec<Row>, StoreError> {
        Ok(self.read(space, vec![ask]).await?.pop().unwrap_or_default())
    }
}

#[async_trait]
impl Store for PostgresStore {
    async fn apply(
        &self,
        space: &SpaceId,
        revision: Revision,
        changes: &[Change],
    ) -> Result<Revision, StoreError> {
        let conflict = |at| StoreError::Conflict {
            expected: revision,
            at,
        };
        // No space has been written to more often than the database can count.
        if changes.is_empty() || i64::try_from(revision.0).is_err() {
            let at = self.revision(space).await?;
            return if at == revision { Ok(at) } else { Err(conflict(at)) };
        }
        let mut at = revision;
        for _ in 0..ERAS_MAX {
            let era = self.era.load(Ordering::Relaxed);
            let next = match revision {
                Revision(0) => Revision::first(era),
                _ => revision.next(),
            };
            let found = match self.advance(space, revision, next, changes).await? {
                Ok(next) => {
                    self.herald.note(space);
                    return Ok(next);
                }
                Err(found) => found,
            };
            let now;
            (at, now) = questions::read_standing(&found[0])?;
            self.era.store(now, Ordering::Relaxed);
            // A space that nobody has begun meanwhile begins in the era of now.
            if at != revision || now == era {
                break;
            }
        }
        Err(conflict(at))
    }

    async fn revision(&self, space: &SpaceId) -> Result<Revision, StoreError> {
        self.lookout.revision(space).await
    }

    async fn changed_since(&self, space: &SpaceId, since: Revision) -> Result<Changed, StoreError> {
        let found = self.read(space, questions::changed_since(space, since)).await?;
        Ok(questions::read_changed(&found, since)?)
    }

    async fn history(&self, space: &SpaceId, memory: MemoryId) -> Result<Vec<Version>, StoreError> {
        let found = self.read_one(space, questions::history(space, memory)).await?;
        Ok(each(&found, rows::version)?)
    }

    async fn histories(
        &self,
        space: &SpaceId,
        after: Option<MemoryId>,
        limit: usize,
    ) -> Result<Vec<Version>, StoreError> {
        let found = self
            .read_one(space, questions::histories(space, after, limit))
            .await?;
        Ok(each(&found, rows::version)?)
    }

    async fn record(
        &self,
        space: &SpaceId,
        kind: RecordKind,
        name: &str,
    ) -> Result<Option<Record>, StoreError> {
        let found = self.read_one(space, records::one(space, kind, name)).await?;
        Ok(each(&found, records::record)?.pop())
    }

    async fn records(
        &self,
        space: &SpaceId,
        kind: RecordKind,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<Record>, StoreError> {
        let found = self
            .read_one(space, records::page(space, kind, after, limit))
            .await?;
        Ok(each(&found, records::record)?)
    }

    async fn messages(
        &self,
        space: &SpaceId,
        conversation: &ConversationId,
        page: &MessagePage,
    ) -> Result<Vec<Message>, StoreError> {
        let found = self
            .read_one(space, messages::page(space, conversation, page))
            .await?;
        let mut found = each(&found, messages::message)?;
        found.reverse();
        Ok(found)
    }

    async fn message(
        &self,
        space: &SpaceId,
        conversation: &ConversationId,
        id: &MessageId,
    ) -> Result<Option<Message>, StoreError> {
        let found = self
            .read_one(space, messages::one(space, conversation, id))
            .await?;
        Ok(each(&found, messages::message)?.pop())
    }

    async fn messages_since(&self, space: &SpaceId, since: Revision) -> Result<ChangedMessages, StoreError> {
        let found = self.read(space, messages::changed_since(space, since)).await?;
        Ok(messages::read_changed(&found, since)?)
    }

    async fn knowledge_since(
        &self,
        space: &SpaceId,
        since: Revision,
    ) -> Result<ChangedKnowledge, StoreError> {
        let found = self.read(space, knowledge::changed_since(space, since)).await?;
        Ok(knowledge::read_changed(&found, since)?)
    }

    async fn vectors_since(
        &self,
        space: &SpaceId,
        model: &EmbeddingModel,
        kind: VectorKind,
        since: Revision,
    ) -> Result<Vec<Vector>, StoreError> {
        let found = self
            .read_one(space, vectors::since(space, model, kind, since))
            .await?;
        Ok(each(&found, |row| vectors::vector(model, kind, row))?)
    }

    async fn events(&self, space: &SpaceId, page: &EventPage) -> Result<Vec<Event>, StoreError> {
        let Some(ask) = questions::events(space, page) else {
            return Ok(Vec::new());
        };
        let found = self.read_one(space, ask).await?;
        Ok(each(&found, rows::event)?)
    }
}
