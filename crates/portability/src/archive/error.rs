//! Why an archive cannot be read.

use std::io;

use thiserror::Error;

/// Why an archive cannot be read at all.
#[derive(Debug, Error)]
pub enum ArchiveError {
    /// Not a zip file, or a damaged one.
    #[error("this is not an archive that can be read: {0}")]
    Zip(String),
    /// A zip file of something else.
    #[error("this is a zip file, but not an archive of recalld")]
    Foreign,
    /// Written by a later version of recalld.
    #[error("the archive has version {found}, and this version of recalld reads up to {known}")]
    Newer { found: u32, known: u32 },
    /// More bytes than may be read.
    #[error("it unpacks to more than the limit of {limit} bytes")]
    TooLong { limit: u64 },
    /// More lines and entries than may be read.
    #[error("it holds more than the limit of {limit} rows")]
    TooManyRows { limit: usize },
    /// More files than may be in a zip.
    #[error("the zip file holds {entries} files, over the limit of {limit}")]
    TooManyEntries { entries: usize, limit: usize },
    /// A file that grows out of proportion when it is unpacked.
    #[error("a file of the zip unpacks to more than {factor} times its size")]
    Bomb { factor: u64 },
    /// A file that the manifest names is missing, or not as it was written.
    #[error("the file {name:?} of the archive is missing or was changed")]
    Changed { name: String },
    /// The temporary file cannot be written or read.
    #[error("the temporary file of the import failed: {0}")]
    Staging(io::Error),
}

impl From<io::Error> for ArchiveError {
    fn from(error: io::Error) -> ArchiveError {
        error
            .downcast::<ArchiveError>()
            .unwrap_or_else(ArchiveError::Staging)
    }
}

/// Makes an error of a failure to read from the zip.
pub(crate) fn unreadable(error: io::Error) -> ArchiveError {
    let broken = |error: io::Error| ArchiveError::Zip(error.to_string());
    error.downcast::<ArchiveError>().unwrap_or_else(broken)
}
