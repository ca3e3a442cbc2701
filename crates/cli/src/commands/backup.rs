//! `recalld backup`: a consistent copy of everything.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use recalld_store::sqlite::BackupError;

use super::RunCommand;
use crate::arguments::examples;
use crate::failure::{Failure, chain};
use crate::output::WrittenFile;
use crate::session::Session;

/// Copies the memories of all users to a new file, as of one moment
///
/// Writes continue meanwhile. `recalld restore FILE` restores the copy.
#[derive(Debug, Args)]
#[command(after_help = examples!(
    "recalld backup memories-2026-11-15.db",
    "recalld restore memories-2026-11-15.db",
))]
pub(crate) struct Arguments {
    /// File to create; an existing file is never overwritten
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    file: PathBuf,
}

impl RunCommand for Arguments {
    async fn run(self, session: &Session) -> Result<(), Failure> {
        let file = session.path(&self.file);
        let engine = session.read().await?;
        let Some(store) = &engine.sqlite else {
            let message = "a database stores the memories, and it has backups of its own";
            return Err(
                Failure::bad_input("database", message).hint("use pg_dump, or the backups of your provider")
            );
        };
        store.backup(&file).await?;
        let bytes = std::fs::metadata(&file).map_or(0, |metadata| metadata.len());
        let written = WrittenFile::new("Backed up", &file, bytes).with_advice(KEEP_TOO);
        session.output.answer(&written)
    }
}

/// Without these files, a backup would bring erased users back.
const KEEP_TOO: &str =
    "Back up erased.jsonl and erased.key of the data directory as well: they keep erased users erased.";

impl From<BackupError> for Failure {
    fn from(error: BackupError) -> Failure {
        let message = chain(&error);
        match error {
            BackupError::Exists { .. } => {
                Failure::bad_input("exists", message).hint("name a file that does not exist")
            }
            BackupError::File { .. } | BackupError::Store(_) => Failure::failed("backup", message),
        }
    }
}
