//! The write-ahead log as a file: which pages were written since some moment. It is only read here.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use recalld_memory::ports::StoreError;
use rusqlite::Connection;

use super::checkpoint;
use super::error::SqlResult;

/// The bytes before the first frame: magic number, format, page size, sequence, salts, checksums.
const HEADER_BYTES: u64 = 32;

/// Where the salts begin in the header of the log, and how many bytes they have.
const HEADER_SALTS: usize = 16;
const SALT_BYTES: usize = 8;

/// The bytes before the page in a frame: page number, size of the database, salts, checksums.
const FRAME_HEADER_BYTES: u64 = 24;

/// A moment in the log. SQLite begins the log anew, with other salts, when all of it has been moved
/// into the database.
#[derive(Clone, Copy, Debug)]
pub(super) struct Position {
    salts: [u8; SALT_BYTES],
    frames: u32,
}

impl Position {
    /// Before everything.
    pub(super) const START: Position = Position {
        salts: [0; SALT_BYTES],
        frames: 0,
    };
}

/// Returns the path of the log beside `database`.
pub(super) fn path(database: &Path) -> PathBuf {
    database.with_extension("db-wal")
}

/// Returns where the log ends now.
pub(super) fn end(connection: &Connection, path: &Path) -> SqlResult<Position> {
    let frames = checkpoint::frames(connection)?;
    let salts = match open(path)? {
        Some((_, header)) => salts_at(&header, HEADER_SALTS),
        None => Position::START.salts,
    };
    Ok(Position { salts, frames })
}

/// Lists the pages that were written after `since`, which must be later than the last time at which
/// the log began anew, or the time before that.
pub(super) fn written_since(
    connection: &Connection,
    path: &Path,
    since: Position,
) -> SqlResult<BTreeSet<u32>> {
    let frames = checkpoint::frames(connection)?;
    let Some((mut file, header)) = open(path)? else {
        return Ok(BTreeSet::new());
    };
    let page_bytes: u64 = connection.query_row("PRAGMA page_size", [], |row| row.get(0))?;
    let salts = salts_at(&header, HEADER_SALTS);
    let first = match salts == since.salts {
        true => since.frames,
        false => 0,
    };
    let mut pages = BTreeSet::new();
    let frame_bytes = FRAME_HEADER_BYTES + page_bytes;
    let mut head = [0; FRAME_HEADER_BYTES as usize];
    for frame in first..frames {
        let at = HEADER_BYTES + u64::from(frame) * frame_bytes;
        file.seek(SeekFrom::Start(at))
            .and_then(|_| file.read_exact(&mut head))
            .map_err(|error| unreadable(path, error))?;
        if salts_at(&head, SALT_BYTES) != salts {
            let odd = io::Error::new(io::ErrorKind::InvalidData, "a frame has other salts than the log");
            return Err(unreadable(path, odd).into());
        }
        pages.insert(u32::from_be_bytes([head[0], head[1], head[2], head[3]]));
    }
    Ok(pages)
}

/// Opens the log and reads its header. None when there is nothing in it.
fn open(path: &Path) -> SqlResult<Option<(BufReader<File>, [u8; HEADER_BYTES as usize])>> {
    let opened = File::open(path).and_then(|file| {
        let mut file = BufReader::with_capacity(FRAME_HEADER_BYTES as usize, file);
        let mut header = [0; HEADER_BYTES as usize];
        file.read_exact(&mut header)?;
        Ok((file, header))
    });
    match opened {
        Ok(opened) => Ok(Some(opened)),
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::NotFound | io::ErrorKind::UnexpectedEof
            ) =>
        {
            Ok(None)
        }
        Err(error) => Err(unreadable(path, error).into()),
    }
}

fn salts_at(bytes: &[u8], at: usize) -> [u8; SALT_BYTES] {
    let mut salts = [0; SALT_BYTES];
    salts.copy_from_slice(&bytes[at..at + SALT_BYTES]);
    salts
}

fn unreadable(path: &Path, error: io::Error) -> StoreError {
    StoreError::Unavailable {
        reason: format!("{} cannot be read: {error}", path.display()),
    }
}
