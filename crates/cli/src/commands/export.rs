//! `recalld export`: everything a user has, as one archive.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use recalld_portability::archive::{ExportError, Sink, export, signer};

use crate::arguments::examples;
use crate::failure::{Failure, chain};
use crate::output::MadeFile;
use crate::session::Session;

/// Writes everything the user has to one archive: memories with their history, conversations,
/// profile, log
///
/// A zip of JSON lines with a manifest and checksums, and the Markdown files. `recalld import`
/// takes it in again.
#[derive(Debug, Args)]
#[command(after_help = examples!(
    "recalld export ana.zip --user ana",
    "recalld import ana.zip --user ana2",
))]
pub(crate) struct Arguments {
    /// File to make
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    file: PathBuf,

    /// Replaces the file if it exists
    #[arg(long)]
    force: bool,
}

impl Arguments {
    /// Exports.
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        let file = session.path(&self.file);
        if !self.force && file.symlink_metadata().is_ok() {
            let message = format!("{} exists already", file.display());
            return Err(Failure::bad_input("exists", message).hint("add --force to replace it"));
        }
        let engine = session.read()?;
        let mut growing = Growing::begin(&file)?;
        let exported = export(
            &engine.ports,
            &engine.scope(),
            signer(&engine.eraser).as_ref(),
            &mut growing,
        )
        .await;
        let bytes = match exported {
            Ok(()) => growing.finish(&file)?,
            Err(error) => {
                growing.abandon();
                return Err(error.into());
            }
        };
        session.output.answer(&MadeFile::new("Exported", &file, bytes))
    }
}

/// A file beside the one that is wanted, until it is whole.
struct Growing {
    path: PathBuf,
    file: std::fs::File,
}

impl Growing {
    fn begin(file: &Path) -> Result<Growing, Failure> {
        let mut name = file.as_os_str().to_owned();
        name.push(".partial");
        let path = PathBuf::from(name);
        let mut options = std::fs::OpenOptions::new();
        options.write(true).create(true).truncate(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let opened = options.open(&path).map_err(|error| unwritable(file, &error))?;
        Ok(Growing { path, file: opened })
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
        // The next export begins it anew anyway.
        let _ = std::fs::remove_file(&self.path);
    }
}

fn unwritable(file: &Path, error: &io::Error) -> Failure {
    Failure::failed("output", format!("{} cannot be written: {error}", file.display()))
}

#[async_trait::async_trait]
impl Sink for Growing {
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
