//! The store for more than one server: PostgreSQL, with row-level security between users.
//!
//! Every transaction switches to a role that owns nothing and sets the claims that the policies
//! read, for its own duration. No state outlives it, so it works behind a pooler in transaction
//! mode. Statements are typed and unnamed, and are sent together.

mod address;
mod administration;
mod apply;
mod claims;
mod conversations;
mod entities;
mod erase;
mod error;
mod identity;
mod json;
mod keys;
mod knowledge;
mod listener;
mod memories;
mod messages;
mod migrate;
mod notifier;
mod open_error;
mod pipeline;
mod pool;
mod queries;
mod records;
mod revision_batcher;
mod revision_query;
mod rls_checks;
mod rows;
mod sending;
mod session;
mod settings;
mod shards;
mod statement;
mod tables;
mod transaction;
mod vectors;
mod violation;
mod write;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

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

pub use listener::{Listener, Notification};
pub use migrate::{Cluster, Options as MigrateOptions, Step};
pub use open_error::OpenError;
pub use settings::{Filter, Settings, Storage};
pub use violation::Violation;

use address::Address;
use identity::Identity;
use notifier::Notifier;
use pipeline::ResultSets;
use pool::Pool;
use revision_batcher::RevisionBatcher;
use rows::each;
use statement::Statement;
use transaction::Applied;

/// Memories in PostgreSQL. Any number of servers can share one database.
#[derive(Debug)]
pub struct PostgresStore {
    pool: Arc<Pool>,
    revision_batcher: Arc<RevisionBatcher>,
    notifier: Arc<Notifier>,
    /// The era of the store when it was last read.
    era: AtomicU64,
    /// The workers that were away when they were last asked, and when that was.
    workers_away: tokio::sync::Mutex<Option<(Instant, Vec<String>)>>,
}

/// How often a first write is attempted if a new era has just begun.
const ATTEMPTS_MAX: usize = 8;

impl PostgresStore {
    /// Opens the database at `address`. Fails if its schema is not the present one, or if it is not
    /// safe to serve from.
    pub async fn open(address: &str, settings: &Settings) -> Result<PostgresStore, OpenError> {
        let store = PostgresStore::reach(address, settings)?;
        let cluster = migrate::cluster(&store.pool).await?;
        let has_nodes = cluster.is_some_and(|cluster| cluster.is_distributed);
        store.pool.has_nodes.store(has_nodes, Ordering::Relaxed);
        // Before the schema is looked at: a role that must not serve cannot be helped by migrating.
        refuse(rls_checks::check_login(&store.pool).await?)?;
        let access = match migrate::is_founded(&store.pool).await? {
            true => rls_checks::check_access(&store.pool).await?,
            false => Vec::new(),
        };
        let missing = match migrate::pending(&store.pool, Identity::upkeep()).await {
            Ok(steps) => steps.len(),
            Err(error) => return refuse(access).and(Err(error)),
        };
        // Before what the role may not do: another database of this server may have brought roles
        // that a missing step grants.
        if 0 < missing {
            let known = migrate::STEPS.len();
            let found = known - missing;
            return Err(OpenError::Behind { found, known });
        }
        refuse(access)?;
        refuse(rls_checks::check(&store.pool).await?)?;
        Ok(store)
    }

    /// Applies the missing migrations to the database at `address`, and returns their names.
    pub async fn migrate(
        address: &str,
        settings: &Settings,
        options: &MigrateOptions,
    ) -> Result<Vec<&'static str>, OpenError> {
        let store = PostgresStore::reach(address, settings)?;
        migrate::migrate(&store.pool, options).await
    }

    /// Returns the nodes of the Citus cluster at `address`; none if the database has no Citus.
    pub async fn cluster(address: &str, settings: &Settings) -> Result<Option<Cluster>, OpenError> {
        let store = PostgresStore::reach(address, settings)?;
        migrate::cluster(&store.pool).await
    }

    /// Checks that the role of `address` may serve, without a look at the schema.
    pub async fn check_login(address: &str, settings: &Settings) -> Result<(), OpenError> {
        let store = PostgresStore::reach(address, settings)?;
        refuse(rls_checks::check_login(&store.pool).await?)
    }

    /// Returns the role that `address` logs in as, if it names one.
    pub fn login_role(address: &str) -> Result<Option<String>, OpenError> {
        Ok(Address::parse(address)?.user().map(str::to_owned))
    }

    /// Tells whether the functions that search by vector exist. They need pgvector.
    pub async fn has_matching(&self) -> Result<bool, OpenError> {
        migrate::has_matching(&self.pool).await
    }

    /// Returns the migrations that [`PostgresStore::migrate`] would apply.
    pub async fn pending(address: &str, settings: &Settings) -> Result<Vec<Step>, OpenError> {
        let store = PostgresStore::reach(address, settings)?;
        Ok(migrate::planned(&store.pool).await?.to_vec())
    }

    /// Opens without any checks, for tests that remove what they check.
    #[doc(hidden)]
    pub fn reach(address: &str, settings: &Settings) -> Result<PostgresStore, OpenError> {
        let pool = Arc::new(Pool::new(Address::parse(address)?, settings));
        let revision_batcher = RevisionBatcher::new(Arc::clone(&pool));
        let era = AtomicU64::new(0);
        let notifier = Notifier::new(Arc::clone(&pool));
        Ok(PostgresStore {
            pool,
            revision_batcher,
            notifier,
            era,
            workers_away: tokio::sync::Mutex::default(),
        })
    }

    /// Returns the number of transactions since it was opened.
    pub fn transactions(&self) -> u64 {
        self.pool.acquired.load(Ordering::Relaxed)
    }

    /// Returns how often something was sent since it was opened, and how many statements.
    pub fn round_trips(&self) -> (u64, u64) {
        let of = |count: &AtomicU64| count.load(Ordering::Relaxed);
        (of(&self.pool.round_trips), of(&self.pool.statements))
    }

    /// Returns how many statements are prepared on connections that are idle.
    pub fn prepared_statements(&self) -> usize {
        self.pool.prepared()
    }

    /// Returns the id that distinguishes this database and its backups from all others.
    pub async fn database_id(&self) -> Result<String, StoreError> {
        Ok(self.notifier.database_id().await?.to_owned())
    }

    /// Returns a listener for writes by other servers. Correctness does not depend on it.
    pub fn listener(&self) -> Listener {
        Listener::new(Arc::clone(&self.pool), Arc::clone(&self.notifier))
    }

    /// Applies `changes` as the write that moves the space from `revision` to `next`.
    async fn advance(
        &self,
        space: &SpaceId,
        revision: Revision,
        next: Revision,
        changes: &[Change],
    ) -> Result<Applied, StoreError> {
        let mut statements = vec![erase::hold(space)];
        statements.extend(apply::advance(space, revision, next));
        let mover = statements.len() - 1;
        statements.extend(apply::statements(space, next, changes)?);
        Ok(transaction::apply(&self.pool, Identity::of(space)?, statements, mover).await?)
    }

    async fn read(&self, space: &SpaceId, statements: Vec<Statement>) -> Result<ResultSets, StoreError> {
        Ok(transaction::read(&self.pool, Identity::of(space)?, statements).await?)
    }

    async fn read_one(&self, space: &SpaceId, statement: Statement) -> Result<Vec<Row>, StoreError> {
        Ok(self.read(space, vec![statement]).await?.pop().unwrap_or_default())
    }
}

fn refuse(violations: Vec<Violation>) -> Result<(), OpenError> {
    match violations.is_empty() {
        true => Ok(()),
        false => Err(OpenError::Unsafe(violations)),
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
        // No revision is larger than the database can count.
        if changes.is_empty() || i64::try_from(revision.0).is_err() {
            let at = self.revision(space).await?;
            return if at == revision { Ok(at) } else { Err(conflict(at)) };
        }
        let mut at = revision;
        for _ in 0..ATTEMPTS_MAX {
            let era = self.era.load(Ordering::Relaxed);
            let next = match revision {
                Revision(0) => Revision::first(era),
                _ => revision.next(),
            };
            let refused = match self.advance(space, revision, next, changes).await? {
                Applied::Done => {
                    self.notifier.schedule(space);
                    return Ok(next);
                }
                Applied::Not(refused) => refused,
            };
            let found = self.read_one(space, queries::revision_and_era(space)).await?;
            let now;
            (at, now) = queries::read_revision_and_era(&found)?;
            self.era.store(now, Ordering::Relaxed);
            if let Some(refused) = refused.filter(|_| at == revision && now == era) {
                // The space is where it should be, so it was refused for another reason.
                return Err(refused.into());
            }
            // A space that nobody has begun meanwhile begins in the present era.
            if at != revision || now == era {
                break;
            }
        }
        Err(conflict(at))
    }

    async fn revision(&self, space: &SpaceId) -> Result<Revision, StoreError> {
        self.revision_batcher.revision(space).await
    }

    async fn changed_since(&self, space: &SpaceId, since: Revision) -> Result<Changed, StoreError> {
        let found = self.read(space, queries::changed_since(space, since)).await?;
        Ok(queries::read_changed(&found, since)?)
    }

    async fn history(&self, space: &SpaceId, memory: MemoryId) -> Result<Vec<Version>, StoreError> {
        let found = self.read_one(space, queries::history(space, memory)).await?;
        Ok(each(&found, rows::version)?)
    }

    async fn histories(
        &self,
        space: &SpaceId,
        after: Option<MemoryId>,
        limit: usize,
    ) -> Result<Vec<Version>, StoreError> {
        let found = self
            .read_one(space, queries::histories(space, after, limit))
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
        let sound = each(&found, |row| vectors::vector(model, kind, row))?;
        Ok(sound.into_iter().flatten().collect())
    }

    async fn events(&self, space: &SpaceId, page: &EventPage) -> Result<Vec<Event>, StoreError> {
        let Some(statement) = queries::events(space, page) else {
            return Ok(Vec::new());
        };
        let found = self.read_one(space, statement).await?;
        Ok(each(&found, rows::event)?)
    }
}
