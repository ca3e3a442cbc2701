//! A program that can use the memories over MCP.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::hooks::Form;
use super::launch::Launch;
use crate::config::platform;
use crate::failure::Failure;

/// A program that can use the memories over MCP.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Client {
    /// Its name on the command line.
    pub(crate) id: &'static str,
    /// Its name in sentences.
    pub(crate) name: &'static str,
    /// The program on `PATH` that shows that it is installed, if it has one.
    pub(super) program: Option<&'static str>,
    /// The directory that it creates, which shows that it is installed.
    pub(super) directory: fn(&Directories) -> PathBuf,
    /// Its configuration file.
    pub(super) file: fn(&Directories) -> PathBuf,
    pub(super) format: Format,
    /// The file in which it reads standing instructions.
    pub(super) rules: fn(&Directories) -> Option<RulesFile>,
    /// Where it names commands to run at the turns of a session, if it does.
    pub(super) hooks: Option<Hooks>,
    /// What the user has to do before it reads the change.
    pub(crate) restart: &'static str,
}

/// Where the entry of a server stands in a configuration file.
#[derive(Clone, Copy, Debug)]
pub(super) enum Format {
    /// JSON, perhaps with comments: in this object.
    Json {
        table: &'static str,
        entry: fn(&Launch) -> Value,
    },
    /// TOML: in this table.
    Toml { table: &'static str },
}

/// Where a client keeps its hooks, and in which form.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hooks {
    pub(super) file: fn(&Directories) -> PathBuf,
    pub(super) form: Form,
}

/// A file with standing instructions.
#[derive(Clone, Debug)]
pub(super) struct RulesFile {
    pub(super) path: PathBuf,
    /// What a file of its own starts with; `None` if the file is shared with the user's text.
    pub(super) own_header: Option<&'static str>,
}

impl RulesFile {
    /// A file that the user writes, too.
    pub(super) fn shared(path: PathBuf) -> Option<RulesFile> {
        Some(RulesFile {
            path,
            own_header: None,
        })
    }
}

/// The directories that clients use.
#[derive(Clone, Debug)]
pub(crate) struct Directories {
    pub(super) home: PathBuf,
    /// Settings of desktop applications.
    pub(super) applications: PathBuf,
    /// Settings of command line programs.
    pub(super) settings: PathBuf,
    /// The working directory.
    pub(super) project: PathBuf,
}

impl Directories {
    /// Reads the directories of this user.
    pub(crate) fn of_user() -> Result<Directories, Failure> {
        let missing = || {
            Failure::bad_input("configuration", "there is no home directory").hint("set HOME to a directory")
        };
        Ok(Directories {
            home: platform::home().ok_or_else(missing)?,
            applications: platform::application_settings().ok_or_else(missing)?,
            settings: platform::user_settings().ok_or_else(missing)?,
            project: std::env::current_dir()
                .map_err(|error| Failure::failed("input", format!("cannot read the directory: {error}")))?,
        })
    }

    /// Returns the directory that a variable names, or else one in the home directory.
    pub(super) fn named_or_home(&self, variable: &str, otherwise: &str) -> PathBuf {
        platform::directory_of(variable).unwrap_or_else(|| self.home.join(otherwise))
    }
}

impl Client {
    /// Whether the user has it.
    pub(crate) fn is_installed(&self, directories: &Directories) -> bool {
        let has_program = self
            .program
            .is_some_and(|program| platform::find_program(program).is_some());
        has_program || (self.directory)(directories).is_dir() || (self.file)(directories).exists()
    }

    /// Whether recalld knows how to add hooks.
    pub(crate) fn has_hooks(&self) -> bool {
        self.hooks.is_some()
    }

    /// Returns its configuration file, following links: an editor may keep its settings elsewhere.
    pub(crate) fn path(&self, directories: &Directories) -> PathBuf {
        resolved((self.file)(directories))
    }
}

/// Follows symbolic links, so that a link stays a link when its file is replaced.
pub(super) fn resolved(path: PathBuf) -> PathBuf {
    path.canonicalize().unwrap_or(path)
}

/// Returns the first of these files that exists, or else the first.
pub(super) fn existing(directory: &Path, names: &[&str]) -> PathBuf {
    let found = names
        .iter()
        .map(|name| directory.join(name))
        .find(|path| path.exists());
    found.unwrap_or_else(|| directory.join(names[0]))
}
