//! The effective configuration, and where each value came from.
//!
//! Later sources override earlier ones: the defaults, the file, the environment (`RECALLD_…`), the
//! arguments. Every setting is an entry of [`keys::ALL`], and each source provides it as text, so
//! that a setting is parsed and checked in one place.

mod channels;
mod chat_models;
mod database;
mod edit;
mod environment;
mod file;
mod key;
pub(crate) mod keys;
mod parse;
pub(crate) mod platform;
mod profile;
pub(crate) mod schedule;
mod secret_file;
mod server;
mod values;

use std::fmt;
use std::path::{Path, PathBuf};

use recalld_memory::id::UserId;

pub(crate) use channels::{ChannelValues, FeishuValues, SlackValues};
pub(crate) use chat_models::{ChatModelValues, Provider};
pub(crate) use database::{DatabaseValues, Fallback};
pub(crate) use edit::set_in_file;
pub(crate) use key::Key;
pub(crate) use profile::ProfileValues;
pub(crate) use server::{ServerValues, TelemetryValues};
pub(crate) use values::Values;

use crate::arguments::GlobalArgs;
use crate::failure::{Failure, shortened};

/// Where a value came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    Default,
    File { path: PathBuf, line: usize },
    Environment(String),
    Argument(String),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Default => f.write_str("default"),
            Origin::File { path, line } => write!(f, "{}, line {line}", path.display()),
            Origin::Environment(name) => write!(f, "environment {name}"),
            Origin::Argument(name) => write!(f, "argument {name}"),
        }
    }
}

/// A value from one of the sources.
#[derive(Clone, Debug)]
pub(crate) struct Given {
    key: &'static Key,
    text: String,
    origin: Origin,
}

/// The effective configuration.
#[derive(Clone, Debug)]
pub(crate) struct Config {
    pub(crate) values: Values,
    /// The file that was read, if there is one.
    pub(crate) file: Option<PathBuf>,
    /// Whether an argument named that file.
    pub(crate) is_named_file: bool,
    /// Variables that start with `RECALLD_` but set nothing.
    pub(crate) unknown_variables: Vec<String>,
    /// Whether the environment is that of a Supabase project.
    has_supabase_api: bool,
    /// The arguments that it was read with.
    globals: GlobalArgs,
    origins: Vec<(&'static str, Origin)>,
}

impl Config {
    /// Returns the defaults.
    pub(crate) fn defaults() -> Config {
        Config {
            values: Values::default(),
            file: None,
            is_named_file: false,
            unknown_variables: Vec::new(),
            has_supabase_api: false,
            globals: GlobalArgs::default(),
            origins: Vec::new(),
        }
    }

    /// Reads all sources.
    pub(crate) fn load(globals: &GlobalArgs) -> Result<Config, Failure> {
        let environment = environment::read()?;
        let named = match (&globals.config, environment.config) {
            (Some(path), _) => Some(parse::path(path).map_err(|problem| unusable("--config", &problem))?),
            (None, path) => path,
        };
        let file = file::read(named.as_deref())?;
        let mut config = Config {
            file: file.path,
            is_named_file: globals.config.is_some(),
            unknown_variables: environment.unknown,
            has_supabase_api: environment.has_supabase_api,
            globals: globals.clone(),
            ..Config::defaults()
        };
        let given = file
            .given
            .into_iter()
            .chain(environment.given)
            .chain(arguments(globals)?);
        for given in given {
            config.take(given)?;
        }
        config.take_selection()?;
        if globals.in_memory {
            config.keep_in_memory();
        }
        Ok(config)
    }

    /// Returns the file with the models that `recalld models use` has selected.
    pub(crate) fn selection_file(&self) -> Result<PathBuf, Failure> {
        Ok(self.data()?.join("models/selected.toml"))
    }

    /// Takes the selected models, unless something else names them.
    fn take_selection(&mut self) -> Result<(), Failure> {
        let Ok(path) = self.selection_file() else {
            return Ok(());
        };
        if !path.is_file() {
            return Ok(());
        }
        for given in file::read(Some(&path))?.given {
            let is_selection = ["model", "reranker"].contains(&given.key.name);
            if is_selection && self.origin(given.key) == Origin::Default {
                self.take(given)?;
            }
        }
        Ok(())
    }

    /// Stores nothing: memories are in this process, and the server's own files in a directory that
    /// is removed when the process ends.
    fn keep_in_memory(&mut self) {
        self.values.database.url = None;
        self.values.is_in_memory = true;
        let name = format!("recalld-{}-{}", std::process::id(), uuid::Uuid::now_v7().simple());
        self.values.data = Some(std::env::temp_dir().join(name));
        self.has_supabase_api = false;
    }

    /// Reads all sources again.
    pub(crate) fn reloaded(&self) -> Result<Config, Failure> {
        Config::load(&self.globals)
    }

    fn take(&mut self, given: Given) -> Result<(), Failure> {
        let Given { key, text, origin } = given;
        let base = match &origin {
            Origin::File { path, .. } => path.parent(),
            _ => None,
        };
        let base = base.unwrap_or(Path::new(""));
        let text = match text.strip_prefix(secret_file::PREFIX).filter(|_| key.is_secret()) {
            Some(path) => secret_file::read(path, base),
            None => Ok(text),
        };
        let set = text.and_then(|text| (key.set)(&mut self.values, &text, base));
        set.map_err(|problem| {
            let message = format!("the value of {} ({origin}) {problem}", key.name);
            Failure::bad_input("configuration", message).hint(format!("{}: {}", key.name, key.about))
        })?;
        self.origins.retain(|(name, _)| *name != key.name);
        self.origins.push((key.name, origin));
        Ok(())
    }

    /// Returns where the value of a setting came from.
    pub(crate) fn origin(&self, key: &Key) -> Origin {
        let found = self.origins.iter().find(|(name, _)| *name == key.name);
        found.map_or(Origin::Default, |(_, origin)| origin.clone())
    }

    /// Returns the names of the settings that `-o` sets.
    pub(crate) fn options(&self) -> impl Iterator<Item = &'static str> {
        let by_option = |origin: &Origin| matches!(origin, Origin::Argument(name) if name == OPTION);
        let options = self.origins.iter().filter(move |(_, origin)| by_option(origin));
        options.map(|(name, _)| *name)
    }

    /// Whether an argument sets the setting of that name.
    pub(crate) fn is_argument(&self, name: &str) -> bool {
        let is_argument =
            |(set, origin): &(&str, Origin)| *set == name && matches!(origin, Origin::Argument(_));
        self.origins.iter().any(is_argument)
    }

    /// Returns the user, unless it is the default.
    pub(crate) fn named_user(&self) -> Option<&str> {
        let is_named = self.origins.iter().any(|(name, _)| *name == "user");
        is_named.then_some(self.values.user.as_str())
    }

    /// Returns the user, if an argument names it.
    pub(crate) fn user_argument(&self) -> Option<&str> {
        self.is_argument("user").then_some(self.values.user.as_str())
    }

    /// Uses the user of a process that forwarded a command.
    pub(crate) fn set_forwarded_user(&mut self, user: &UserId, is_argument: bool) {
        user.as_str().clone_into(&mut self.values.user);
        self.origins.retain(|(name, _)| *name != "user");
        if is_argument {
            self.origins.push(("user", Origin::Argument("--user".to_owned())));
        }
    }

    /// Fails if the environment is that of a Supabase project and nothing says where its database
    /// is: the memories would silently be stored in the data directory.
    pub(crate) fn check_supabase(&self) -> Result<(), Failure> {
        let is_set = self.origins.iter().any(|(name, _)| *name == "database.url");
        if !self.has_supabase_api || is_set {
            return Ok(());
        }
        let message = "SUPABASE_URL is set, but it is not the URL of a database";
        let hint = "set SUPABASE_DB_URL or DATABASE_URL to the connection string of the project \
                    (Connect in the dashboard), or RECALLD_DATABASE_URL=none to use the data directory";
        Err(Failure::bad_input("configuration", message).hint(hint))
    }

    /// Returns the directory that stands in for the data directory if nothing is stored. It goes
    /// with the process.
    pub(crate) fn temporary_data(&self) -> Option<PathBuf> {
        self.values.data.clone().filter(|_| self.values.is_in_memory)
    }

    /// Returns the data directory.
    pub(crate) fn data(&self) -> Result<&Path, Failure> {
        self.values.data.as_deref().ok_or_else(|| {
            Failure::bad_input(
                "configuration",
                "there is no home directory for the data directory",
            )
            .hint("name a directory with --data DIR or RECALLD_DATA")
        })
    }
}

fn unusable(what: &str, problem: &str) -> Failure {
    Failure::bad_input("configuration", format!("the value of {what} {problem}"))
}

/// The argument that sets any setting.
const OPTION: &str = "-o";

/// Returns the settings that the arguments set.
fn arguments(globals: &GlobalArgs) -> Result<Vec<Given>, Failure> {
    let mut given = Vec::new();
    for option in &globals.options {
        let Some((name, value)) = option.split_once('=') else {
            let message = format!(
                "the option {:?} does not have the form KEY=VALUE",
                shortened(option)
            );
            return Err(
                Failure::bad_input("configuration", message).hint("for example -o memory.daily_days=30")
            );
        };
        let key = keys::find(name.trim()).map_err(|guess| keys::unknown(name, "argument -o", guess))?;
        given.push(Given {
            key,
            text: value.trim().to_owned(),
            origin: Origin::Argument(OPTION.to_owned()),
        });
    }
    for (name, flag, value) in [
        ("data", "--data", &globals.data),
        ("database.url", "--database-url", &globals.database_url),
        ("user", "--user", &globals.user),
    ] {
        if let (Some(value), Ok(key)) = (value, keys::find(name)) {
            given.push(Given {
                key,
                text: value.clone(),
                origin: Origin::Argument(flag.to_owned()),
            });
        }
    }
    Ok(given)
}
