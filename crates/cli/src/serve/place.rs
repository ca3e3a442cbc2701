//! Where a server keeps its own few files: in the data directory, or beside it for each database.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;

use crate::config::Config;
use crate::failure::Failure;

/// Gives the directory, and makes it for a database: keys of one must not be taken for those of
/// another.
pub(crate) fn of(config: &Config) -> Result<PathBuf, Failure> {
    let data = config.data()?;
    let Some(url) = &config.values.database.url else {
        return Ok(data.to_owned());
    };
    let mut hasher = DefaultHasher::new();
    url.hash(&mut hasher);
    let place = data.join(format!("database-{:016x}", hasher.finish()));
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    match builder.create(&place) {
        Ok(()) => Ok(place),
        Err(error) => {
            let message = format!("the directory {} cannot be made: {error}", place.display());
            Err(Failure::failed("data_directory", message)
                .hint("name a directory that you may write to with --data DIR"))
        }
    }
}
