//! `recalld backup`: a copy of everything, as of one moment.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use recalld_store::sqlite::BackupError;

use crate::arguments::examples;
use crate::failure::{Failure, chain};
use crate::output::MadeFile;
use crate::session::Session;

/// Copies everything, of all users and as of one moment, to a new file
///
/// Writing goes on meanwhile. `recalld restore FILE` puts the copy in place.
#[derive(Debug, Args)]
#[command(after_help = examples!(
    "recalld backup memories-2026-11-15.db",
    "recalld restore memories-2026-11-15.db",
))]
pub(crate) struct Arguments {
    /// File to make; one that exists is never overwritten
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    file: PathBuf,
}

impl Arguments {
    /// Makes the copy.
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        let file = session.path(&self.file);
        let engine = session.read()?;
        let Some(store) = &engine.sqlite else {
            let message = "the memories are in a database, which has backups of its own";
            return Err(Failure::bad_input("database", message).hint("use pg_dump, or what your host offers"));
        };
        store.backup(&file).await?;
        let bytes = std::fs::metadata(&file).map_or(0, |metadata| metadata.len());
        let made = MadeFile::new("Backed up", &file, bytes).advising(KEEP_TOO);
        session.output.answer(&made)
    }
}

/// Without them a backup would bring erased users back.
const KEEP_TOO: &str =
    "Keep erased.jsonl and erased.key of the data directory too: they keep erased users erased.";

impl From<BackupError> for Failure {
    fn from(error: BackupError) -> Failure {
        let message = chain(&error);
        match error {
            BackupError::Exists { .. } => {
                Failure::bad_input("exists", message).hint("name a file that does not exist yet")
            }
            BackupError::File { .. } | BackupError::Store(_) => Failure::failed("backup", message),
        }
    }
}
