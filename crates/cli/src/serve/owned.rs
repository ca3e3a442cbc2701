//! Files that only their owner may read.

use std::fs;
use std::io::Write;
use std::path::Path;

use crate::failure::Failure;

/// Writes a file whole or not at all, readable by its owner alone from the first byte on.
pub(super) fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let unwritable = |error: std::io::Error| {
        Failure::failed("output", format!("{} cannot be written: {error}", path.display()))
    };
    let draft = path.with_extension("json.new");
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&draft).map_err(unwritable)?;
    file.write_all(text.as_bytes())
        .and_then(|()| file.sync_all())
        .map_err(unwritable)?;
    fs::rename(&draft, path).map_err(unwritable)
}
