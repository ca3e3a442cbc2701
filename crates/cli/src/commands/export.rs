//! `recalld export`: exports everything about a user.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use recalld_portability::archive::{ExportError, Sink, export, signer};

use super::RunCommand;
use super::known_user::require_known_user;
use crate::arguments::examples;
use crate::failure::{Failure, chain};
use crate::output::WrittenFile;
use crate::session::Session;

/// Exports everything about the user to one archive: memories with their history, conversations,
/// profile, log
///
/// The archive is a zip file of JSON lines with a manifest, checksums and the Markdown files.
/// `recalld import` imports it.
#[derive(Debug, Args)]
#[command(after_help = examples!(
    "recalld export ana.zip --user ana",
    "recalld import ana.zip --user ana2",
))]
pub(crate) struct Arguments {
    /// File to create
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    file: PathBuf,

    /// Replaces an existing file
    #[arg(long)]
    force: bool,
}

impl RunCommand for Arguments {
    async fn run(self, session: &Session) -> Result<(), Failure> {
        let file = session.path(&self.file);
        if !self.force && file.symlink_metadata().is_ok() {
            let message = format!("{} already exists", file.display());
            return Err(Failure::bad_input("exists", message).hint("add --force to replace it"));
        }
        let engine = session.read().await?;
        let scope = engine.scope();
        require_known_user(&engine, &scope).await?;
        let mut draft = Draft::begin(&file)?;
        let exported = export(&engine.ports, &scope, signer(&engine.eraser).as_ref(), &mut draft).await;
        let bytes = match exported {
            Ok(()) => draft.finish(&file)?,
            Err(error) => {
                draft.abandon();
                return Err(error.into());
            }
        };
        session.output.answer(&WrittenFile::new("Exported", &file, bytes))
    }
}

/// A draft beside the wanted file, until it is complete.
struct Draft {
    path: PathBuf,
    file: std::fs::File,
}

impl Draft {
    fn begin(file: &Path) -> Result<Draft, Failure> {
        let mut name = file.as_os_str().to_owned();
        name.push(".partial");
        let path = PathBuf::from(name);
        let mut options = std::fs::OpenOptions::new();
        options.write(true).create(true).truncate(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let opened = options.open(&path).map_err(|error| unwritable(file, &error))?;
        Ok(Draft { path, file: opened })
    }

    fn finish(self, file: &Path) -> Result<u64, Failure> {
        let finished = self
            .file
            .sync_all()
            .and_then(|()| std::fs::rename(&self.path, file))
            .and_then(|()| std::fs::metadata(file));
        let metadata = finished.map_err(|error| unwritable(file, &error))?;
        Ok(metadata.len())
    }

    fn abandon(self) {
        // The next export overwrites it anyway.
        let _ = std::fs::remove_file(&self.path);
    }
}

fn unwritable(file: &Path, error: &io::Error) -> Failure {
    Failure::failed("output", format!("cannot write {}: {error}", file.display()))
}

#[async_trait::async_trait]
impl Sink for Draft {
    async fn take(&mut self, bytes: Vec<u8>) -> io::Result<()> {
        self.file.write_all(&bytes)
    }
}

impl From<ExportError> for Failure {
    fn from(error: ExportError) -> Failure {
        match error {
            ExportError::Store(error) => error.into(),
            ExportError::Space(error) => error.into(),
            ExportError::Erased => Failure::failed("erased", error.to_string()).hint("nothing was written"),
            ExportError::Write(_) => Failure::failed("output", chain(&error)),
        }
    }
}
