//! Records: JSON values under a kind and a name.

use jiff::Timestamp;
use recalld_memory::change::Revision;
use recalld_memory::id::SpaceId;
use recalld_memory::ports::StoreError;
use recalld_memory::record::{Record, RecordKind};
use tokio_postgres::Row;

use super::error::DbResult;
use super::json;
use super::rows::{self, get};
use super::statement::{Statement, limit, number};
use super::write::Write;
use crate::checksum;

impl Write<'_> {
    pub(super) fn put_record(self, record: &Record) -> Result<Statement, StoreError> {
        let value = json::write(&record.value)?;
        Ok(Statement::new(PUT)
            .with(self.space)
            .with(record.kind.as_str())
            .with(record.name.as_str())
            .with(self.revision)
            .with(i64::from(record.version))
            .with(value.as_str())
            .with(record.written_at.as_microsecond())
            .with(checksum::record(self.space, record, &value)))
    }

    pub(super) fn erase_record(
        self,
        ordinal: i64,
        kind: RecordKind,
        name: &str,
        statements: &mut Vec<Statement>,
    ) {
        statements.push(
            Statement::new("DELETE FROM recalld.records WHERE space = $1 AND kind = $2 AND name = $3")
                .with(self.space)
                .with(kind.as_str())
                .with(name),
        );
        statements.push(self.forget_circumstances(ordinal, kind.as_str(), name));
    }
}

/// Asks for one record.
pub(super) fn one(space: &SpaceId, kind: RecordKind, name: &str) -> Statement {
    Statement::new(ONE)
        .with(space.as_str())
        .with(kind.as_str())
        .with(name)
}

/// Asks for records of one kind after `after`, in the order of their names.
pub(super) fn page(space: &SpaceId, kind: RecordKind, after: Option<&str>, most: usize) -> Statement {
    Statement::new(PAGE)
        .with(space.as_str())
        .with(kind.as_str())
        .with(after)
        .with(limit(most))
}

/// Asks for the records of all held kinds that were written after `since`, and for those that were
/// erased.
pub(super) fn changed(space: &SpaceId, since: Revision) -> [Statement; 2] {
    let held: Vec<&str> = RecordKind::ALL
        .into_iter()
        .filter(|kind| kind.is_held())
        .map(RecordKind::as_str)
        .collect();
    [CHANGED, ERASED].map(|sql| {
        Statement::new(sql)
            .with(space.as_str())
            .with(number(since.0))
            .with(held.clone())
    })
}

/// Reads the names of erased records.
pub(super) fn read_erased(rows: &[Row]) -> DbResult<Vec<(RecordKind, String)>> {
    rows::each(rows, |row| Ok((kind(row, 0)?, get(row, 1)?)))
}

/// Removes receipts written before `before`, the oldest first.
pub(super) fn drop_receipts(before: Timestamp, most: usize) -> Statement {
    Statement::new(DROP_RECEIPTS)
        .with(before.as_microsecond())
        .with(limit(most))
}

/// Reads a record from `kind, name, version, value, written_at, space, checksum`.
pub(super) fn record(row: &Row) -> DbResult<Record> {
    let value = get(row, 3)?;
    let record = Record {
        kind: kind(row, 0)?,
        name: get(row, 1)?,
        value: json::read("the value of a record", value)?,
        version: rows::small(row, 2)?,
        written_at: rows::time(get(row, 4)?)?,
    };
    let sum = checksum::record(get(row, 5)?, &record, value);
    checksum::verify("records", &record.name, get(row, 6)?, sum)?;
    Ok(record)
}

fn kind(row: &Row, index: usize) -> DbResult<RecordKind> {
    let name: &str = get(row, index)?;
    RecordKind::parse(name).ok_or_else(|| rows::unreadable("the kind of a record", &name))
}

const PUT: &str = "
    INSERT INTO recalld.records (space, kind, name, revision, version, value, written_at, checksum)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
    ON CONFLICT (space, kind, name) DO UPDATE SET
        revision = excluded.revision, version = excluded.version, value = excluded.value,
        written_at = excluded.written_at, checksum = excluded.checksum";

const ONE: &str = "
    SELECT kind, name, version, value, written_at, space, checksum FROM recalld.records
    WHERE space = $1 AND kind = $2 AND name = $3";

const PAGE: &str = "
    SELECT kind, name, version, value, written_at, space, checksum FROM recalld.records
    WHERE space = $1 AND kind = $2 AND ($3 IS NULL OR $3 < name) ORDER BY name LIMIT $4";

const CHANGED: &str = "
    SELECT kind, name, version, value, written_at, space, checksum FROM recalld.records
    WHERE space = $1 AND revision > $2 AND kind = ANY ($3) ORDER BY array_position($3, kind), name";

const ERASED: &str = "
    SELECT e.kind, e.subject FROM recalld.events e
    WHERE e.space = $1 AND e.revision > $2 AND e.verb = 'erase' AND e.kind = ANY ($3)
      AND NOT EXISTS (
          SELECT FROM recalld.records m WHERE m.space = $1 AND m.kind = e.kind AND m.name = e.subject)
    GROUP BY e.kind, e.subject ORDER BY array_position($3, e.kind), e.subject";

// By key: positions (ctid) repeat in the partitions of a table.
const DROP_RECEIPTS: &str = "
    DELETE FROM recalld.records r USING (
        SELECT space, name FROM recalld.records WHERE kind = 'receipt' AND written_at < $1
        ORDER BY written_at LIMIT $2) AS old
    WHERE r.space = old.space AND r.kind = 'receipt' AND r.name = old.name AND r.written_at < $1 RETURNING 1";
