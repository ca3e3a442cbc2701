//! The platform's directories for data and configuration.

use std::env;
use std::path::PathBuf;

/// Returns the user's home directory.
pub(super) fn home() -> Option<PathBuf> {
    let variable = if cfg!(windows) { "USERPROFILE" } else { "HOME" };
    absolute(variable)
}

/// Returns the default data directory.
pub(super) fn data_directory() -> Option<PathBuf> {
    let base = if cfg!(windows) {
        absolute("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        absolute("XDG_DATA_HOME").or_else(|| Some(home()?.join("Library/Application Support")))
    } else {
        absolute("XDG_DATA_HOME").or_else(|| Some(home()?.join(".local/share")))
    };
    base.map(|base| base.join("recalld"))
}

/// Returns the default path of the configuration file.
pub(super) fn config_file() -> Option<PathBuf> {
    let base = if cfg!(windows) {
        absolute("APPDATA")
    } else {
        absolute("XDG_CONFIG_HOME").or_else(|| Some(home()?.join(".config")))
    };
    base.map(|base| base.join("recalld/config.toml"))
}

/// Reads a directory from the environment; the XDG rules exclude relative ones.
fn absolute(variable: &str) -> Option<PathBuf> {
    let path = PathBuf::from(env::var_os(variable)?);
    path.is_absolute().then_some(path)
}
