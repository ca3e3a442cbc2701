//! Why a model directory cannot be used.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Why a model could not be loaded from its directory.
#[derive(Debug, Error)]
pub enum LoadError {
    /// A file that every model has is not there.
    #[error("{} is missing{hint}", path.display())]
    Missing { path: PathBuf, hint: &'static str },
    /// A file cannot be read.
    #[error("cannot read {}", path.display())]
    Read {
        path: PathBuf,
        #[source]
        source: io::Error,
    },
    /// A settings file says something that cannot be.
    #[error("{} is not usable: {reason}", path.display())]
    Config { path: PathBuf, reason: String },
    /// The model is of another family.
    #[error("{} holds a model of type {found:?}; {wanted}", path.display())]
    Architecture {
        path: PathBuf,
        found: String,
        wanted: &'static str,
    },
    /// The weights' file is damaged or not what it claims to be.
    #[error("{} is not a usable safetensors file: {reason}", path.display())]
    Weights { path: PathBuf, reason: String },
    /// One tensor is absent or of the wrong form.
    #[error("tensor {name} in {}: {reason}", path.display())]
    Tensor {
        path: PathBuf,
        name: String,
        reason: String,
    },
    /// The program was built without what reads models from directories.
    #[error(
        "this build reads no models from directories; \
         install a package, or build with `--features local-models`"
    )]
    NotBuilt,
    /// The tokenizer cannot be used with this model.
    #[error("tokenizer {} is not usable: {reason}", path.display())]
    Tokenizer { path: PathBuf, reason: String },
}

/// Fails if this build cannot use a model from a directory, before anything is fetched or read.
pub(crate) fn require_built() -> Result<(), LoadError> {
    match cfg!(feature = "local-models") {
        true => Ok(()),
        false => Err(LoadError::NotBuilt),
    }
}

/// Reads a file, if there is one, of at most `bytes_max`, so that a mistaken path costs no memory.
pub(crate) fn read_bounded(path: &Path, bytes_max: u64) -> Result<Option<Vec<u8>>, LoadError> {
    let failed = |source| LoadError::Read {
        path: path.to_path_buf(),
        source,
    };
    let size = match std::fs::metadata(path) {
        Ok(metadata) => metadata.len(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(error)),
    };
    if bytes_max < size {
        let reason = format!("{size} bytes, over the limit of {bytes_max}");
        return Err(LoadError::Config {
            path: path.to_path_buf(),
            reason,
        });
    }
    std::fs::read(path).map(Some).map_err(failed)
}

/// Reads and parses a settings file of at most a megabyte, if there is one.
pub(crate) fn read_settings<T: serde::de::DeserializeOwned>(path: &Path) -> Result<Option<T>, LoadError> {
    const BYTES_MAX: u64 = 1 << 20;
    let Some(bytes) = read_bounded(path, BYTES_MAX)? else {
        return Ok(None);
    };
    serde_json::from_slice(&bytes)
        .map(Some)
        .map_err(|error| LoadError::Config {
            path: path.to_path_buf(),
            reason: error.to_string(),
        })
}
