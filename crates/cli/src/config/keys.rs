//! All settings: one file per table, and one line in the list.

mod channels;
mod chat;
mod database;
mod embedding;
mod extraction;
mod general;
mod hooks;
mod mcp;
mod memory;
mod profile;
mod providers;
mod quotas;
mod search;
mod server;
mod telemetry;

use std::sync::LazyLock;

use super::key::Key;
use crate::failure::{Failure, shortened};
use crate::suggest;

/// The tables of settings, in the order in which they are shown.
const TABLES: [&[Key]; 15] = [
    general::KEYS,
    search::KEYS,
    database::KEYS,
    embedding::KEYS,
    memory::KEYS,
    quotas::KEYS,
    profile::KEYS,
    server::KEYS,
    telemetry::KEYS,
    mcp::KEYS,
    hooks::KEYS,
    providers::KEYS,
    chat::KEYS,
    channels::KEYS,
    extraction::KEYS,
];

/// All settings, in the order in which they are shown.
pub(crate) static ALL: LazyLock<Vec<Key>> = LazyLock::new(|| TABLES.concat());

/// Finds a setting by name, or else the name that may have been meant.
pub(crate) fn find(name: &str) -> Result<&'static Key, Option<&'static str>> {
    let found = ALL.iter().find(|key| key.name == name);
    found.ok_or_else(|| {
        // A name without its table is the likeliest mistake.
        let without_table = |key: &&Key| key.name.rsplit('.').next() == Some(name);
        let full = ALL.iter().find(without_table).map(|key| key.name);
        let tables = ALL.iter().filter_map(|key| Some(key.name.rsplit_once('.')?.0));
        full.or_else(|| suggest::nearest(name, ALL.iter().map(|key| key.name).chain(tables)))
    })
}

/// Reports a setting that does not exist.
pub(crate) fn unknown(name: &str, place: &str, guess: Option<&str>) -> Failure {
    let message = format!("{place}: unknown setting {:?}", shortened(name));
    let hint = match guess {
        Some(guess) => format!("did you mean `{guess}`?"),
        None => "`recalld config` lists the settings".to_owned(),
    };
    Failure::bad_input("configuration", message).hint(hint)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::values::Values;
    use super::*;

    /// A template with all defaults must be a valid file.
    #[test]
    fn every_default_reads_back() {
        for key in ALL.iter().filter(|key| key.name != "data") {
            let mut values = Values::default();
            let shown = (key.get)(&values);
            let text = shown.as_str().map_or_else(|| shown.to_string(), str::to_owned);
            (key.set)(&mut values, &text, Path::new("")).unwrap();
            assert_eq!((key.get)(&values), shown, "{}", key.name);
        }
    }

    #[test]
    fn a_mistyped_key_is_recognised() {
        assert_eq!(find("memory.dayly_days").unwrap_err(), Some("memory.daily_days"));
        assert_eq!(find("daily_days").unwrap_err(), Some("memory.daily_days"));
        assert_eq!(find("memry").unwrap_err(), Some("memory"));
        assert_eq!(find("colour").unwrap_err(), None);
    }
}
