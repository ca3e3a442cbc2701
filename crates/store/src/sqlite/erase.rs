//! Removes a whole space: every row of it in every table, and the keys of its user.

use recalld_memory::id::SpaceId;
use recalld_memory::ports::ErasedRows;
use rusqlite::{Connection, TransactionBehavior, params};

use super::error::SqlResult;

/// What is removed, in this order: what refers to something goes before it. A table with several
/// lines has as many indexes.
const TABLES: [(&str, &str); 15] = [
    ("vectors", "vectors WHERE space = ?1 AND memory IS NOT NULL"),
    ("vectors", "vectors WHERE space = ?1 AND document IS NOT NULL"),
    ("vectors", "vectors WHERE space = ?1 AND conversation IS NOT NULL"),
    ("memory_versions", "memory_versions WHERE space = ?1"),
    ("memories", "memories WHERE space = ?1"),
    ("mentions", "mentions WHERE space = ?1"),
    ("entities", "entities WHERE space = ?1"),
    ("records", "records WHERE space = ?1"),
    ("messages", "messages WHERE space = ?1"),
    ("conversations", "conversations WHERE space = ?1"),
    ("chunks", "chunks WHERE space = ?1"),
    ("documents", "documents WHERE space = ?1"),
    ("events", "events WHERE space = ?1"),
    ("keys", ""),
    ("spaces", "spaces WHERE space = ?1"),
];

const KEYS: &str = "keys WHERE kind = 'user' AND user = ?1 AND namespace IS ?2";

/// Removes all of it in one transaction, begins `era`, and tells how many rows of each table that
/// were.
pub(super) fn erase(connection: &Connection, space: &SpaceId, era: u64) -> SqlResult<ErasedRows> {
    let whole = rusqlite::Transaction::new_unchecked(connection, TransactionBehavior::Immediate)?;
    let rows = each_table(space, |rows, params| {
        Ok(whole.execute(&format!("DELETE FROM {rows}"), params)? as u64)
    })?;
    // The last statement of a removal has to have changed a row.
    begin_era(&whole, era)?;
    whole.commit()?;
    Ok(rows)
}

/// Counts the rows of each table.
pub(super) fn count(connection: &Connection, space: &SpaceId) -> SqlResult<ErasedRows> {
    each_table(space, |rows, params| {
        let sql = format!("SELECT count(*) FROM {rows}");
        Ok(connection.query_row(&sql, params, |row| row.get(0))?)
    })
}

/// Asks `number` for the rows of each table, given what comes after `FROM`.
fn each_table(
    space: &SpaceId,
    number: impl Fn(&str, &[&dyn rusqlite::ToSql]) -> SqlResult<u64>,
) -> SqlResult<ErasedRows> {
    let mut counted: ErasedRows = Vec::new();
    for (table, rows) in TABLES {
        let count = match (table, space.user()) {
            ("keys", Some(user)) => number(KEYS, params![user, space.namespace()])?,
            ("keys", None) => 0,
            _ => number(rows, params![space.as_str()])?,
        };
        match counted.iter_mut().find(|(known, _)| *known == table) {
            Some((_, sum)) => *sum += count,
            None => counted.push((table, count)),
        }
    }
    Ok(counted)
}

/// Returns the era in which spaces begin.
pub(super) fn era(connection: &Connection) -> SqlResult<u64> {
    Ok(connection.query_row("SELECT era FROM eras", [], |row| row.get(0))?)
}

/// Lets spaces begin in `era`, or in a later one.
pub(super) fn begin_era(connection: &Connection, era: u64) -> SqlResult<()> {
    connection.execute("UPDATE eras SET era = max(era, ?1)", [era])?;
    Ok(())
}
