//! The steps that lead from an empty database to the present schema.
//!
//! Each step and its number are written in one transaction, under a lock that only one server can
//! hold: two that start together do not meet, and one that is killed leaves the database at the end
//! of some step.

use std::sync::Arc;

use recalld_memory::ports::StoreError;
use tokio_postgres::Client;

use super::error::describe;
use super::identity::Identity;
use super::open_error::OpenError;
use super::pool::Pool;
use super::rows;
use super::statement::Statement;
use super::transaction;

/// One step of the schema. Once released it never changes.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    pub name: &'static str,
    pub sql: &'static str,
}

macro_rules! step {
    ($name:literal) => {
        Step {
            name: $name,
            sql: include_str!(concat!("../migrations/postgres/", $name, ".sql")),
        }
    };
}

/// All steps in their order. The number of a step is its place in this list, from 1.
pub(super) const STEPS: [Step; 14] = [
    step!("0001_walls"),
    step!("0002_memories_entities_events"),
    step!("0003_records"),
    step!("0004_conversations"),
    step!("0005_knowledge"),
    step!("0006_vectors"),
    step!("0007_keys"),
    step!("0008_views"),
    step!("0009_eras"),
    step!("0010_lookout"),
    step!("0011_claims"),
    step!("0012_documents"),
    step!("0013_revisions"),
    step!("0014_checksums_and_validity"),
];

/// Where the steps are noted. It holds nothing of any user.
const FOUNDATION: &str = "
    CREATE SCHEMA IF NOT EXISTS recalld;
    CREATE TABLE IF NOT EXISTS recalld.migrations (
        number   integer     NOT NULL PRIMARY KEY,
        name     text        NOT NULL,
        taken_at timestamptz NOT NULL DEFAULT now()
    );";

/// Held by whoever takes a step.
const LOCK: &str = "SELECT pg_advisory_xact_lock(7234017283807667300)";

/// What is made besides when the server has pgvector.
const WITH_VECTOR: &str = include_str!("../migrations/postgres/with_vector.sql");

/// Tells how many steps have been taken.
pub(super) async fn taken(pool: &Arc<Pool>) -> Result<usize, OpenError> {
    let there = transaction::read_as_login(pool, vec![Statement::new(IS_FOUNDED)]).await;
    let there: bool = read_one(there)?;
    if !there {
        return Ok(0);
    }
    let last = transaction::read(pool, Identity::upkeep(), vec![Statement::new(LAST_STEP)]).await;
    let last: i64 = read_one(last)?;
    Ok(usize::try_from(last).unwrap_or_default())
}

/// Gives the steps that are still to be taken; refuses a schema of a later version.
pub(super) async fn pending(pool: &Arc<Pool>) -> Result<&'static [Step], OpenError> {
    let found = taken(pool).await?;
    STEPS.get(found..).ok_or(OpenError::Newer {
        found,
        known: STEPS.len(),
    })
}

/// Tells whether the functions that need pgvector are there.
pub(super) async fn has_matching(pool: &Arc<Pool>) -> Result<bool, OpenError> {
    read_one(transaction::read_as_login(pool, vec![Statement::new(HAS_MATCHING)]).await)
}

/// Takes the steps that are still to be taken, and names them.
pub(super) async fn migrate(pool: &Arc<Pool>) -> Result<Vec<&'static str>, OpenError> {
    let has_matching = has_matching(pool).await?;
    if pending(pool).await?.is_empty() && has_matching {
        return Ok(Vec::new());
    }
    let client = pool.connect().await.map_err(StoreError::from)?;
    let mut names = Vec::new();
    for (number, step) in (1..).zip(&STEPS) {
        let taken = take(&client, number, step).await;
        let is_new = taken.map_err(|error| OpenError::Migration {
            step: step.name,
            reason: describe(&error),
        })?;
        names.extend(is_new.then_some(step.name));
    }
    if !has_matching && let Err(error) = make_matching(&client).await {
        tracing::warn!(
            error = describe(&error),
            "without pgvector there is no match_memories and no match_knowledge; all else works"
        );
    }
    Ok(names)
}

/// Makes the functions that need pgvector, and the extension if we may.
async fn make_matching(client: &Client) -> Result<(), tokio_postgres::Error> {
    client.batch_execute("ROLLBACK").await?;
    let found = client.query_typed(SCHEMA_OF_VECTOR, &[]).await?;
    if found.is_empty() {
        client
            .batch_execute("CREATE EXTENSION IF NOT EXISTS vector")
            .await?;
    }
    let found = client.query_typed(SCHEMA_OF_VECTOR, &[]).await?;
    let schema: String = match found.first() {
        Some(row) => row.try_get(0)?,
        None => return Ok(()),
    };
    client.batch_execute("BEGIN").await?;
    client.batch_execute(LOCK).await?;
    let path = format!("SET LOCAL search_path = pg_catalog, {schema}");
    client.batch_execute(&path).await?;
    client.batch_execute(WITH_VECTOR).await?;
    client.batch_execute("COMMIT").await
}

/// Takes one step unless it was taken. The connection is ours alone: when anything fails it is
/// closed, and the server takes the transaction back.
async fn take(client: &Client, number: i32, step: &Step) -> Result<bool, tokio_postgres::Error> {
    client.batch_execute("BEGIN").await?;
    client.batch_execute(LOCK).await?;
    client.batch_execute(FOUNDATION).await?;
    let noted = "SELECT 1 FROM recalld.migrations WHERE number = $1";
    let number_value: &(dyn tokio_postgres::types::ToSql + Sync) = &number;
    let noted = client
        .query_typed(noted, &[(number_value, tokio_postgres::types::Type::INT4)])
        .await?;
    if noted.is_empty() {
        client.batch_execute(step.sql).await?;
        let note = format!(
            "INSERT INTO recalld.migrations (number, name) VALUES ({number}, '{}')",
            step.name
        );
        client.batch_execute(&note).await?;
    }
    client.batch_execute("COMMIT").await?;
    Ok(noted.is_empty())
}

fn read_one<T: for<'a> tokio_postgres::types::FromSql<'a>>(
    found: super::error::DbResult<super::pipeline::Found>,
) -> Result<T, OpenError> {
    let read = found.and_then(|found| rows::get(&found[0][0], 0));
    Ok(read.map_err(StoreError::from)?)
}

// Read from the catalogue, which everybody may.
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

const LAST_STEP: &str = "SELECT coalesce(max(number), 0)::int8 FROM recalld.migrations";
