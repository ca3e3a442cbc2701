//! Changes one value in the configuration file, and leaves the rest as its owner wrote it.

use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;

use toml_edit::{DocumentMut, value};

use super::{Config, platform};
use crate::failure::Failure;

/// Sets a value of the first level in the file that is in force, which is made if there is none.
/// Gives the file.
pub(crate) fn choose(config: &Config, key: &str, chosen: &str) -> Result<PathBuf, Failure> {
    let path = config
        .file
        .clone()
        .or_else(platform::config_file)
        .ok_or_else(|| {
            Failure::bad_input("configuration", "there is no place for a configuration file")
                .hint("name one with --config FILE")
        })?;
    let failed = |what: &str, error: &dyn std::fmt::Display| {
        Failure::failed(
            "configuration",
            format!("{} cannot be {what}: {error}", path.display()),
        )
    };
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
        Err(error) => return Err(failed("read", &error)),
    };
    let mut document: DocumentMut = text.parse().map_err(|error| failed("understood", &error))?;
    document[key] = value(chosen);
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|error| failed("made", &error))?;
    }
    // Beside it and then in its place, so that a crash leaves one or the other.
    let draft = path.with_extension("toml.new");
    fs::write(&draft, document.to_string()).map_err(|error| failed("written", &error))?;
    fs::rename(&draft, &path).map_err(|error| failed("written", &error))?;
    Ok(path)
}
