//! The effective configuration, and where each value came from.
//!
//! Later sources override earlier ones: the defaults, the file, the environment (`RECALLD_…`), the
//! arguments. Every setting is an entry of [`keys::ALL`], and each source provides it as text, so
//! that a setting is parsed and checked in one place.

mod chat_models;
mod database;
mod edit;
mod environment;
mod file;
mod key;
pub(crate) mod keys;
mod parse;
mod platform;
mod profile;
pub(crate) mod schedule;
mod server;
mod values;

use std::fmt;
use std::path::{Path, PathBuf};

use recalld_memory::id::UserId;

pub(crate) use chat_models::{ChatModelValues, Provider};
pub(crate) use database::DatabaseValues;
pub(crate) use edit::set_in_file;
pub(crate) use key::Key;
pub(crate) use profile::ProfileValues;
pub(crate) use server::ServerValues;
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
    /// Variables that start with `RECALLD_` but set nothing.
    pub(crate) unknown_variables: Vec<String>,
    /// Whether the environment is that of a Supabase project.
    has_supabase_api: bool,
    origins: Vec<(&'static str, Origin)>,
}

impl Config {
    /// Returns the defaults.
    pub(crate) fn defaults() -> Config {
        Config {
            values: Values::default(),
            file: None,
            unknown_variables: Vec::new(),
            has_supabase_api: false,
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
            unknown_variables: environment.unknown,
            has_supabase_api: environment.has_supabase_api,
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
        Ok(config)
    }

    fn take(&mut self, given: Given) -> Result<(), Failure> {
        let Given { key, text, origin } = given;
        let base = match &origin {
            Origin::File { path, .. } => path.parent(),
            _ => None,
        };
        (key.set)(&mut self.values, &text, base.unwrap_or(Path::new(""))).map_err(|problem| {
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

    /// Returns the user, unless it is the default.
    pub(crate) fn named_user(&self) -> Option<&str> {
        let is_named = self.origins.iter().any(|(name, _)| *name == "user");
        is_named.then_some(self.values.user.as_str())
    }

    /// Returns the user, if an argument names it.
    pub(crate) fn user_argument(&self) -> Option<&str> {
        let is_argument =
            |(name, origin): &(&str, Origin)| *name == "user" && matches!(origin, Origin::Argument(_));
        self.origins
            .iter()
            .any(is_argument)
            .then_some(self.values.user.as_str())
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
