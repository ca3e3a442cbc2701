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

mod pages;
#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::RwLock;
use recalld_memory::ports::StoreError;
use rusqlite::Connection;

use super::checkpoint;
use super::error::{Failure, SqlResult};
use pages::{Examined, Extent};

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
    /// How long the log was when it was last moved. While a long read needs it, it is not begun
    /// anew, and need not be moved again for every page more.
    log_moved_at: u32,
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
        let method = match pages::can_be_written(connection)? {
            true => Method::Pages(Examined::NOTHING),
            false => Method::Vacuum,
        };
        let files = Files { log, readers, method };
        Ok(Overwriter {
            files: Some(files),
            due: None,
            log_moved_at: 0,
        })
    }

    /// Has nothing to do: what is in memory leaves no trace.
    pub(super) fn of_memory() -> Overwriter {
        Overwriter {
            files: None,
            due: None,
            log_moved_at: 0,
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
        let is_due = self.is_log_long(connection).map_err(Failure::from);
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

    fn is_log_long(&mut self, connection: &Connection) -> rusqlite::Result<bool> {
        let frames = checkpoint::frames(connection)?;
        if frames < self.log_moved_at {
            self.log_moved_at = 0;
        }
        let is_long = checkpoint::LOG_PAGES_DUE <= frames - self.log_moved_at;
        if is_long {
            self.log_moved_at = frames;
        }
        Ok(is_long)
    }
}

impl Files {
    fn step(&mut self, connection: &Connection) -> SqlResult<Step> {
        match &mut self.method {
            Method::Vacuum => connection.execute_batch("VACUUM")?,
            Method::Pages(examined) => {
                if !examined.advance(connection, &self.log)? {
                    return Ok(Step::More);
                }
            }
        }
        self.cut_log(connection)
    }

    fn checkpoint(&mut self, connection: &Connection) -> SqlResult<()> {
        if let Method::Pages(examined) = &mut self.method {
            match examined.extent() {
                // Nothing was erased yet: all pages are examined when something is.
                Extent::Page(0) => {}
                // The pages in the log have still to be examined. That takes a few steps.
                Extent::Page(_) => return Ok(()),
                Extent::All => {
                    examined.advance(connection, &self.log)?;
                }
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
