//! What was written into the files of clients, so that it can be taken back to the byte.
//!
//! If nobody has changed a file since, its former content is put back. Otherwise only what this
//! program added is taken out.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::client::Client;
use super::plan::FileChange;
use super::text_file;
use crate::config::platform;
use crate::failure::Failure;
use crate::private_file;

/// The files of one client that this program has written.
#[derive(Debug, Default, Deserialize, Serialize)]
struct Written {
    files: Vec<WrittenFile>,
}

#[derive(Debug, Deserialize, Serialize)]
struct WrittenFile {
    path: PathBuf,
    /// Its content before the first change; `None` if it did not exist.
    before: Option<String>,
    /// Its content after the last change.
    after: String,
}

/// The record of all changes, in the data directory of this user.
#[derive(Clone, Debug)]
pub(crate) struct Ledger {
    directory: PathBuf,
}

impl Ledger {
    /// Opens the record. It does not depend on `--data`: the files of clients belong to the user.
    pub(crate) fn of_user() -> Result<Ledger, Failure> {
        let data = platform::data_directory().ok_or_else(|| {
            Failure::bad_input("configuration", "there is no home directory").hint("set HOME to a directory")
        })?;
        Ok(Ledger {
            directory: data.join("connections"),
        })
    }

    fn path(&self, client: &Client) -> PathBuf {
        self.directory.join(format!("{}.json", client.id))
    }

    fn read(&self, client: &Client) -> Written {
        // Without the record, what was added is still found by its name.
        let text = fs::read(self.path(client)).ok();
        text.and_then(|text| serde_json::from_slice(&text).ok())
            .unwrap_or_default()
    }

    fn write(&self, client: &Client, written: &Written) -> Result<(), Failure> {
        if written.files.is_empty() {
            return text_file::remove(&self.path(client));
        }
        fs::create_dir_all(&self.directory).map_err(|error| {
            let message = format!(
                "cannot create the directory {}: {error}",
                self.directory.display()
            );
            Failure::failed("data_directory", message)
        })?;
        let text = serde_json::to_string_pretty(written).expect("the record is plain data");
        private_file::write(&self.path(client), &text)
    }

    /// Returns the content to put back, if the file is still as this program left it.
    pub(crate) fn former(&self, client: &Client, change: &FileChange) -> Option<Option<String>> {
        let written = self.read(client);
        let file = written.files.into_iter().find(|file| file.path == change.path)?;
        (change.before.as_deref() == Some(file.after.as_str())).then_some(file.before)
    }

    /// Carries out a change and records how to take it back. Returns the path of the backup.
    /// `clean` is the file without anything of this program.
    pub(crate) fn apply(
        &self,
        client: &Client,
        change: &FileChange,
        clean: Option<String>,
    ) -> Result<Option<PathBuf>, Failure> {
        let mut written = self.read(client);
        written.files.retain(|file| file.path != change.path);
        let backup = self.back_up(client, change)?;
        if let Some(after) = &change.after {
            // Recorded first: what is recorded and was not written changes nothing.
            written.files.push(WrittenFile {
                path: change.path.clone(),
                before: clean,
                after: after.clone(),
            });
        }
        self.write(client, &written)?;
        put(&change.path, change.after.as_deref())?;
        Ok(backup)
    }

    /// Takes a change back and forgets it.
    pub(crate) fn revert(&self, client: &Client, change: &FileChange) -> Result<(), Failure> {
        put(&change.path, change.after.as_deref())?;
        let mut written = self.read(client);
        written.files.retain(|file| file.path != change.path);
        self.write(client, &written)
    }

    /// Copies the file as it is.
    fn back_up(&self, client: &Client, change: &FileChange) -> Result<Option<PathBuf>, Failure> {
        let Some(before) = &change.before else {
            return Ok(None);
        };
        let name = change.path.file_name().unwrap_or_default().to_string_lossy();
        let folder = self.directory.join(client.id);
        fs::create_dir_all(&folder).map_err(|error| {
            let message = format!("cannot create the directory {}: {error}", folder.display());
            Failure::failed("data_directory", message)
        })?;
        let path = folder.join(format!("{}.backup", name.trim_start_matches('.')));
        text_file::write(&path, before)?;
        Ok(Some(path))
    }
}

/// Makes the content of a file what it should be.
fn put(path: &Path, text: Option<&str>) -> Result<(), Failure> {
    match text {
        Some(text) => text_file::write(path, text),
        None => text_file::remove(path),
    }
}
