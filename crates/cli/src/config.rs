//! The configuration in force, and where each value came from.
//!
//! Weakest first: the defaults, the file, the environment (`RECALLD_…`), the arguments. Every value
//! is one entry of [`keys::ALL`], and each source gives it as text, so that a key is read and
//! checked in one place.

mod database;
mod edit;
mod environment;
mod file;
pub(crate) mod keys;
mod parse;
mod platform;
mod profile;
mod server;
mod talk;

use std::fmt;
use std::path::{Path, PathBuf};

use recalld_agent::settings::AgentSettings;
use recalld_memory::settings::Settings;

use crate::arguments::Globals;
use crate::failure::Failure;
pub(crate) use database::DatabaseValues;
pub(crate) use edit::choose;
use keys::Key;
pub(crate) use profile::ProfileValues;
pub(crate) use server::ServerValues;
pub(crate) use talk::{Provider, TalkValues};

/// The values that commands go by.
#[derive(Clone, Debug)]
pub(crate) struct Values {
    /// None when the platform does not say where data belongs.
    pub(crate) data: Option<PathBuf>,
    /// How long to wait for another process that holds the data directory.
    pub(crate) data_wait_ms: u64,
    pub(crate) database: DatabaseValues,
    pub(crate) user: String,
    pub(crate) log: String,
    /// `builtin`, `none`, `endpoint`, or the name of an installed model.
    pub(crate) model: String,
    /// `none`, or the name of an installed model that reads the best answers again.
    pub(crate) reranker: String,
    pub(crate) endpoint: Endpoint,
    pub(crate) memory: Settings,
    pub(crate) agent: AgentSettings,
    pub(crate) profile: ProfileValues,
    pub(crate) server: ServerValues,
    pub(crate) remote: Remote,
    pub(crate) talk: TalkValues,
}

impl Default for Values {
    fn default() -> Values {
        Values {
            data: platform::data_directory(),
            data_wait_ms: 2_000,
            database: DatabaseValues::default(),
            user: "local".to_owned(),
            log: "warn".to_owned(),
            model: "builtin".to_owned(),
            reranker: "none".to_owned(),
            endpoint: Endpoint::default(),
            memory: Settings::default(),
            agent: AgentSettings::default(),
            profile: ProfileValues::default(),
            server: ServerValues::default(),
            remote: Remote::default(),
            talk: TalkValues::default(),
        }
    }
}

/// The server that `recalld mcp` passes everything on to.
#[derive(Clone, Default)]
pub(crate) struct Remote {
    pub(crate) url: Option<String>,
    pub(crate) key: Option<String>,
}

impl fmt::Debug for Remote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The key stays out of logs.
        f.debug_struct("Remote")
            .field("url", &self.url)
            .finish_non_exhaustive()
    }
}

/// An OpenAI-compatible endpoint for embeddings.
#[derive(Clone, Default)]
pub(crate) struct Endpoint {
    pub(crate) url: Option<String>,
    pub(crate) model: Option<String>,
    pub(crate) dimension: Option<usize>,
    pub(crate) key: Option<String>,
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The key stays out of logs.
        f.debug_struct("Endpoint")
            .field("url", &self.url)
            .field("model", &self.model)
            .finish_non_exhaustive()
    }
}

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

/// A value as one of the sources gives it.
#[derive(Clone, Debug)]
pub(crate) struct Given {
    key: &'static Key,
    text: String,
    origin: Origin,
}

/// What is in force.
#[derive(Clone, Debug)]
pub(crate) struct Config {
    pub(crate) values: Values,
    /// The file that was read, if there is one.
    pub(crate) file: Option<PathBuf>,
    /// Variables that look like ours and are not: slips, or meant for another program.
    pub(crate) unknown_variables: Vec<String>,
    origins: Vec<(&'static str, Origin)>,
}

impl Config {
    /// What is in force when nobody says anything.
    pub(crate) fn defaults() -> Config {
        Config {
            values: Values::default(),
            file: None,
            unknown_variables: Vec::new(),
            origins: Vec::new(),
        }
    }

    /// Reads all sources.
    pub(crate) fn load(globals: &Globals) -> Result<Config, Failure> {
        let environment = environment::read()?;
        let named = match (&globals.config, environment.config) {
            (Some(path), _) => Some(parse::path(path).map_err(|problem| unusable("--config", &problem))?),
            (None, path) => path,
        };
        let file = file::read(named.as_deref())?;
        let mut config = Config {
            file: file.path,
            unknown_variables: environment.unknown,
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

    /// Tells where the value of a key came from.
    pub(crate) fn origin(&self, key: &Key) -> Origin {
        let found = self.origins.iter().find(|(name, _)| *name == key.name);
        found.map_or(Origin::Default, |(_, origin)| origin.clone())
    }

    /// Gives the names of the settings that `-o` has the last word on.
    pub(crate) fn options(&self) -> impl Iterator<Item = &'static str> {
        let by_option = |origin: &Origin| matches!(origin, Origin::Argument(name) if name == OPTION);
        let options = self.origins.iter().filter(move |(_, origin)| by_option(origin));
        options.map(|(name, _)| *name)
    }

    /// Gives the user, if anybody said who is meant.
    pub(crate) fn named_user(&self) -> Option<&str> {
        let is_named = self.origins.iter().any(|(name, _)| *name == "user");
        is_named.then_some(self.values.user.as_str())
    }

    /// Gives the data directory.
    pub(crate) fn data(&self) -> Result<&Path, Failure> {
        self.values.data.as_deref().ok_or_else(|| {
            Failure::bad_input("configuration", "there is no home directory to keep data in")
                .hint("name a directory with --data DIR or RECALLD_DATA")
        })
    }
}

fn unusable(what: &str, problem: &str) -> Failure {
    Failure::bad_input("configuration", format!("the value of {what} {problem}"))
}

/// The argument that sets any one value.
const OPTION: &str = "-o";

/// What the arguments say.
fn arguments(globals: &Globals) -> Result<Vec<Given>, Failure> {
    let mut given = Vec::new();
    for option in &globals.options {
        let Some((name, value)) = option.split_once('=') else {
            let message = format!("the option {:?} is not of the form KEY=VALUE", shortened(option));
            return Err(Failure::bad_input("configuration", message).hint("such as -o memory.daily_days=30"));
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

pub(crate) fn shortened(text: &str) -> String {
    recalld_index::text::plain::shorten(text, 60)
}
