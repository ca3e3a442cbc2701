//! Records: JSON values under a kind and a name.

use jiff::Timestamp;
use recalld_memory::change::Revision;
use recalld_memory::id::SpaceId;
use recalld_memory::record::{Record, RecordKind};
use rusqlite::{Connection, Row, params};

use super::apply::RowWriter;
use super::error::SqlResult;
use super::query::collect;
use super::rows::text;
use super::{json, rows};
use crate::checksum;

impl RowWriter<'_> {
    pub(super) fn put_record(self, record: &Record) -> SqlResult<()> {
        let value = json::write(&record.value)?;
        self.connection.prepare_cached(PUT)?.execute(params![
            self.space,
            record.kind.as_str(),
            record.name,
            self.revision,
            record.version,
            value,
            record.written_at.as_microsecond(),
            checksum::record(self.space, record, &value),
        ])?;
        Ok(())
    }

    pub(super) fn erase_record(self, kind: RecordKind, name: &str) -> SqlResult<()> {
        self.connection
            .prepare_cached("DELETE FROM records WHERE space = ?1 AND kind = ?2 AND name = ?3")?
            .execute(params![self.space, kind.as_str(), name])?;
        self.redact_events(kind.as_str(), name.as_bytes())
    }
}

/// Reads one record.
pub(super) fn one(
    connection: &Connection,
    space: &SpaceId,
    kind: RecordKind,
    name: &str,
) -> SqlResult<Option<Record>> {
    let asked = params![space.as_str(), kind.as_str(), name];
    Ok(collect(connection, ONE, asked, |row| record(kind, row))?.pop())
}

/// Reads records of one kind after `after`, in the order of their names.
pub(super) fn page(
    connection: &Connection,
    space: &SpaceId,
    kind: RecordKind,
    after: Option<&str>,
    limit: usize,
) -> SqlResult<Vec<Record>> {
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let asked = params![space.as_str(), kind.as_str(), after, limit];
    collect(connection, PAGE, asked, |row| record(kind, row))
}

/// Reads the records of all held kinds that were written after `since`.
pub(super) fn changed(connection: &Connection, space: &SpaceId, since: Revision) -> SqlResult<Vec<Record>> {
    let mut found = Vec::new();
    for kind in held() {
        let asked = params![space.as_str(), kind.as_str(), since.0];
        found.extend(collect(connection, CHANGED, asked, |row| record(kind, row))?);
    }
    Ok(found)
}

/// Names the records of all held kinds that were erased after `since`.
pub(super) fn erased(
    connection: &Connection,
    space: &SpaceId,
    since: Revision,
) -> SqlResult<Vec<(RecordKind, String)>> {
    let mut found = Vec::new();
    for kind in held() {
        let asked = params![space.as_str(), kind.as_str(), since.0];
        found.extend(collect(connection, ERASED, asked, |row| Ok((kind, row.get(0)?)))?);
    }
    Ok(found)
}

/// Removes receipts written before `before`, the oldest first.
pub(super) fn drop_receipts(connection: &Connection, before: Timestamp, limit: usize) -> SqlResult<usize> {
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    Ok(connection
        .prepare_cached(DROP_RECEIPTS)?
        .execute(params![before.as_microsecond(), limit])?)
}

fn held() -> impl Iterator<Item = RecordKind> {
    RecordKind::ALL.into_iter().filter(|kind| kind.is_held())
}

/// Reads a record from `name, version, value, written_at, space, checksum`.
fn record(kind: RecordKind, row: &Row<'_>) -> SqlResult<Record> {
    let value = text(row, 2)?;
    let record = Record {
        kind,
        name: row.get(0)?,
        value: json::read("the value of a record", value)?,
        version: row.get(1)?,
        written_at: rows::time(row.get(3)?)?,
    };
    let sum = checksum::record(text(row, 4)?, &record, value);
    checksum::verify("records", &record.name, row.get(5)?, sum)?;
    Ok(record)
}

const PUT: &str = "
    INSERT INTO records (space, kind, name, revision, version, value, written_at, checksum)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
    ON CONFLICT (space, kind, name) DO UPDATE SET
        revision = excluded.revision, version = excluded.version, value = excluded.value,
        written_at = excluded.written_at, checksum = excluded.checksum";

const ONE: &str = "
    SELECT name, version, value, written_at, space, checksum FROM records WHERE space = ?1 AND kind = ?2 AND name = ?3";

const PAGE: &str = "
    SELECT name, version, value, written_at, space, checksum FROM records
    WHERE space = ?1 AND kind = ?2 AND (?3 IS NULL OR ?3 < name) ORDER BY name LIMIT ?4";

const CHANGED: &str = "
    SELECT name, version, value, written_at, space, checksum FROM records
    WHERE space = ?1 AND kind = ?2 AND revision > ?3 ORDER BY name";

const ERASED: &str = "
    SELECT DISTINCT CAST(e.subject AS TEXT) AS erased FROM events e INDEXED BY events_of_erasure
    WHERE e.space = ?1 AND e.revision > ?3 AND e.verb = 'erase' AND e.kind = ?2
      AND NOT EXISTS (
          SELECT 1 FROM records r WHERE r.space = ?1 AND r.kind = ?2 AND r.name = CAST(e.subject AS TEXT))
    ORDER BY erased";

const DROP_RECEIPTS: &str = "
    DELETE FROM records WHERE rowid IN (
        SELECT rowid FROM records WHERE kind = 'receipt' AND written_at < ?1
        ORDER BY written_at LIMIT ?2)";
