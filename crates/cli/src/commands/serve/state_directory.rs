//! The directory for the server's own files: the data directory, or one within it per database.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;

use crate::config::Config;
use crate::failure::Failure;
use crate::private_file;

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
    private_file::create_directory(&directory)?;
    Ok(directory)
}
