//! Files that only their owner can read.

use std::fs;
use std::io::Write;
use std::path::Path;

use crate::failure::Failure;

/// Restricts a file to its owner from its creation on.
pub(crate) fn restrict(options: &mut fs::OpenOptions) -> &mut fs::OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options
}

/// Writes a file completely or not at all.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let unwritable = |error: std::io::Error| {
        Failure::failed("output", format!("cannot write {}: {error}", path.display()))
    };
    let draft = path.with_extension("json.new");
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    let mut file = restrict(&mut options).open(&draft).map_err(unwritable)?;
    file.write_all(text.as_bytes())
        .and_then(|()| file.sync_all())
        .map_err(unwritable)?;
    fs::rename(&draft, path).map_err(unwritable)
}

/// Creates a directory that only its owner can use.
pub(crate) fn create_directory(path: &Path) -> Result<(), Failure> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path).map_err(|error| {
        let message = format!("cannot create the directory {}: {error}", path.display());
        Failure::failed("data_directory", message)
            .hint("name a directory that you can write to with --data DIR")
    })
}
