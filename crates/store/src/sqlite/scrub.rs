//! Erased means gone from the file, too.
//!
//! With `secure_delete` SQLite overwrites what it deletes, but when it spreads rows over pages anew
//! it leaves copies of the moved ones in the unused middle of the pages they came from; what is
//! erased later survives there. So after an erasure that unused space is overwritten, for all
//! pages. Nothing ever reads it: pages stay valid whatever part of it reaches the disk.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::time::{Duration, Instant};

use rusqlite::Connection;

use super::checkpoint;

/// How much of the file is done at once, so that writes do not wait for long.
const SLICE_BYTES: u64 = 32 << 20;

/// How many pages are read together.
const BLOCK_PAGES: usize = 256;

/// Up to this size the first byte tells pages of rows from others: those begin with the number of a
/// page.
const FILE_BYTES_MAX: u64 = 128 << 30;

/// Where the header of a page begins on the first page, which has the header of the file before it.
const FIRST_HEADER: usize = 100;

/// How long erased content may wait for a quiet moment.
const PATIENCE: Duration = Duration::from_secs(5);

/// Keeps account of what is still to be overwritten.
#[derive(Debug)]
pub(super) struct Scrubber {
    /// None in memory. It stays open: closing it would also let go of the locks that SQLite has on
    /// the same file.
    file: Option<File>,
    due: Option<Due>,
}

#[derive(Clone, Copy, Debug)]
struct Due {
    /// All before this byte is done.
    from: u64,
    since: Instant,
}

/// Whether a step left something to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Done,
    More,
    /// Somebody still reads what was there before.
    Hindered,
}

impl Scrubber {
    /// Cares for the database in `file`.
    pub(super) fn of_file(file: File) -> Scrubber {
        Scrubber {
            file: Some(file),
            due: None,
        }
    }

    /// Has nothing to do: what is in memory leaves no trace.
    pub(super) fn of_memory() -> Scrubber {
        Scrubber {
            file: None,
            due: None,
        }
    }

    /// Notes that something was erased, which may be anywhere.
    pub(super) fn note_erasure(&mut self) {
        if self.file.is_some() {
            let since = self.due.map_or_else(Instant::now, |due| due.since);
            self.due = Some(Due { from: 0, since });
        }
    }

    pub(super) fn is_due(&self) -> bool {
        self.due.is_some()
    }

    /// Tells whether it should be done now, although there is other work.
    pub(super) fn is_overdue(&self) -> bool {
        self.due.is_some_and(|due| PATIENCE < due.since.elapsed())
    }

    /// Does the next slice, on the thread that writes.
    pub(super) fn step(&mut self, connection: &Connection) -> Step {
        let (Some(file), Some(due)) = (&mut self.file, &mut self.due) else {
            return Step::Done;
        };
        let sliced = move_all_to_file(connection)
            .map_err(io::Error::other)
            .and_then(|page_bytes| scrub_slice(file, due.from, page_bytes));
        match sliced {
            Ok(Some(from)) => {
                due.from = from;
                Step::More
            }
            Ok(None) => {
                self.due = None;
                Step::Done
            }
            Err(error) => {
                tracing::debug!(%error, "erased content waits to be overwritten");
                // Not again at once, when it is overdue.
                due.since = Instant::now();
                Step::Hindered
            }
        }
    }
}

/// Brings the newest version of every page into the file and drops those in memory. Gives the size
/// of a page.
fn move_all_to_file(connection: &Connection) -> rusqlite::Result<usize> {
    checkpoint::truncate(connection)?;
    connection.execute_batch("PRAGMA shrink_memory")?;
    connection.query_row("PRAGMA page_size", [], |row| row.get(0))
}

/// Overwrites the unused middle of the pages in the next slice of the file, and tells where the
/// rest begins.
fn scrub_slice(file: &mut File, from: u64, page_bytes: usize) -> io::Result<Option<u64>> {
    let length = file.metadata()?.len();
    if FILE_BYTES_MAX < length {
        tracing::warn!(
            length,
            "the database is too large to be scrubbed; VACUUM removes traces of erased content"
        );
        return Ok(None);
    }
    let end = length.min(from.saturating_add(SLICE_BYTES));
    let mut bytes = vec![0; BLOCK_PAGES * page_bytes];
    let mut at = from;
    while at < end {
        file.seek(SeekFrom::Start(at))?;
        let read = file.read(&mut bytes)?;
        let whole = read - read % page_bytes;
        if whole == 0 {
            break;
        }
        for (page, place) in bytes[..whole].chunks(page_bytes).zip((at..).step_by(page_bytes)) {
            scrub_page(file, page, place)?;
        }
        at += whole as u64;
    }
    file.sync_data()?;
    Ok((end <= at && at < length).then_some(at))
}

fn scrub_page(file: &mut File, page: &[u8], place: u64) -> io::Result<()> {
    match unused(page, place == 0) {
        Some(unused) if page[unused.clone()].iter().any(|&byte| byte != 0) => {
            file.seek(SeekFrom::Start(place + unused.start as u64))?;
            file.write_all(&vec![0; unused.len()])
        }
        _ => Ok(()),
    }
}

/// Finds the space between the pointers to rows, which grow from the front, and the rows, which
/// grow from the end. None for a page without rows, or one that is not as it should be.
fn unused(page: &[u8], is_first: bool) -> Option<Range<usize>> {
    let header = if is_first { FIRST_HEADER } else { 0 };
    let number = |at: usize| {
        Some(usize::from(u16::from_be_bytes([
            *page.get(at)?,
            *page.get(at + 1)?,
        ])))
    };
    let header_bytes = match page.get(header)? {
        // Inner pages of indexes and tables, and their leaves.
        2 | 5 => 12,
        10 | 13 => 8,
        _ => return None,
    };
    let pointers = header + header_bytes;
    let start = pointers + 2 * number(header + 3)?;
    let end = match number(header + 5)? {
        0 => 65_536,
        end => end,
    };
    let first_free = number(header + 1)?;
    let rows_are_behind = (pointers..start)
        .step_by(2)
        .all(|at| number(at).is_some_and(|row| end <= row));
    let holds =
        start <= end && end <= page.len() && (first_free == 0 || end <= first_free) && rows_are_behind;
    holds.then_some(start..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A leaf of 64 bytes whose rows begin at `rows`, with pointers to them.
    fn leaf(rows: u8, pointers: &[u8]) -> Vec<u8> {
        let mut page = vec![0xa5; 64];
        page[..8].copy_from_slice(&[13, 0, 0, 0, pointers.len() as u8, 0, rows, 0]);
        for (at, pointer) in (8..).step_by(2).zip(pointers) {
            page[at..at + 2].copy_from_slice(&[0, *pointer]);
        }
        page
    }

    #[test]
    fn the_unused_space_is_between_pointers_and_rows() {
        assert_eq!(unused(&leaf(40, &[40, 52]), false), Some(12..40));
        assert_eq!(unused(&leaf(64, &[]), false), Some(8..64));
    }

    #[test]
    fn a_page_that_is_not_as_it_should_be_is_left_alone() {
        for odd in [
            leaf(40, &[39]),
            leaf(65, &[]),
            leaf(9, &[40, 52]),
            vec![13; 64],
            vec![0; 64],
            vec![0xff; 64],
            vec![10],
            Vec::new(),
        ] {
            assert_eq!(unused(&odd, false), None, "{odd:?}");
            assert_eq!(unused(&odd, true), None, "{odd:?}");
        }
    }

    #[test]
    fn slices_reach_the_end_of_any_file() {
        let mut file = tempfile::tempfile().unwrap();
        let mut bytes = [leaf(40, &[40]), vec![7; 64], leaf(60, &[60]), vec![9; 30]].concat();
        bytes[..64].fill(0);
        file.write_all(&bytes).unwrap();
        assert_eq!(scrub_slice(&mut file, 0, 64).unwrap(), None);
        let mut found = Vec::new();
        file.rewind().unwrap();
        file.read_to_end(&mut found).unwrap();
        bytes[128 + 10..128 + 60].fill(0);
        assert_eq!(found, bytes);
    }
}
