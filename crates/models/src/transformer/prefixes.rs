//! What some models want in front of a text, so that they know what it is for.

use std::collections::HashMap;
use std::path::Path;

use recalld_memory::ports::TextRole;
use serde::Deserialize;

use crate::model_files::{LoadError, read_settings};

/// Texts put in front of what is embedded; both are empty for most models.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Prefixes {
    /// Put before what is asked.
    pub query: String,
    /// Put before what is stored.
    pub passage: String,
}

impl Prefixes {
    /// Gives the prefixes of the E5 family.
    pub fn e5() -> Prefixes {
        Prefixes {
            query: "query: ".to_string(),
            passage: "passage: ".to_string(),
        }
    }

    /// Guesses the prefixes from a model's name: the E5 family is known.
    pub fn by_name(name: &str) -> Prefixes {
        let name = name.to_lowercase();
        let mut words = name.split(|c: char| !c.is_ascii_alphanumeric());
        // The instructed ones want a whole sentence instead.
        if words.clone().any(|word| word == "e5") && !words.any(|word| word == "instruct") {
            Prefixes::e5()
        } else {
            Prefixes::default()
        }
    }

    /// Gives the one for `role`.
    pub fn of(&self, role: TextRole) -> &str {
        match role {
            TextRole::Query => &self.query,
            TextRole::Passage => &self.passage,
        }
    }

    /// Reads them from a model's own settings, or else guesses by `name`.
    pub(super) fn read(directory: &Path, name: &str) -> Result<Prefixes, LoadError> {
        let path = directory.join("config_sentence_transformers.json");
        let prompts = match read_settings::<Settings>(&path)? {
            Some(settings) => settings.prompts,
            None => HashMap::new(),
        };
        let find = |keys: &[&str]| {
            keys.iter()
                .find_map(|key| prompts.get(*key))
                .cloned()
                .unwrap_or_default()
        };
        let told = Prefixes {
            query: find(&["query"]),
            passage: find(&["passage", "document", "corpus"]),
        };
        Ok(if told == Prefixes::default() {
            Prefixes::by_name(name)
        } else {
            told
        })
    }
}

#[derive(Deserialize)]
struct Settings {
    #[serde(default)]
    prompts: HashMap<String, String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_e5_family_is_known_by_its_name() {
        for (name, expected) in [
            ("multilingual-e5-small", Prefixes::e5()),
            ("intfloat/E5-base-v2", Prefixes::e5()),
            ("multilingual-e5-large-instruct", Prefixes::default()),
            ("all-MiniLM-L6-v2", Prefixes::default()),
            ("one5", Prefixes::default()),
        ] {
            assert_eq!(Prefixes::by_name(name), expected, "{name}");
        }
    }
}
