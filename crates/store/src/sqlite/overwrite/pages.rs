//! Finds copies of rows in the unallocated space of pages, and zeroes them.

use std::path::Path;

use rusqlite::{Connection, TransactionBehavior, params};

use super::super::error::SqlResult;
use super::super::log::{self, Position};
use super::super::page::unallocated;

/// How many pages are examined in one step, so that writes do not wait for long: 32 MB.
const STEP_PAGES: u32 = 8192;

/// Up to this number the first byte of a page tells whether it holds rows: other pages begin with
/// the number of a page.
const PAGES_MAX: u32 = 1 << 25;

/// Which pages hold no copies of rows: those up to one, but for those that were written after some
/// position in the log.
#[derive(Clone, Copy, Debug)]
pub(super) struct Examined {
    up_to: Extent,
    since: Position,
}

/// How far pages have been examined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    Page(u32),
    All,
}

impl Examined {
    pub(super) const NOTHING: Examined = Examined {
        up_to: Extent::Page(0),
        since: Position::START,
    };

    /// Returns whether nothing was examined yet, some pages, or all but those written since.
    pub(super) fn extent(self) -> Extent {
        self.up_to
    }

    /// Examines the next pages, or those that were written since all were. Tells whether all are
    /// examined then.
    pub(super) fn advance(&mut self, connection: &Connection, log: &Path) -> SqlResult<bool> {
        match self.up_to {
            Extent::Page(last) => {
                *self = examine_slice(connection, log, *self, last)?;
                Ok(false)
            }
            Extent::All => {
                self.since = examine_written(connection, log, self.since)?;
                Ok(true)
            }
        }
    }
}

/// Examines the pages after `last`, and tells which are done then.
fn examine_slice(connection: &Connection, log: &Path, done: Examined, last: u32) -> SqlResult<Examined> {
    let pages: u32 = connection.query_row("PRAGMA page_count", [], |row| row.get(0))?;
    // What is written while the others are examined has to be examined again.
    let since = match last {
        0 => log::end(connection, log)?,
        _ => done.since,
    };
    if PAGES_MAX < pages {
        tracing::warn!(
            pages,
            "the database is too large to overwrite erased content; run VACUUM"
        );
        let up_to = Extent::All;
        return Ok(Examined { up_to, since });
    }
    let end = pages.min(last.saturating_add(STEP_PAGES));
    zero_unallocated(connection, last + 1..=end)?;
    let up_to = match end == pages {
        true => Extent::All,
        false => Extent::Page(end),
    };
    Ok(Examined { up_to, since })
}

/// Examines the pages that were written after `since`, and gives the position up to which that is
/// done.
fn examine_written(connection: &Connection, log: &Path, since: Position) -> SqlResult<Position> {
    let pages = log::written_since(connection, log, since)?;
    zero_unallocated(connection, pages.into_iter().filter(|page| *page <= PAGES_MAX))?;
    log::end(connection, log)
}

/// Zeroes the unallocated space of `pages`, in one transaction.
fn zero_unallocated(connection: &Connection, pages: impl Iterator<Item = u32>) -> SqlResult<()> {
    let whole = rusqlite::Transaction::new_unchecked(connection, TransactionBehavior::Immediate)?;
    {
        let mut read = whole.prepare_cached("SELECT data FROM sqlite_dbpage WHERE pgno = ?1")?;
        let mut write = whole.prepare_cached("UPDATE sqlite_dbpage SET data = ?2 WHERE pgno = ?1")?;
        for number in pages {
            let mut rows = read.query([number])?;
            let Some(row) = rows.next()? else { continue };
            let page = row.get_ref(0)?.as_blob().map_err(rusqlite::Error::from)?;
            let space = unallocated(page, number == 1);
            let Some(space) = space.filter(|space| page[space.clone()].iter().any(|&byte| byte != 0)) else {
                continue;
            };
            let mut zeroed = page.to_vec();
            zeroed[space].fill(0);
            drop(rows);
            write.execute(params![number, zeroed])?;
        }
    }
    whole.commit()?;
    Ok(())
}

/// Returns whether pages can be written through SQLite, and cannot be mistaken for others: only a
/// database that is vacuumed automatically has pages that describe pages.
pub(super) fn can_be_written(connection: &Connection) -> rusqlite::Result<bool> {
    let has_table: bool = connection.query_row(
        "SELECT EXISTS (SELECT 1 FROM pragma_module_list WHERE name = 'sqlite_dbpage')",
        [],
        |row| row.get(0),
    )?;
    let vacuums: i64 = connection.query_row("PRAGMA auto_vacuum", [], |row| row.get(0))?;
    Ok(has_table && vacuums == 0)
}
