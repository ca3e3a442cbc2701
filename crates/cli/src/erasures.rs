//! What is kept of erased users, in two files of the data directory that no backup holds and none
//! overwrites.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use jiff::Timestamp;
use recalld_memory::ports::{Tombstone, TombstoneError, Tombstones};
use recalld_memory::wiring::Ports;
use recalld_portability::erase::{EraseError, Eraser, enforce, from_hex, hex};
use serde::{Deserialize, Serialize};

use crate::failure::Failure;

/// The tombstones, one a line.
pub(crate) const FILE: &str = "erased.jsonl";

/// The secret without which nobody can tell whose they are.
pub(crate) const SECRET_FILE: &str = "erased.key";

/// The tombstones of one data directory.
#[derive(Debug)]
pub(crate) struct FileTombstones {
    directory: PathBuf,
    /// Held while a file is changed.
    change: Mutex<()>,
}

/// A tombstone as it is written.
#[derive(Debug, Deserialize, Serialize)]
struct Line {
    subject: String,
    era: u64,
    at: Timestamp,
}

impl FileTombstones {
    /// Looks after the tombstones in `directory`.
    pub(crate) fn new(directory: &Path) -> FileTombstones {
        FileTombstones {
            directory: directory.to_owned(),
            change: Mutex::default(),
        }
    }

    fn make_secret(&self) -> Result<[u8; 32], TombstoneError> {
        if self.directory.join(FILE).exists() {
            let reason = format!("{SECRET_FILE} is missing, and {FILE} is worth nothing without it");
            return Err(failed("read", reason));
        }
        let mut secret = [0; 32];
        for half in secret.chunks_mut(16) {
            half.copy_from_slice(uuid::Uuid::new_v4().as_bytes());
        }
        // Random ids have 122 random bits each; their fixed bits are spread over the whole by
        // hashing.
        let secret = recalld_portability::erase::keyed_hash(&secret, b"recalld secret of tombstones");
        let path = self.directory.join(SECRET_FILE);
        let written = fs::create_dir_all(&self.directory).and_then(|()| {
            let mut file = private(fs::OpenOptions::new().write(true).create_new(true)).open(&path)?;
            file.write_all(format!("{}\n", hex(&secret)).as_bytes())?;
            file.sync_all()?;
            sync(&self.directory)
        });
        written.map_err(|error| failed("written", format!("{}: {error}", path.display())))?;
        Ok(secret)
    }
}

impl Tombstones for FileTombstones {
    fn secret(&self) -> Result<[u8; 32], TombstoneError> {
        let _change = self.change.lock().unwrap_or_else(PoisonError::into_inner);
        let path = self.directory.join(SECRET_FILE);
        match fs::read_to_string(&path) {
            Ok(text) => {
                let reason = || failed("read", format!("{} is damaged", path.display()));
                from_hex(text.trim()).ok_or_else(reason)
            }
            Err(error) if error.kind() == ErrorKind::NotFound => self.make_secret(),
            Err(error) => Err(failed("read", format!("{}: {error}", path.display()))),
        }
    }

    fn all(&self) -> Result<Vec<Tombstone>, TombstoneError> {
        let path = self.directory.join(FILE);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(failed("read", format!("{}: {error}", path.display()))),
        };
        // A line without its end was being written when the process died: nobody was told that it
        // is there.
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        let numbered = whole.lines().zip(1..).filter(|(line, _)| !line.is_empty());
        numbered
            .map(|(line, number)| {
                let damaged = || failed("read", format!("line {number} of {} is damaged", path.display()));
                let line: Line = serde_json::from_str(line).map_err(|_| damaged())?;
                Ok(Tombstone {
                    subject: from_hex(&line.subject).ok_or_else(damaged)?,
                    era: line.era,
                    at: line.at,
                })
            })
            .collect()
    }

    fn set(&self, tombstone: &Tombstone) -> Result<(), TombstoneError> {
        let _change = self.change.lock().unwrap_or_else(PoisonError::into_inner);
        let path = self.directory.join(FILE);
        let line = Line {
            subject: hex(&tombstone.subject),
            era: tombstone.era,
            at: tombstone.at,
        };
        let line = serde_json::to_string(&line).expect("a line is plain data");
        let written = (|| {
            let torn = fs::read(&path).is_ok_and(|bytes| bytes.last().is_some_and(|byte| *byte != b'\n'));
            let mut file = private(fs::OpenOptions::new().append(true).create(true)).open(&path)?;
            if torn {
                // What was not finished stays unfinished, and the new line stands alone.
                let length = fs::read(&path)?
                    .iter()
                    .rposition(|byte| *byte == b'\n')
                    .map_or(0, |end| end + 1);
                file.set_len(length as u64)?;
            }
            file.write_all(format!("{line}\n").as_bytes())?;
            file.sync_all()?;
            sync(&self.directory)
        })();
        written.map_err(|error: std::io::Error| failed("written", format!("{}: {error}", path.display())))
    }
}

/// A database without a data directory beside it: nobody can be erased for good.
#[derive(Debug)]
pub(crate) struct NoTombstones;

impl Tombstones for NoTombstones {
    fn secret(&self) -> Result<[u8; 32], TombstoneError> {
        let reason = "there is no data directory to keep it in; name one with --data DIR or RECALLD_DATA";
        Err(failed("written", reason.to_owned()))
    }

    fn all(&self) -> Result<Vec<Tombstone>, TombstoneError> {
        Ok(Vec::new())
    }

    fn set(&self, _: &Tombstone) -> Result<(), TombstoneError> {
        self.secret().map(|_| ())
    }
}

fn failed(attempt: &'static str, reason: String) -> TombstoneError {
    TombstoneError { attempt, reason }
}

fn private(options: &mut fs::OpenOptions) -> &mut fs::OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options
}

fn sync(directory: &Path) -> std::io::Result<()> {
    // Elsewhere a directory cannot be opened as a file, and the file system does this by itself.
    match cfg!(unix) {
        true => fs::File::open(directory)?.sync_all(),
        false => Ok(()),
    }
}

/// Erases again whom a backup has brought back, before anything is read. Commands open the memories
/// outside of any task, so this waits on a thread of its own; without tombstones it does nothing.
pub(crate) fn enforce_now(ports: &Ports, eraser: &Eraser) -> Result<(), Failure> {
    if eraser.tombstones.all()?.is_empty() {
        return Ok(());
    }
    let (ports, eraser) = (ports.clone(), eraser.clone());
    let thread = std::thread::spawn(move || -> Result<usize, Failure> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| Failure::failed("runtime", format!("the program cannot start: {error}")))?;
        Ok(runtime.block_on(enforce(&ports, &eraser))?)
    });
    let count = thread
        .join()
        .unwrap_or_else(|_| Err(Failure::failed("erased", "erased users could not be looked for")))?;
    warn_of_returned(count);
    Ok(())
}

/// Tells how many users had to be erased again.
pub(crate) fn warn_of_returned(count: usize) {
    if 0 < count {
        tracing::warn!(
            count,
            "users who had been erased were in the store again; they are erased"
        );
    }
}

impl From<TombstoneError> for Failure {
    fn from(error: TombstoneError) -> Failure {
        Failure::failed("erased", error.to_string())
            .hint("put erased.jsonl and erased.key of the data directory back as they were")
    }
}

impl From<EraseError> for Failure {
    fn from(error: EraseError) -> Failure {
        match error {
            EraseError::Tombstone(error) => error.into(),
            EraseError::Store(_) => Failure::failed("store", crate::failure::chain(&error))
                .hint("run the same command again; nothing is shown of a user whose erasure was begun"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tombstone(number: u8) -> Tombstone {
        Tombstone {
            subject: [number; 32],
            era: number.into(),
            at: Timestamp::UNIX_EPOCH,
        }
    }

    #[test]
    fn a_line_that_was_not_finished_counts_for_nothing() {
        let directory = tempfile::tempdir().unwrap();
        let tombstones = FileTombstones::new(directory.path());
        tombstones.set(&tombstone(1)).unwrap();
        let path = directory.path().join(FILE);
        let mut text = fs::read_to_string(&path).unwrap();
        text.push_str("{\"subject\": \"01");
        fs::write(&path, &text).unwrap();
        assert_eq!(tombstones.all().unwrap(), [tombstone(1)]);
        tombstones.set(&tombstone(2)).unwrap();
        assert_eq!(tombstones.all().unwrap(), [tombstone(1), tombstone(2)]);
    }

    #[test]
    fn a_damaged_line_and_a_lost_secret_are_told() {
        let directory = tempfile::tempdir().unwrap();
        let tombstones = FileTombstones::new(directory.path());
        let secret = tombstones.secret().unwrap();
        assert_eq!(FileTombstones::new(directory.path()).secret().unwrap(), secret);
        fs::write(directory.path().join(FILE), "{\"subject\": 7}\n").unwrap();
        let damaged = tombstones.all().unwrap_err().to_string();
        assert!(damaged.contains("line 1"), "{damaged}");
        fs::remove_file(directory.path().join(SECRET_FILE)).unwrap();
        assert!(tombstones.secret().is_err(), "a new one would match nobody");
    }
}
