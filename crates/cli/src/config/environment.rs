//! What the environment says: `RECALLD_…`, and the usual variables of model providers.

use std::env;
use std::path::PathBuf;

use super::{Given, Origin, parse, unusable};
use super::{keys, talk};
use crate::failure::Failure;

/// The variable that names the configuration file.
const CONFIG: &str = "RECALLD_CONFIG";

/// What hosts of PostgreSQL call the address of the database. Ours is stronger; another database's
/// is not meant for us.
const DATABASE: &str = "DATABASE_URL";

/// What was found.
#[derive(Debug, Default)]
pub(super) struct Environment {
    pub(super) config: Option<PathBuf>,
    pub(super) given: Vec<Given>,
    pub(super) unknown: Vec<String>,
}

/// Reads the variables that concern us. An empty one counts as not set.
pub(super) fn read() -> Result<Environment, Failure> {
    let mut found = Environment::default();
    for (name, key) in talk::USUAL {
        let text = env::var(name).ok().filter(|text| !text.trim().is_empty());
        if let (Some(text), Ok(key)) = (text, keys::find(key)) {
            let origin = Origin::Environment(name.to_owned());
            found.given.push(Given { key, text, origin });
        }
    }
    let variables = env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value)));
    for (name, value) in variables.filter(|(name, value)| name.starts_with("RECALLD_") && !value.is_empty()) {
        let key = keys::ALL.iter().find(|key| key.variable() == name);
        if key.is_none() && name != CONFIG {
            found.unknown.push(name);
            continue;
        }
        let Ok(text) = value.into_string() else {
            return Err(unusable(&name, "is not valid UTF-8"));
        };
        match key {
            Some(key) => found.given.push(Given {
                key,
                text,
                origin: Origin::Environment(name),
            }),
            None => found.config = Some(parse::path(&text).map_err(|problem| unusable(&name, &problem))?),
        }
    }
    found.unknown.sort();
    found.given.splice(0..0, database_url());
    Ok(found)
}

fn database_url() -> Option<Given> {
    let text = env::var(DATABASE).ok()?;
    let is_ours = text.starts_with("postgres://") || text.starts_with("postgresql://");
    let key = keys::find("database.url").ok()?;
    is_ours.then(|| Given {
        key,
        text,
        origin: Origin::Environment(DATABASE.to_owned()),
    })
}
