//! How far an installation is, what it installed, and why it failed.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::CheckError;
use crate::http::InvalidEndpoint;

/// How far a pull has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'p> {
    /// The current file.
    pub file: &'p Path,
    /// How much of it is there.
    pub file_bytes: u64,
    /// How much there is in all.
    pub bytes: u64,
}

/// One file of a model that was installed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PulledFile {
    /// Its path inside the model.
    pub path: PathBuf,
    /// Its length.
    pub bytes: u64,
    /// Its SHA-256, in hexadecimal.
    pub sha256: String,
}

/// Why a model could not be installed. Nothing is left behind but a download that can be resumed.
#[derive(Debug, Error)]
pub enum PullError {
    /// There is one of that name.
    #[error("{name} is installed already, in {}", directory.display())]
    Installed { name: String, directory: PathBuf },
    /// The name cannot be a directory's.
    #[error(
        "{0:?} cannot be a model's name: letters, digits, '.', '_' and '-' can, and it starts with one of the first two"
    )]
    Name(String),
    /// The source is neither there nor an address.
    #[error(
        "{0:?} is not a model's directory, a .zip or .whl archive, an http(s) address of one, or a name such as owner/model"
    )]
    Source(String),
    /// It is larger than allowed.
    #[error("it is larger than {bytes_max} bytes")]
    TooLarge { bytes_max: u64 },
    /// The archive cannot be used.
    #[error("archive {}: {reason}", path.display())]
    Archive { path: PathBuf, reason: String },
    /// A download failed.
    #[error("{url}: {reason}")]
    Http { url: String, reason: String },
    /// The address cannot be used.
    #[error(transparent)]
    Address(#[from] InvalidEndpoint),
    /// A file cannot be read.
    #[error("cannot read {}", path.display())]
    Read {
        path: PathBuf,
        #[source]
        source: io::Error,
    },
    /// A file cannot be written.
    #[error("cannot write {}", path.display())]
    Write {
        path: PathBuf,
        #[source]
        source: io::Error,
    },
    /// It was fetched, and does not work.
    #[error("the model does not work: {0}")]
    Unusable(#[from] CheckError),
}
