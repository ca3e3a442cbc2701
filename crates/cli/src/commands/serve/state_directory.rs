//! The directory for the server's own files: the data directory, or one within it per database.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;

use crate::config::Config;
use crate::failure::Failure;

/// Returns the directory, and creates that of a database: the keys of one database must not be
/// mistaken for those of another.
pub(in crate::commands) fn create(config: &Config) -> Result<PathBuf, Failure> {
    let data = config.data()?;
    let Some(url) = &config.values.database.url else {
        return Ok(data.to_owned());
    };
    let mut hasher = DefaultHasher::new();
    url.hash(&mut hasher);
    let directory = data.join(format!("database-{:016x}", hasher.finish()));
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    match builder.create(&directory) {
        Ok(()) => Ok(directory),
        Err(error) => {
            let message = format!("cannot create the directory {}: {error}", directory.display());
            Err(Failure::failed("data_directory", message)
                .hint("name a directory that you can write to with --data DIR"))
        }
    }
}
