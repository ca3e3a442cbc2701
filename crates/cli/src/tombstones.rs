//! The tombstones of erased users, in two files of the data directory. Backups neither contain nor
//! overwrite them.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use parking_lot::Mutex;
use recalld_memory::id::{SpaceId, UserId};
use recalld_memory::ports::{Tombstone, TombstoneError, Tombstones};
use recalld_portability::erase::{EraseError, from_hex, hex, subject};
use serde::{Deserialize, Serialize};

use crate::failure::{Failure, chain};
use crate::private_file;
use crate::waiting_prompts;

/// The tombstones, one per line.
pub(crate) const FILE: &str = "erased.jsonl";

/// The secret without which nobody can attribute the tombstones to users.
pub(crate) const SECRET_FILE: &str = "erased.key";

/// The tombstones of one data directory.
#[derive(Debug)]
pub(crate) struct FileTombstones {
    directory: PathBuf,
    /// The data directory in which hooks write down what users say.
    prompts: PathBuf,
    /// Held while a file is changed.
    change: Mutex<()>,
}

/// A tombstone as a line of the file.
#[derive(Debug, Deserialize, Serialize)]
struct Line {
    subject: String,
    era: u64,
    at: Timestamp,
}

impl FileTombstones {
    /// Opens the tombstones in `directory`.
    pub(crate) fn new(directory: &Path) -> FileTombstones {
        FileTombstones {
            directory: directory.to_owned(),
            prompts: directory.to_owned(),
            change: Mutex::default(),
        }
    }

    /// The tombstones of a database, whose own directory is within the data directory.
    pub(crate) fn within(self, data: &Path) -> FileTombstones {
        FileTombstones {
            prompts: data.to_owned(),
            ..self
        }
    }

    fn create_secret(&self) -> Result<[u8; 32], TombstoneError> {
        if self.directory.join(FILE).exists() {
            let reason = format!("{SECRET_FILE} is missing, and {FILE} is useless without it");
            return Err(failed("read", reason));
        }
        let mut secret = [0; 32];
        getrandom::fill(&mut secret).map_err(|error| failed("written", error.to_string()))?;
        let path = self.directory.join(SECRET_FILE);
        let written = fs::create_dir_all(&self.directory).and_then(|()| {
            let mut file =
                private_file::restrict(fs::OpenOptions::new().write(true).create_new(true)).open(&path)?;
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
        let _change = self.change.lock();
        let path = self.directory.join(SECRET_FILE);
        match fs::read_to_string(&path) {
            Ok(text) => {
                let reason = || failed("read", format!("{} is damaged", path.display()));
                from_hex(text.trim()).ok_or_else(reason)
            }
            Err(error) if error.kind() == ErrorKind::NotFound => self.create_secret(),
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
        // The process died while it wrote a line without an end: that erasure was never
        // acknowledged.
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
        let secret = self.secret()?;
        let _change = self.change.lock();
        let path = self.directory.join(FILE);
        let line = Line {
            subject: hex(&tombstone.subject),
            era: tombstone.era,
            at: tombstone.at,
        };
        let line = serde_json::to_string(&line).expect("a line is plain data");
        let written = (|| {
            let torn = fs::read(&path).is_ok_and(|bytes| bytes.last().is_some_and(|byte| *byte != b'\n'));
            let mut file =
                private_file::restrict(fs::OpenOptions::new().append(true).create(true)).open(&path)?;
            if torn {
                // Removes the unfinished line, so that the new one stands alone.
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
        written.map_err(|error: std::io::Error| failed("written", format!("{}: {error}", path.display())))?;
        // What hooks wrote down of what the user said must not be learned after the erasure.
        let is_erased = |user: &str| {
            UserId::new(user)
                .is_ok_and(|user| subject(&secret, &SpaceId::of_user(&user)) == tombstone.subject)
        };
        let removed = waiting_prompts::erase(&self.prompts, is_erased);
        removed.map_err(|error| failed("written", format!("prompts that wait to be read: {error}")))
    }
}

/// Stands in when there is no data directory: no user can be erased then.
#[derive(Debug)]
pub(crate) struct NoTombstones;

impl Tombstones for NoTombstones {
    fn secret(&self) -> Result<[u8; 32], TombstoneError> {
        let reason = "there is no data directory for it; name one with --data DIR or RECALLD_DATA";
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

fn sync(directory: &Path) -> std::io::Result<()> {
    // Other systems cannot open a directory as a file, and do this by themselves.
    match cfg!(unix) {
        true => fs::File::open(directory)?.sync_all(),
        false => Ok(()),
    }
}

impl From<TombstoneError> for Failure {
    fn from(error: TombstoneError) -> Failure {
        Failure::failed("erased", error.to_string())
            .hint("restore erased.jsonl and erased.key in the data directory")
    }
}

impl From<EraseError> for Failure {
    fn from(error: EraseError) -> Failure {
        match error {
            EraseError::Tombstone(error) => error.into(),
            EraseError::Store(_) => Failure::failed("store", chain(&error))
                .hint("run the same command again; nothing of a partly erased user is shown"),
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
    fn an_unfinished_line_is_ignored() {
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
    fn what_hooks_wrote_down_of_an_erased_user_is_removed() {
        let directory = tempfile::tempdir().unwrap();
        let tombstones = FileTombstones::new(directory.path());
        for user in ["ana", "bob"] {
            let said = waiting_prompts::Said {
                user: user.to_owned(),
                project: "p".to_owned(),
                session: user.to_owned(),
                at: Timestamp::UNIX_EPOCH,
                prompt: "I live in Lisbon".to_owned(),
            };
            waiting_prompts::add(directory.path(), &said).unwrap();
        }
        let ana = SpaceId::of_user(&UserId::new("ana").unwrap());
        let erased = Tombstone {
            subject: subject(&tombstones.secret().unwrap(), &ana),
            ..tombstone(1)
        };
        tombstones.set(&erased).unwrap();
        assert!(waiting_prompts::of_user(directory.path(), "ana").is_empty());
        assert_eq!(waiting_prompts::of_user(directory.path(), "bob").len(), 1);
    }

    #[test]
    fn a_damaged_line_and_a_lost_secret_are_errors() {
        let directory = tempfile::tempdir().unwrap();
        let tombstones = FileTombstones::new(directory.path());
        let secret = tombstones.secret().unwrap();
        assert_eq!(FileTombstones::new(directory.path()).secret().unwrap(), secret);
        fs::write(directory.path().join(FILE), "{\"subject\": 7}\n").unwrap();
        let damaged = tombstones.all().unwrap_err().to_string();
        assert!(damaged.contains("line 1"), "{damaged}");
        fs::remove_file(directory.path().join(SECRET_FILE)).unwrap();
        assert!(
            tombstones.secret().is_err(),
            "a new secret would match no tombstone"
        );
    }
}
