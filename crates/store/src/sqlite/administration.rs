//! Queries across spaces, and the checks of `doctor`.

use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use jiff::Timestamp;
use recalld_index::model::EmbeddingModel;
use recalld_memory::id::SpaceId;
use recalld_memory::ports::{Administration, Claim, Connections, Embedded, ErasedRows, StoreError};
use recalld_memory::record::RecordKind;
use rusqlite::{Connection, params};

use super::error::SqlResult;
use super::{SqliteStore, erase, log, migrate, records, vectors};
use crate::verify;

/// The tables, in the order of their figures.
const TEXT_BYTES: &str = "
    SELECT (SELECT coalesce(sum(octet_length(content)), 0) FROM memories WHERE space = ?1)
        + (SELECT coalesce(sum(octet_length(content)), 0) FROM messages WHERE space = ?1)";

const TABLES: [&str; 13] = [
    "spaces",
    "memories",
    "memory_versions",
    "entities",
    "mentions",
    "records",
    "conversations",
    "messages",
    "documents",
    "chunks",
    "vectors",
    "keys",
    "events",
];

#[async_trait]
impl Administration for SqliteStore {
    async fn spaces(&self, after: Option<&SpaceId>, limit: usize) -> Result<Vec<SpaceId>, StoreError> {
        let after = after.cloned();
        self.ask(move |connection| spaces(connection, after.as_ref(), limit))
            .await
    }

    async fn spaces_with_expired(&self, now: Timestamp, limit: usize) -> Result<Vec<SpaceId>, StoreError> {
        self.ask(move |connection| spaces_with_expired(connection, now, limit))
            .await
    }

    async fn spaces_with_records(
        &self,
        kind: RecordKind,
        after: Option<&SpaceId>,
        limit: usize,
    ) -> Result<Vec<SpaceId>, StoreError> {
        let after = after.cloned();
        self.ask(move |connection| spaces_with_records(connection, kind, after.as_ref(), limit))
            .await
    }

    async fn claim_spaces(&self, claim: &Claim<'_>, limit: usize) -> Result<Vec<SpaceId>, StoreError> {
        let mut claimed: Vec<SpaceId> = Vec::new();
        let mut after: Option<SpaceId> = None;
        while claimed.len() < limit {
            let page = self.spaces_with_records(claim.work, after.as_ref(), PAGE).await?;
            let free = page.iter().filter(|space| self.claims.take(claim, space));
            claimed.extend(free.take(limit - claimed.len()).cloned());
            match page.last() {
                Some(last) => after = Some(last.clone()),
                None => break,
            }
        }
        Ok(claimed)
    }

    async fn release_spaces(&self, claim: &Claim<'_>) -> Result<(), StoreError> {
        self.claims.release(claim);
        Ok(())
    }

    async fn drop_vectors_but(&self, models: &[EmbeddingModel], limit: usize) -> Result<usize, StoreError> {
        let kept = self.ask(vectors::models).await?;
        let mut dropped = 0;
        for model in kept.into_iter().filter(|model| !models.contains(model)) {
            let left = limit - dropped;
            dropped += self
                .writer
                .remove(move |connection| vectors::drop_of(connection, &model, left))
                .await?;
        }
        Ok(dropped)
    }

    async fn embedded(&self, model: &EmbeddingModel) -> Result<Embedded, StoreError> {
        let model = model.clone();
        self.ask(move |connection| vectors::embedded(connection, &model))
            .await
    }

    async fn drop_receipts(&self, before: Timestamp, limit: usize) -> Result<usize, StoreError> {
        self.writer
            .remove(move |connection| records::drop_receipts(connection, before, limit))
            .await
    }

    async fn era(&self) -> Result<u64, StoreError> {
        self.ask(erase::era).await
    }

    async fn begin_era(&self, era: u64) -> Result<(), StoreError> {
        self.writer
            .ask(move |connection| erase::begin_era(connection, era))
            .await
    }

    async fn erase_space(&self, space: &SpaceId, era: u64) -> Result<ErasedRows, StoreError> {
        let erasure = self.begin_erasure(space).await?;
        let (erased, revisions) = (space.clone(), Arc::clone(&self.revisions));
        let work = move |connection: &Connection| {
            let rows = erase::erase(connection, &erased, era)?;
            revisions.erased(&erased);
            drop(erasure);
            Ok(rows)
        };
        let rows = self.writer.remove(work).await?;
        self.writer.overwrite_erased().await;
        Ok(rows)
    }

    async fn count_space(&self, space: &SpaceId) -> Result<ErasedRows, StoreError> {
        let space = space.clone();
        self.ask(move |connection| erase::count(connection, &space)).await
    }

    fn connections(&self) -> Option<Connections> {
        None
    }

    async fn text_bytes(&self, space: &SpaceId) -> Result<u64, StoreError> {
        let space = space.as_str().to_owned();
        self.ask(move |connection| Ok(connection.query_row(TEXT_BYTES, [space], |row| row.get(0))?))
            .await
    }

    async fn faults(&self) -> Result<Vec<String>, StoreError> {
        let journal = match self.directory {
            Some(_) => "wal",
            None => "memory",
        };
        let settings = move |connection: &Connection| faults_of_settings(connection, journal);
        let mut faults = self.writer.ask(settings).await?;
        faults.extend(verify::or_damage(self.ask(faults_of_data).await)?);
        faults.extend(verify::or_damage(verify::faults(self).await)?);
        if let Some(directory) = &self.directory {
            faults.extend(directory.faults());
        }
        Ok(faults)
    }

    async fn stats(&self) -> Result<Vec<(String, String)>, StoreError> {
        let mut figures = self.ask(stats).await?;
        let Some(path) = self.path() else {
            figures.push(("database".to_owned(), "in memory".to_owned()));
            return Ok(figures);
        };
        let (bytes, log_bytes) = (bytes_of(&path), bytes_of(&log::path(&path)));
        figures.push(("database".to_owned(), path.display().to_string()));
        figures.push(("bytes of the database".to_owned(), bytes.to_string()));
        figures.push(("bytes of the log".to_owned(), log_bytes.to_string()));
        Ok(figures)
    }
}

/// Lists spaces after `after`, in the order of their names.
fn spaces(connection: &Connection, after: Option<&SpaceId>, limit: usize) -> SqlResult<Vec<SpaceId>> {
    let sql = "SELECT space FROM spaces WHERE ?1 < space ORDER BY space LIMIT ?2";
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    // No space has an empty name.
    names(
        connection,
        sql,
        params![after.map_or("", |space| space.as_str()), limit],
    )
}

/// Lists spaces with active memories whose time has passed at `now`.
fn spaces_with_expired(connection: &Connection, now: Timestamp, limit: usize) -> SqlResult<Vec<SpaceId>> {
    let sql = "SELECT DISTINCT space FROM memories
               WHERE expires_at IS NOT NULL AND retired_at IS NULL AND expires_at <= ?1
               ORDER BY space LIMIT ?2";
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    names(connection, sql, params![now.as_microsecond(), limit])
}

/// How many spaces are listed at a time, in search of some that are free.
const PAGE: usize = 500;

/// Lists spaces after `after` that hold records of `kind`, in the order of their names.
fn spaces_with_records(
    connection: &Connection,
    kind: RecordKind,
    after: Option<&SpaceId>,
    limit: usize,
) -> SqlResult<Vec<SpaceId>> {
    let sql = "SELECT DISTINCT space FROM records WHERE kind = ?1 AND ?2 < space ORDER BY space LIMIT ?3";
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let after = after.map_or("", |space| space.as_str());
    names(connection, sql, params![kind.as_str(), after, limit])
}

/// Checks pages, indexes, references between rows, and that no row is newer than its space.
fn faults_of_data(connection: &Connection) -> SqlResult<Vec<String>> {
    let mut faults = Vec::new();
    let mut check = connection.prepare("PRAGMA integrity_check(20)")?;
    let verdicts = check.query_map([], |row| row.get::<_, String>(0))?;
    for verdict in verdicts {
        let verdict = verdict?;
        if verdict != "ok" {
            faults.push(format!("the database is damaged: {verdict}"));
        }
    }
    let mut check = connection.prepare(
        "SELECT \"table\", parent, count(*) FROM pragma_foreign_key_check GROUP BY \"table\", parent",
    )?;
    let mut orphans = check.query([])?;
    while let Some(row) = orphans.next()? {
        let (table, parent, count): (String, String, i64) = (row.get(0)?, row.get(1)?, row.get(2)?);
        faults.push(format!(
            "{count} rows of {table} refer to missing rows of {parent}"
        ));
    }
    let ahead: i64 = connection.query_row(
        "SELECT count(*) FROM spaces s WHERE s.revision < (SELECT max(revision) FROM events e WHERE e.space = s.space)",
        [],
        |row| row.get(0),
    )?;
    if 0 < ahead {
        faults.push(format!("{ahead} spaces have events after their revision"));
    }
    Ok(faults)
}

/// Checks the settings of the writing connection. `journal` is the mode it should have.
fn faults_of_settings(connection: &Connection, journal: &str) -> SqlResult<Vec<String>> {
    let mut faults = Vec::new();
    let mode: String = connection.query_row("PRAGMA journal_mode", [], |row| row.get(0))?;
    if mode != journal {
        faults.push(format!("the journal mode is {mode} instead of {journal}"));
    }
    let number = |name: &str| connection.query_row(&format!("PRAGMA {name}"), [], |row| row.get::<_, i64>(0));
    let wanted = [
        ("synchronous", 2),
        ("secure_delete", 1),
        ("foreign_keys", 1),
        ("user_version", migrate::STEPS.len() as i64),
    ];
    for (name, wanted) in wanted {
        let found = number(name)?;
        if found != wanted {
            faults.push(format!("the setting {name} is {found} instead of {wanted}"));
        }
    }
    Ok(faults)
}

/// Counts the rows of each table, and the pages.
fn stats(connection: &Connection) -> SqlResult<Vec<(String, String)>> {
    let number = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, i64>(0));
    let mut figures = vec![
        ("sqlite version".to_owned(), rusqlite::version().to_owned()),
        ("schema".to_owned(), number("PRAGMA user_version")?.to_string()),
    ];
    for table in TABLES {
        let rows = number(&format!("SELECT count(*) FROM {table}"))?;
        figures.push((format!("rows in {table}"), rows.to_string()));
    }
    let free = number("PRAGMA freelist_count")? * number("PRAGMA page_size")?;
    figures.push(("bytes free in the database".to_owned(), free.to_string()));
    Ok(figures)
}

fn names(connection: &Connection, sql: &str, params: impl rusqlite::Params) -> SqlResult<Vec<SpaceId>> {
    let mut statement = connection.prepare_cached(sql)?;
    let names = statement.query_map(params, |row| row.get(0))?;
    Ok(names
        .map(|name| name.map(SpaceId::from_stored))
        .collect::<Result<_, _>>()?)
}

fn bytes_of(file: &Path) -> u64 {
    file.metadata().map_or(0, |metadata| metadata.len())
}
