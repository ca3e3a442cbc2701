//! Where the platform keeps a program's data and configuration.

use std::env;
use std::path::PathBuf;

/// Tells where the user is at home.
pub(super) fn home() -> Option<PathBuf> {
    let variable = if cfg!(windows) { "USERPROFILE" } else { "HOME" };
    absolute(variable)
}

/// Tells where data belongs when nobody says otherwise.
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

/// Tells where the configuration file is looked for when nobody names one.
pub(super) fn config_file() -> Option<PathBuf> {
    let base = if cfg!(windows) {
        absolute("APPDATA")
    } else {
        absolute("XDG_CONFIG_HOME").or_else(|| Some(home()?.join(".config")))
    };
    base.map(|base| base.join("recalld/config.toml"))
}

/// Reads a directory from the environment; by the XDG rules a relative one does not count.
fn absolute(variable: &str) -> Option<PathBuf> {
    let path = PathBuf::from(env::var_os(variable)?);
    path.is_absolute().then_some(path)
}
