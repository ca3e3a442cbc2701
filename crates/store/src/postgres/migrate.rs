//! Migrates a database from any earlier schema, or from none, to the present one.
//!
//! Each step and its number are written in one transaction, under a lock that only one process can
//! hold: two that start together do not interfere, and one that is killed leaves the database at
//! the end of some step. A migration that is refused has changed nothing.

mod citus;
mod preflight;
mod steps;

use std::sync::Arc;

use recalld_memory::ports::StoreError;
use tokio_postgres::Client;

use super::error::{DbResult, describe};
use super::identity::Identity;
use super::open_error::OpenError;
use super::pool::Pool;
use super::statement::{Statement, identifier};
use super::{pipeline, rows, transaction};

pub use citus::Cluster;
use preflight::DatabaseState;
pub use steps::Step;
pub(super) use steps::{STEPS, WITH_VECTOR};

/// What a migration does besides the steps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The role that servers log in as. It is granted the roles that transactions switch to.
    pub serving_role: Option<String>,
    /// How many hash partitions each table gets. Only for a database without tables.
    pub partitions: Option<u32>,
    /// Whether the tables are spread over the nodes of a Citus cluster, and into how many shards.
    pub citus: Option<Option<u32>>,
}

/// The roles that a server's transactions switch to.
pub(super) const SERVING_ROLES: [&str; 6] = [
    "recalld_user",
    "recalld_shared",
    "recalld_upkeep",
    "recalld_gate",
    "recalld_reader",
    "recalld_revisions",
];

/// Where the steps are recorded. It contains nothing of any user.
const FOUNDATION: &str = "
    DO $$ BEGIN
        IF NOT EXISTS (
            SELECT FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname = 'recalld' AND c.relname = 'migrations')
        THEN
            CREATE SCHEMA IF NOT EXISTS recalld;
            CREATE TABLE recalld.migrations (
                number   integer     NOT NULL PRIMARY KEY,
                name     text        NOT NULL,
                taken_at timestamptz NOT NULL DEFAULT now()
            );
        END IF;
    END $$";

/// Switches to the owner of the schema once it has one of its own.
const ACT_AS_OWNER: &str = "
    DO $$ BEGIN
        IF EXISTS (
            SELECT FROM pg_catalog.pg_namespace n JOIN pg_catalog.pg_roles r ON r.oid = n.nspowner
            WHERE n.nspname = 'recalld' AND r.rolname = 'recalld_owner')
        THEN
            SET LOCAL ROLE recalld_owner;
        END IF;
    END $$";

/// Held by the process that applies a step.
const LOCK: &str = "SELECT pg_advisory_xact_lock(7234017283807667300)";

/// Tells whether any step has been applied.
pub(super) async fn is_founded(pool: &Arc<Pool>) -> Result<bool, OpenError> {
    read_one(transaction::read_as_login(pool, vec![Statement::new(IS_FOUNDED)]).await)
}

/// Returns the steps that have not been applied, as `identity` can see; refuses a schema of a later
/// version, unless that says that this one can use it.
pub(super) async fn pending(pool: &Arc<Pool>, identity: Identity) -> Result<&'static [Step], OpenError> {
    let mut found = 0;
    if is_founded(pool).await? {
        let last = transaction::read(pool, identity, vec![Statement::new(LAST_STEP)]).await;
        found = usize::try_from(read_one::<i64>(last)?).unwrap_or_default();
    }
    if STEPS.len() < found {
        let oldest = transaction::read_as_login(pool, vec![Statement::new(OLDEST_READER)]).await;
        let oldest: i64 = read_one(oldest)?;
        if usize::try_from(oldest).is_ok_and(|oldest| oldest <= STEPS.len()) {
            return Ok(&[]);
        }
    }
    STEPS.get(found..).ok_or(OpenError::Newer {
        found,
        known: STEPS.len(),
    })
}

/// Returns the steps that a migration would apply.
pub(super) async fn planned(pool: &Arc<Pool>) -> Result<&'static [Step], OpenError> {
    let found = DatabaseState::read(pool, &Options::default()).await?;
    match found.owner {
        Some(owner) => pending(pool, Identity::owner(&owner)).await,
        None => Ok(&STEPS),
    }
}

/// Tells whether the functions that need pgvector exist.
pub(super) async fn has_matching(pool: &Arc<Pool>) -> Result<bool, OpenError> {
    read_one(transaction::read_as_login(pool, vec![Statement::new(HAS_MATCHING)]).await)
}

/// Applies the steps that are missing, and returns their names.
pub(super) async fn migrate(pool: &Arc<Pool>, options: &Options) -> Result<Vec<&'static str>, OpenError> {
    let found = DatabaseState::read(pool, options).await?;
    found.check(options)?;
    let cluster = citus::find(pool).await?;
    citus::check(options, cluster.as_ref(), found.is_superuser)?;
    let pending = planned(pool).await?;
    let partitions = options.partitions.or(found.partitions);
    let client = pool.connect().await.map_err(StoreError::from)?;
    let is_distributed = cluster.as_ref().is_some_and(|cluster| cluster.is_distributed);
    let distributes = is_distributed || options.citus.is_some();
    let begun = begin_on_nodes(&client, cluster.is_some(), is_distributed, distributes).await;
    begun.map_err(|error| OpenError::Refused {
        reason: format!("cannot prepare the roles on all nodes: {}", describe(&error)),
        hint: "nothing was migrated; see that all nodes can be reached, and run the same command again"
            .to_owned(),
    })?;
    let mut names = Vec::new();
    for (number, step) in (1..).zip(&STEPS).skip(STEPS.len() - pending.len()) {
        let is_new = take(&client, number, step, partitions).await;
        let is_new = is_new.map_err(|error| OpenError::Migration {
            step: step.name,
            reason: describe(&error),
        })?;
        names.extend(is_new.then_some(step.name));
    }
    if !has_matching(pool).await?
        && let Err(error) = create_matching(&client).await
    {
        tracing::warn!(
            error = describe(&error),
            "pgvector is not available, so match_memories and match_knowledge are missing; all else works"
        );
    }
    if let Some(role) = &options.serving_role {
        let grant = format!("GRANT {} TO {}", SERVING_ROLES.join(", "), identifier(role));
        let granted = async {
            client.batch_execute("ROLLBACK").await?;
            client.batch_execute(&grant).await
        };
        granted.await.map_err(|error| OpenError::Refused {
            reason: format!("cannot grant roles to {role}: {}", describe(&error)),
            hint: format!("let an administrator run: {grant};"),
        })?;
    }
    if distributes {
        citus::distribute(&client, options).await?;
    }
    Ok(names)
}

/// Prepares the nodes of a cluster. Until the tables are spread, the steps concern one node alone.
async fn begin_on_nodes(
    client: &Client,
    has_citus: bool,
    is_distributed: bool,
    distributes: bool,
) -> Result<(), tokio_postgres::Error> {
    if distributes {
        citus::create_roles(client).await?;
    }
    if has_citus && !is_distributed {
        client
            .batch_execute("SET citus.enable_ddl_propagation = off")
            .await?;
    }
    Ok(())
}

/// Returns the nodes of a Citus cluster; none if the database has no Citus.
pub(super) async fn cluster(pool: &Arc<Pool>) -> Result<Option<Cluster>, OpenError> {
    citus::find(pool).await
}

/// Creates the functions that need pgvector, and the extension if that is allowed.
async fn create_matching(client: &Client) -> Result<(), tokio_postgres::Error> {
    client.batch_execute("ROLLBACK").await?;
    let mut found = client.query_typed(SCHEMA_OF_VECTOR, &[]).await?;
    if found.is_empty() {
        client
            .batch_execute("CREATE EXTENSION IF NOT EXISTS vector")
            .await?;
        found = client.query_typed(SCHEMA_OF_VECTOR, &[]).await?;
    }
    let schema: String = match found.first() {
        Some(row) => row.try_get(0)?,
        None => return Ok(()),
    };
    // The owner needs the extension's schema. Where it cannot be granted, it may be open to all.
    let _ = client
        .batch_execute(&format!("GRANT USAGE ON SCHEMA {schema} TO recalld_owner"))
        .await;
    client.batch_execute("BEGIN").await?;
    client.batch_execute(LOCK).await?;
    client
        .batch_execute(&format!(
            "SET LOCAL ROLE recalld_owner; SET LOCAL search_path = pg_catalog, {schema}"
        ))
        .await?;
    client.batch_execute(WITH_VECTOR).await?;
    client.batch_execute("COMMIT").await
}

/// Applies one step unless it was applied. The connection is ours alone: if anything fails it is
/// closed, and the server rolls the transaction back.
async fn take(
    client: &Client,
    number: usize,
    step: &Step,
    partitions: Option<u32>,
) -> Result<bool, tokio_postgres::Error> {
    client.batch_execute("BEGIN").await?;
    client.batch_execute(LOCK).await?;
    client.batch_execute(FOUNDATION).await?;
    client.batch_execute(ACT_AS_OWNER).await?;
    let recorded = format!("SELECT 1 FROM recalld.migrations WHERE number = {number}");
    let recorded = client.query_typed(&recorded, &[]).await?;
    if recorded.is_empty() {
        client.batch_execute(&step.sql(partitions)).await?;
        client.batch_execute(ACT_AS_OWNER).await?;
        let record = format!(
            "INSERT INTO recalld.migrations (number, name) VALUES ({number}, '{}')",
            step.name
        );
        client.batch_execute(&record).await?;
    }
    client.batch_execute("COMMIT").await?;
    Ok(recorded.is_empty())
}

fn read_one<T: for<'a> tokio_postgres::types::FromSql<'a>>(
    found: DbResult<pipeline::ResultSets>,
) -> Result<T, OpenError> {
    let read = found.and_then(|found| rows::get(&found[0][0], 0));
    Ok(read.map_err(StoreError::from)?)
}

// Read from the catalogue, which every role may.
const IS_FOUNDED: &str = "
    SELECT EXISTS (
        SELECT FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = 'recalld' AND c.relname = 'migrations')";

const HAS_MATCHING: &str = "
    SELECT EXISTS (
        SELECT FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
        WHERE n.nspname = 'recalld' AND p.proname = 'match_knowledge')";

const SCHEMA_OF_VECTOR: &str = "
    SELECT quote_ident(n.nspname) FROM pg_catalog.pg_extension e
    JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'vector'";

/// The oldest schema whose programs can use the database. A step that leaves them able to says so
/// in a comment on the table of steps, `readers: 20`; a step that does not removes the comment.
const OLDEST_READER: &str = "
    SELECT coalesce(substring(pg_catalog.obj_description(c.oid, 'pg_class') from 'readers: ([0-9]{1,9})')::int8,
                    9223372036854775807)
    FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = 'recalld' AND c.relname = 'migrations'";

const LAST_STEP: &str = "SELECT coalesce(max(number), 0)::int8 FROM recalld.migrations";
