//! The platform's directories for data and configuration.

use std::env;
use std::path::PathBuf;

/// Returns the user's home directory.
pub(crate) fn home() -> Option<PathBuf> {
    let variable = if cfg!(windows) { "USERPROFILE" } else { "HOME" };
    absolute(variable)
}

/// Returns the default data directory.
pub(crate) fn data_directory() -> Option<PathBuf> {
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

/// Returns the directory in which applications keep their settings.
pub(crate) fn application_settings() -> Option<PathBuf> {
    if cfg!(windows) {
        absolute("APPDATA")
    } else if cfg!(target_os = "macos") {
        Some(home()?.join("Library/Application Support"))
    } else {
        user_settings()
    }
}

/// Returns the directory of settings of command line programs, which many use on macOS as well.
pub(crate) fn user_settings() -> Option<PathBuf> {
    if cfg!(windows) {
        return absolute("APPDATA");
    }
    absolute("XDG_CONFIG_HOME").or_else(|| Some(home()?.join(".config")))
}

/// Returns the directory that a variable of another program names.
pub(crate) fn directory_of(variable: &str) -> Option<PathBuf> {
    absolute(variable)
}

/// Finds a program in the directories of `PATH`.
pub(crate) fn find_program(name: &str) -> Option<PathBuf> {
    let file = format!("{name}{}", env::consts::EXE_SUFFIX);
    let mut directories: Vec<PathBuf> = env::split_paths(&env::var_os("PATH")?).collect();
    directories.retain(|directory| directory.is_absolute());
    directories
        .iter()
        .map(|directory| directory.join(&file))
        .find(|path| path.is_file())
}

/// Returns where Ollama listens on this machine, as its own variable says.
pub(crate) fn ollama_url() -> String {
    let host = env::var("OLLAMA_HOST").ok();
    let host = host.as_deref().map(str::trim).filter(|host| !host.is_empty());
    let host = host.unwrap_or("127.0.0.1:11434").trim_end_matches('/');
    // Servers listen on 0.0.0.0, clients connect to the machine itself.
    let host = host.replacen("0.0.0.0", "127.0.0.1", 1);
    match host.contains("://") {
        true => format!("{host}/v1"),
        false => format!("http://{host}/v1"),
    }
}

/// Reads a directory from the environment; the XDG rules exclude relative ones.
fn absolute(variable: &str) -> Option<PathBuf> {
    let path = PathBuf::from(env::var_os(variable)?);
    path.is_absolute().then_some(path)
}
