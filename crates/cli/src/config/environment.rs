//! Settings from the environment: `RECALLD_…`, and the variables that other programs use as well.

use std::env;
use std::path::PathBuf;

use super::{Given, Key, Origin, keys, parse, secret_file, unusable};
use crate::failure::Failure;

/// The variable that names the configuration file.
const CONFIG: &str = "RECALLD_CONFIG";

/// The variables in which hosts of PostgreSQL provide the URL of the database, the weakest first.
/// `RECALLD_DATABASE_URL` overrides them; the URL of another kind of database is ignored.
const DATABASES: [&str; 2] = ["SUPABASE_DB_URL", "DATABASE_URL"];

/// The address of a Supabase project's API, which is not that of its database.
const SUPABASE_API: &str = "SUPABASE_URL";

/// Variables that other programs use as well, and the settings that they set.
const SHARED: [(&str, &str); 6] = [
    ("OPENAI_API_KEY", "openai.key"),
    ("OPENAI_BASE_URL", "openai.url"),
    ("OPENAI_MODEL", "openai.model"),
    ("ANTHROPIC_API_KEY", "anthropic.key"),
    ("ANTHROPIC_BASE_URL", "anthropic.url"),
    ("ANTHROPIC_MODEL", "anthropic.model"),
];

/// Settings from the environment.
#[derive(Debug, Default)]
pub(super) struct Environment {
    pub(super) config: Option<PathBuf>,
    pub(super) given: Vec<Given>,
    pub(super) unknown: Vec<String>,
    /// Whether the environment is that of a Supabase project.
    pub(super) has_supabase_api: bool,
}

/// Reads the variables. An empty variable counts as not set.
pub(super) fn read() -> Result<Environment, Failure> {
    let mut found = Environment::default();
    for (name, key) in SHARED {
        let text = env::var(name).ok().filter(|text| !text.trim().is_empty());
        if let (Some(text), Ok(key)) = (text, keys::find(key)) {
            let origin = Origin::Environment(name.to_owned());
            found.given.push(Given { key, text, origin });
        }
    }
    let variables = env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value)));
    for (name, value) in variables.filter(|(name, value)| name.starts_with("RECALLD_") && !value.is_empty()) {
        let key = keys::ALL.iter().find(|key| key.variable() == name);
        if let Some(key) = secret_in_file(&name) {
            let Ok(path) = value.into_string() else {
                return Err(unusable(&name, "is not valid UTF-8"));
            };
            found.given.push(Given {
                key,
                text: format!("{}{path}", secret_file::PREFIX),
                origin: Origin::Environment(name),
            });
            continue;
        }
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
    found
        .given
        .splice(0..0, DATABASES.into_iter().filter_map(database_url));
    found.has_supabase_api = env::var_os(SUPABASE_API).is_some_and(|url| !url.is_empty());
    Ok(found)
}

/// The secret whose file a variable such as `RECALLD_OPENAI_KEY_FILE` names.
fn secret_in_file(variable: &str) -> Option<&'static Key> {
    let of_secret = variable.strip_suffix("_FILE")?;
    keys::ALL
        .iter()
        .find(|key| key.is_secret() && key.variable() == of_secret)
}

fn database_url(variable: &str) -> Option<Given> {
    let text = env::var(variable).ok()?;
    let is_postgres = text.starts_with("postgres://") || text.starts_with("postgresql://");
    let key = keys::find("database.url").ok()?;
    is_postgres.then(|| Given {
        key,
        text,
        origin: Origin::Environment(variable.to_owned()),
    })
}
