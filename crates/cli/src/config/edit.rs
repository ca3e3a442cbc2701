//! Changes one value in the configuration file and leaves the rest as it is.

use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;

use toml_edit::{DocumentMut, value};

use super::{Config, platform};
use crate::failure::Failure;

/// Sets a top-level value in the configuration file, which is created if it does not exist. Returns
/// the path of the file.
pub(crate) fn set_in_file(config: &Config, key: &str, text: &str) -> Result<PathBuf, Failure> {
    let path = config
        .file
        .clone()
        .or_else(platform::config_file)
        .ok_or_else(|| {
            Failure::bad_input("configuration", "there is no directory for a configuration file")
                .hint("name one with --config FILE")
        })?;
    let failed = |what: &str, error: &dyn std::fmt::Display| {
        Failure::failed(
            "configuration",
            format!("cannot {what} {}: {error}", path.display()),
        )
    };
    let old = match fs::read_to_string(&path) {
        Ok(old) => old,
        Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
        Err(error) => return Err(failed("read", &error)),
    };
    let mut document: DocumentMut = old.parse().map_err(|error| failed("parse", &error))?;
    document[key] = value(text);
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|error| failed("create the directory of", &error))?;
    }
    // Written beside the file and then renamed, so that a crash leaves one or the other.
    let draft = path.with_extension("toml.new");
    fs::write(&draft, document.to_string()).map_err(|error| failed("write", &error))?;
    fs::rename(&draft, &path).map_err(|error| failed("write", &error))?;
    Ok(path)
}
