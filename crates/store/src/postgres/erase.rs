//! Removes a whole space: every row of it in every table, and the keys of its user.
//!
//! Whoever writes to a space holds its lock together with other writers, whoever erases it holds it
//! alone. So an erasure meets no write half way, and a space that begins again knows the era which
//! its erasure began.

use std::time::Duration;

use recalld_memory::id::SpaceId;
use recalld_memory::ports::ErasedRows;
use tokio_postgres::Row;

use super::error::DbResult;
use super::pipeline::ResultSets;
use super::rows::get;
use super::statement::{Statement, number};

/// How long it may take: all of it is one transaction, however much a user has.
pub(super) const LASTS_MAX: Duration = Duration::from_secs(3600);

/// What is removed, in this order: what refers to something goes before it.
const TABLES: [(&str, &str); 13] = [
    ("vectors", "recalld.vectors WHERE space = $1"),
    ("memory_versions", "recalld.memory_versions WHERE space = $1"),
    ("memories", "recalld.memories WHERE space = $1"),
    ("mentions", "recalld.mentions WHERE space = $1"),
    ("entities", "recalld.entities WHERE space = $1"),
    ("records", "recalld.records WHERE space = $1"),
    ("messages", "recalld.messages WHERE space = $1"),
    ("conversations", "recalld.conversations WHERE space = $1"),
    ("chunks", "recalld.chunks WHERE space = $1"),
    ("documents", "recalld.documents WHERE space = $1"),
    ("events", "recalld.events WHERE space = $1"),
    ("keys", KEYS),
    ("spaces", "recalld.spaces WHERE space = $1"),
];

// A space that is no user's has no keys: nobody's name is compared with.
const KEYS: &str = "recalld.keys WHERE kind = 'user' AND owner = $1 AND namespace IS NOT DISTINCT FROM $2";

/// Gives the statements that remove all of it and begin `era`.
pub(super) fn erase(space: &SpaceId, era: u64) -> Vec<Statement> {
    let lock = "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))";
    let mut statements = vec![Statement::new(lock).with(space.as_str())];
    statements.extend(each_table(space, |rows| {
        format!("WITH gone AS (DELETE FROM {rows} RETURNING 1) SELECT count(*) FROM gone")
    }));
    statements.push(begin_era(era));
    statements
}

/// Reads what [`erase`] has removed.
pub(super) fn read_erased(found: &ResultSets) -> DbResult<ErasedRows> {
    read_counted(&found[1..])
}

/// Gives the statements that count the rows of each table.
pub(super) fn count(space: &SpaceId) -> Vec<Statement> {
    each_table(space, |rows| format!("SELECT count(*) FROM {rows}"))
}

/// Reads what [`count`] found.
pub(super) fn read_counted(found: &[Vec<Row>]) -> DbResult<ErasedRows> {
    let counted = TABLES.iter().zip(found);
    counted
        .map(|((table, _), rows)| {
            let count: i64 = rows.first().map_or(Ok(0), |row| get(row, 0))?;
            Ok((*table, u64::try_from(count).unwrap_or_default()))
        })
        .collect()
}

fn each_table(space: &SpaceId, sql: impl Fn(&str) -> String) -> Vec<Statement> {
    let ask = |(table, rows): &(&str, &str)| match *table {
        "keys" => Statement::new(sql(rows))
            .with(space.user())
            .with(space.namespace()),
        _ => Statement::new(sql(rows)).with(space.as_str()),
    };
    TABLES.iter().map(ask).collect()
}

/// Holds a space together with others who write to it, until the transaction ends.
pub(super) fn hold(space: &SpaceId) -> Statement {
    Statement::new("SELECT pg_advisory_xact_lock_shared(hashtextextended($1, 0))").with(space.as_str())
}

/// Asks for the era in which spaces begin.
pub(super) fn era() -> Statement {
    Statement::new("SELECT era FROM recalld.eras")
}

/// Reads an era from a column.
pub(super) fn read_era(row: &Row, index: usize) -> DbResult<u64> {
    Ok(u64::try_from(get::<i64>(row, index)?).unwrap_or_default())
}

/// Lets spaces begin in `era`, or in a later one.
pub(super) fn begin_era(era: u64) -> Statement {
    Statement::new("UPDATE recalld.eras SET era = greatest(era, $1)").with(number(era))
}
