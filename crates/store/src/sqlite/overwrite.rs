//! Overwrites what was erased, so that no file of the database still holds it.
//!
//! With `secure_delete` SQLite overwrites the rows it deletes. When it spreads rows over pages
//! anew, however, copies of the moved rows remain in the unallocated space of the pages they came
//! from, and outlive their erasure. So after an erasure that space is zeroed, through
//! `sqlite_dbpage`: in a transaction, with SQLite's locks and write-ahead log. Then the log, which
//! holds earlier states of pages, is moved into the database and cut to nothing.
//!
//! The first erasure since the store was opened looks at every page. Later ones look at the pages
//! that were written since, which the log names.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::RwLock;
use recalld_memory::ports::StoreError;
use rusqlite::{Connection, TransactionBehavior, params};

use super::checkpoint;
use super::error::{Failure, SqlResult};
use super::log::{self, Position};
use super::page::unallocated;

/// How many pages are examined in one step, so that writes do not wait for long: 32 MB.
const STEP_PAGES: u32 = 8192;

/// Up to this number the first byte of a page tells whether it holds rows: other pages begin with
/// the number of a page.
const PAGES_MAX: u32 = 1 << 25;

/// How long the first and the longest pause are after readers were in the way.
const PAUSE_MIN: Duration = Duration::from_millis(5);
const PAUSE_MAX: Duration = Duration::from_millis(500);

/// How long readers are waited for at once. New ones wait as well in that time.
const READERS_TIMEOUT: Duration = Duration::from_millis(20);

/// Held by each reader while it reads, and by the writer while it cuts the log.
pub(super) type ReadLock = Arc<RwLock<()>>;

/// Zeroes what erasures leave behind, on the thread that writes.
#[derive(Debug)]
pub(super) struct Overwriter {
    /// None in memory, where nothing outlives the process.
    files: Option<Files>,
    due: Option<Due>,
}

#[derive(Debug)]
struct Files {
    log: PathBuf,
    readers: ReadLock,
    method: Method,
}

/// How unallocated space is overwritten.
#[derive(Debug)]
enum Method {
    Pages(Examined),
    /// Rewrites the database. For a SQLite that was built without `sqlite_dbpage`.
    Vacuum,
}

/// Which pages hold no copies of rows: those up to one, but for those that were written after some
/// position in the log.
#[derive(Clone, Copy, Debug)]
struct Examined {
    up_to: Extent,
    since: Position,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extent {
    Page(u32),
    All,
}

impl Examined {
    const NOTHING: Examined = Examined {
        up_to: Extent::Page(0),
        since: Position::START,
    };
}

#[derive(Clone, Copy, Debug)]
struct Due {
    not_before: Instant,
    pause: Duration,
}

/// What a step left to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Done,
    More,
    /// Readers still need the log.
    Hindered,
}

impl Overwriter {
    /// Cares for the files of the database that `connection` writes to.
    pub(super) fn of_files(
        connection: &Connection,
        log: PathBuf,
        readers: ReadLock,
    ) -> rusqlite::Result<Overwriter> {
        let method = match can_write_pages(connection)? {
            true => Method::Pages(Examined::NOTHING),
            false => Method::Vacuum,
        };
        let files = Files { log, readers, method };
        Ok(Overwriter {
            files: Some(files),
            due: None,
        })
    }

    /// Has nothing to do: what is in memory leaves no trace.
    pub(super) fn of_memory() -> Overwriter {
        Overwriter {
            files: None,
            due: None,
        }
    }

    /// Notes that something was erased.
    pub(super) fn note_erasure(&mut self) {
        if self.files.is_some() {
            self.due = Some(Due {
                not_before: Instant::now(),
                pause: PAUSE_MIN,
            });
        }
    }

    /// Returns how long to wait before the next step; none when there is nothing to do.
    pub(super) fn pause(&self) -> Option<Duration> {
        let due = self.due?;
        Some(due.not_before.saturating_duration_since(Instant::now()))
    }

    /// Does the next part of the work.
    pub(super) fn step(&mut self, connection: &Connection) -> Step {
        let (Some(files), Some(due)) = (&mut self.files, &mut self.due) else {
            return Step::Done;
        };
        match files.step(connection) {
            Ok(Step::Done) => {
                self.due = None;
                Step::Done
            }
            Ok(Step::More) => Step::More,
            hindered => {
                if let Err(failure) = hindered {
                    let error = StoreError::from(failure);
                    tracing::warn!(%error, "erased content is not overwritten yet");
                }
                due.not_before = Instant::now() + due.pause;
                due.pause = (2 * due.pause).min(PAUSE_MAX);
                Step::Hindered
            }
        }
    }

    /// Moves a long log into the database. Pages that it names are examined first: later they
    /// cannot be found any more.
    pub(super) fn checkpoint(&mut self, connection: &Connection) {
        let is_due = checkpoint::is_due(connection).map_err(Failure::from);
        let moved = is_due.and_then(|is_due| match (is_due, &mut self.files) {
            (false, _) => Ok(()),
            (true, None) => Ok(checkpoint::move_log(connection)?),
            (true, Some(files)) => files.checkpoint(connection),
        });
        // A failure costs nothing but the next attempt.
        if let Err(failure) = moved {
            let error = StoreError::from(failure);
            tracing::debug!(%error, "the write-ahead log could not be moved into the database");
        }
    }
}

impl Files {
    fn step(&mut self, connection: &Connection) -> SqlResult<Step> {
        match &mut self.method {
            Method::Vacuum => connection.execute_batch("VACUUM")?,
            Method::Pages(examined) => {
                if let Extent::Page(last) = examined.up_to {
                    *examined = examine_slice(connection, &self.log, *examined, last)?;
                    return Ok(Step::More);
                }
                examined.since = examine_written(connection, &self.log, examined.since)?;
            }
        }
        self.cut_log(connection)
    }

    fn checkpoint(&mut self, connection: &Connection) -> SqlResult<()> {
        if let Method::Pages(examined) = &mut self.method {
            match examined.up_to {
                // Nothing was erased yet: all pages are examined when something is.
                Extent::Page(0) => {}
                // The pages in the log have still to be examined. That takes a few steps.
                Extent::Page(_) => return Ok(()),
                Extent::All => examined.since = examine_written(connection, &self.log, examined.since)?,
            }
        }
        Ok(checkpoint::move_log(connection)?)
    }

    fn cut_log(&mut self, connection: &Connection) -> SqlResult<Step> {
        // Most of the work, while others read.
        checkpoint::move_log(connection)?;
        let Some(_no_readers) = self.readers.try_write_for(READERS_TIMEOUT) else {
            return Ok(Step::Hindered);
        };
        match checkpoint::truncate(connection)? {
            true => Ok(Step::Done),
            false => Ok(Step::Hindered),
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

/// Tells whether pages can be written through SQLite, and cannot be mistaken for others: only a
/// database that is vacuumed automatically has pages that describe pages.
fn can_write_pages(connection: &Connection) -> rusqlite::Result<bool> {
    let has_table: bool = connection.query_row(
        "SELECT EXISTS (SELECT 1 FROM pragma_module_list WHERE name = 'sqlite_dbpage')",
        [],
        |row| row.get(0),
    )?;
    let vacuums: i64 = connection.query_row("PRAGMA auto_vacuum", [], |row| row.get(0))?;
    Ok(has_table && vacuums == 0)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::connection::open_writer;
    use super::*;

    fn count(directory: &Path, word: &[u8]) -> usize {
        let files = fs::read_dir(directory).unwrap();
        let bytes = files.map(|file| fs::read(file.unwrap().path()).unwrap());
        bytes
            .map(|bytes| bytes.windows(word.len()).filter(|window| *window == word).count())
            .sum()
    }

    fn leaves_nothing(method: Method) {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("recalld.db");
        fs::write(&path, "").unwrap();
        let connection = open_writer(&path, None).unwrap();
        connection
            .execute_batch(
                "CREATE TABLE songs (number INTEGER, song TEXT); CREATE INDEX by_song ON songs (song)",
            )
            .unwrap();
        for number in 0..600 {
            let bird = ["canary", "sparrow"][number % 2];
            let song = format!("{} {bird} {}", number * 7919 % 1009, "la ".repeat(number % 70));
            connection
                .execute("INSERT INTO songs VALUES (?1, ?2)", params![number, song])
                .unwrap();
        }
        let mut overwriter = Overwriter {
            files: Some(Files {
                log: log::path(&path),
                readers: ReadLock::default(),
                method,
            }),
            due: None,
        };
        for part in 0..3 {
            let erased = connection.execute(
                "DELETE FROM songs WHERE song LIKE '%canary%' AND number % 3 = ?1",
                [part],
            );
            assert_eq!(erased.unwrap(), 100);
            assert_ne!(
                count(directory.path(), b"canary"),
                0,
                "deleting alone leaves traces"
            );
            overwriter.note_erasure();
            let steps = (0..10).map(|_| overwriter.step(&connection));
            assert!(steps.into_iter().any(|step| step == Step::Done));
            assert_eq!(overwriter.pause(), None);
        }
        assert_eq!(count(directory.path(), b"canary"), 0);
        assert_ne!(count(directory.path(), b"sparrow"), 0);
        let verdict: String = connection
            .query_row("PRAGMA integrity_check", [], |row| row.get(0))
            .unwrap();
        assert_eq!(verdict, "ok");
    }

    #[test]
    fn pages_are_overwritten() {
        leaves_nothing(Method::Pages(Examined::NOTHING));
    }

    #[test]
    fn without_access_to_pages_the_database_is_rewritten() {
        leaves_nothing(Method::Vacuum);
    }

    #[test]
    fn this_build_has_access_to_pages() {
        let connection = Connection::open_in_memory().unwrap();
        assert!(can_write_pages(&connection).unwrap());
        let vacuumed = Connection::open_in_memory().unwrap();
        vacuumed
            .execute_batch("PRAGMA auto_vacuum = full; CREATE TABLE t (a)")
            .unwrap();
        assert!(!can_write_pages(&vacuumed).unwrap());
    }
}
