//! How every query reads: all rows of a statement, and the revision that a read starts from.

use recalld_memory::change::Revision;
use recalld_memory::id::SpaceId;
use rusqlite::{Connection, OptionalExtension, Params, Row, Statement};

use super::error::SqlResult;

/// Reads the revision of a space.
pub(super) fn revision(connection: &Connection, space: &SpaceId) -> SqlResult<Revision> {
    let found = connection
        .prepare_cached("SELECT revision FROM spaces WHERE space = ?1")?
        .query_row([space.as_str()], |row| row.get(0))
        .optional()?;
    Ok(Revision(found.unwrap_or(0)))
}

/// Reads every row that `sql` finds.
pub(super) fn collect<T>(
    connection: &Connection,
    sql: &str,
    params: impl Params,
    read: impl Fn(&Row<'_>) -> SqlResult<T>,
) -> SqlResult<Vec<T>> {
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(params)?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(read(row)?);
    }
    Ok(found)
}

/// Where the columns that are read by name are in the rows of a statement.
pub(super) trait Places: Sized {
    /// Looks them up.
    fn of(statement: &Statement<'_>) -> rusqlite::Result<Self>;
}

impl<A: Places, B: Places> Places for (A, B) {
    fn of(statement: &Statement<'_>) -> rusqlite::Result<(A, B)> {
        Ok((A::of(statement)?, B::of(statement)?))
    }
}

/// Reads every row that `sql` finds, by the names of its columns.
pub(super) fn collect_by_name<P: Places, T>(
    connection: &Connection,
    sql: &str,
    params: impl Params,
    read: impl Fn(&Row<'_>, &P) -> SqlResult<T>,
) -> SqlResult<Vec<T>> {
    let mut statement = connection.prepare_cached(sql)?;
    let places = P::of(&statement)?;
    let mut rows = statement.query(params)?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(read(row, &places)?);
    }
    Ok(found)
}
