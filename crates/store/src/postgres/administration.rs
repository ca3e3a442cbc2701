//! What is asked across spaces, and the examination of the database. Its role reads and removes;
//! all that it can write is the era.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use jiff::Timestamp;
use recalld_index::model::EmbeddingModel;
use recalld_memory::id::SpaceId;
use recalld_memory::ports::{Administration, Claim, Connections, Embedded, ErasedRows, StoreError};
use recalld_memory::record::RecordKind;
use tokio_postgres::Row;

use super::error::DbResult;
use super::identity::Identity;
use super::rows::{each, get};
use super::statement::{Statement, limit};
use super::{PostgresStore, claims, erase, records, rls_checks, shards, transaction, vectors};
use crate::verify;

/// How often free spaces are listed if other servers take all of them first.
const CLAIM_ROUNDS_MAX: usize = 3;

#[async_trait]
impl Administration for PostgresStore {
    async fn spaces(&self, after: Option<&SpaceId>, most: usize) -> Result<Vec<SpaceId>, StoreError> {
        // No space has an empty name.
        let after = after.map_or("", |space| space.as_str());
        self.names(Statement::new(SPACES).with(after).with(limit(most)))
            .await
    }

    async fn spaces_with_expired(&self, now: Timestamp, most: usize) -> Result<Vec<SpaceId>, StoreError> {
        self.names(
            Statement::new(EXPIRED)
                .with(now.as_microsecond())
                .with(limit(most)),
        )
        .await
    }

    async fn spaces_with_records(
        &self,
        kind: RecordKind,
        after: Option<&SpaceId>,
        most: usize,
    ) -> Result<Vec<SpaceId>, StoreError> {
        let after = after.map_or("", |space| space.as_str());
        self.names(
            Statement::new(WITH_RECORDS)
                .with(kind.as_str())
                .with(after)
                .with(limit(most)),
        )
        .await
    }

    async fn claim_spaces(&self, claim: &Claim<'_>, most: usize) -> Result<Vec<SpaceId>, StoreError> {
        for _ in 0..CLAIM_ROUNDS_MAX {
            let listing = claims::list_free(claim, most);
            let mut found = transaction::write(&self.pool, Identity::upkeep(), listing).await?;
            let free: Vec<String> = each(&found.pop().unwrap_or_default(), |row| get(row, 0))?;
            if free.is_empty() {
                break;
            }
            let taking = claims::take(claim, free);
            let taken = transaction::write(&self.pool, Identity::upkeep(), taking).await?;
            let taken: Vec<Row> = taken.into_iter().flatten().collect();
            if !taken.is_empty() {
                return Ok(each(&taken, |row| Ok(SpaceId::from_stored(get(row, 0)?)))?);
            }
        }
        Ok(Vec::new())
    }

    async fn release_spaces(&self, claim: &Claim<'_>) -> Result<(), StoreError> {
        self.execute(claims::release(claim)).await?;
        Ok(())
    }

    async fn drop_vectors_but(&self, models: &[EmbeddingModel], most: usize) -> Result<usize, StoreError> {
        self.execute(vectors::drop_but(models, most)).await
    }

    async fn embedded(&self, model: &EmbeddingModel) -> Result<Embedded, StoreError> {
        let found = self.query(vectors::embedded(model)).await?;
        Ok(vectors::read_embedded(&found)?)
    }

    async fn drop_receipts(&self, before: Timestamp, most: usize) -> Result<usize, StoreError> {
        self.execute(records::drop_receipts(before, most)).await
    }

    async fn era(&self) -> Result<u64, StoreError> {
        let found = self.query(erase::era()).await?;
        Ok(found.first().map_or(Ok(0), |row| erase::read_era(row, 0))?)
    }

    async fn begin_era(&self, era: u64) -> Result<(), StoreError> {
        self.execute(erase::begin_era(era)).await?;
        Ok(())
    }

    async fn erase_space(&self, space: &SpaceId, era: u64) -> Result<ErasedRows, StoreError> {
        let (identity, statements) = (Identity::upkeep(), erase::erase(space, era));
        let found = transaction::write_within(erase::LASTS_MAX, &self.pool, identity, statements).await?;
        self.notifier.schedule(space);
        Ok(erase::read_erased(&found)?)
    }

    async fn count_space(&self, space: &SpaceId) -> Result<ErasedRows, StoreError> {
        let found = transaction::read(&self.pool, Identity::upkeep(), erase::count(space)).await?;
        Ok(erase::read_counted(&found)?)
    }

    fn connections(&self) -> Option<Connections> {
        Some(self.pool.connections())
    }

    async fn parts_away(&self) -> Result<Vec<String>, StoreError> {
        if !self.pool.has_nodes.load(Ordering::Relaxed) {
            return Ok(Vec::new());
        }
        // Anybody may ask for health: however many do, the workers are asked once in a while.
        let mut seen = self.workers_away.lock().await;
        if let Some((at, away)) = &*seen
            && at.elapsed() < WORKERS_SEEN_FOR
        {
            return Ok(away.clone());
        }
        let found = self.query(Statement::new(WORKERS_AWAY)).await?;
        let away: Vec<String> = each(&found, |row| get(row, 0))?;
        *seen = Some((Instant::now(), away.clone()));
        Ok(away)
    }

    async fn text_bytes(&self, space: &SpaceId) -> Result<u64, StoreError> {
        let found = self
            .query(Statement::new(TEXT_BYTES).with(space.as_str()))
            .await?;
        Ok(u64::try_from(count(&found)?).unwrap_or(0))
    }

    async fn faults(&self) -> Result<Vec<String>, StoreError> {
        let violations = rls_checks::check(&self.pool).await?;
        let mut faults: Vec<String> = violations
            .iter()
            .map(|violation| format!("{violation}; fix: {}", violation.fix))
            .collect();
        if self.pool.has_nodes.load(Ordering::Relaxed) {
            faults.extend(shards::faults(&self.query(shards::statement()).await?)?);
        }
        let found = self.query(Statement::new(AHEAD)).await?;
        let ahead: i64 = count(&found)?;
        if 0 < ahead {
            faults.push(format!("{ahead} spaces have events after their revision"));
        }
        faults.extend(verify::or_damage(verify::faults(self).await)?);
        Ok(faults)
    }

    async fn stats(&self) -> Result<Vec<(String, String)>, StoreError> {
        let found = self.query(Statement::new(FIGURES)).await?;
        let mut figures = each(&found, |row| Ok((get(row, 0)?, get(row, 1)?)))?;
        figures.push(("database".to_owned(), self.pool.shown()));
        Ok(figures)
    }
}

impl PostgresStore {
    async fn query(&self, statement: Statement) -> Result<Vec<Row>, StoreError> {
        let mut found = transaction::read(&self.pool, Identity::upkeep(), vec![statement]).await?;
        Ok(found.pop().unwrap_or_default())
    }

    async fn names(&self, statement: Statement) -> Result<Vec<SpaceId>, StoreError> {
        let found = self.query(statement).await?;
        Ok(each(&found, |row| Ok(SpaceId::from_stored(get(row, 0)?)))?)
    }

    /// Does one statement, and gives how many rows it returned.
    async fn execute(&self, statement: Statement) -> Result<usize, StoreError> {
        let found = transaction::write(&self.pool, Identity::upkeep(), vec![statement]).await?;
        Ok(found[0].len())
    }
}

fn count(rows: &[Row]) -> DbResult<i64> {
    rows.first().map_or(Ok(0), |row| get(row, 0))
}

/// How long an answer about the workers holds.
const WORKERS_SEEN_FOR: Duration = Duration::from_secs(1);

const WORKERS_AWAY: &str = "
    SELECT nodename || ':' || nodeport FROM run_command_on_workers('SELECT 1') WHERE NOT success ORDER BY 1";

const SPACES: &str = "SELECT space FROM recalld.spaces WHERE $1 < space ORDER BY space LIMIT $2";

const TEXT_BYTES: &str = "
    SELECT ((SELECT coalesce(sum(octet_length(content)), 0) FROM recalld.memories WHERE space = $1)
        + (SELECT coalesce(sum(octet_length(content)), 0) FROM recalld.messages WHERE space = $1))::bigint";

const EXPIRED: &str = "
    SELECT DISTINCT space FROM recalld.memories
    WHERE expires_at IS NOT NULL AND retired_at IS NULL AND expires_at <= $1 ORDER BY space LIMIT $2";

const WITH_RECORDS: &str = "
    SELECT DISTINCT space FROM recalld.records WHERE kind = $1 AND $2 < space ORDER BY space LIMIT $3";

const AHEAD: &str = "
    SELECT count(*) FROM recalld.spaces s
    WHERE s.revision < (SELECT max(e.revision) FROM recalld.events e WHERE e.space = s.space)";

const FIGURES: &str = "
    SELECT 'postgres version', current_setting('server_version')
    UNION ALL SELECT 'rows in spaces', count(*)::text FROM recalld.spaces
    UNION ALL SELECT 'rows in memories', count(*)::text FROM recalld.memories
    UNION ALL SELECT 'rows in memory_versions', count(*)::text FROM recalld.memory_versions
    UNION ALL SELECT 'rows in entities', count(*)::text FROM recalld.entities
    UNION ALL SELECT 'rows in mentions', count(*)::text FROM recalld.mentions
    UNION ALL SELECT 'rows in records', count(*)::text FROM recalld.records
    UNION ALL SELECT 'rows in conversations', count(*)::text FROM recalld.conversations
    UNION ALL SELECT 'rows in messages', count(*)::text FROM recalld.messages
    UNION ALL SELECT 'rows in documents', count(*)::text FROM recalld.documents
    UNION ALL SELECT 'rows in chunks', count(*)::text FROM recalld.chunks
    UNION ALL SELECT 'rows in vectors', count(*)::text FROM recalld.vectors
    UNION ALL SELECT 'rows in keys', count(*)::text FROM recalld.keys
    UNION ALL SELECT 'rows in events', count(*)::text FROM recalld.events
    UNION ALL SELECT 'bytes of the database', pg_database_size(current_database())::text";
