//! Changes one value in the configuration file and leaves the rest as it is.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use toml_edit::{DocumentMut, value};

use crate::failure::Failure;

/// Sets a top-level value in a file, which is created if it does not exist.
pub(crate) fn set_in_file(path: &Path, key: &str, text: &str) -> Result<(), Failure> {
    let failed = |what: &str, error: &dyn std::fmt::Display| {
        Failure::failed(
            "configuration",
            format!("cannot {what} {}: {error}", path.display()),
        )
    };
    let old = match fs::read_to_string(path) {
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
    fs::rename(&draft, path).map_err(|error| failed("write", &error))
}
