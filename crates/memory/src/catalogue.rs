//! Which categories of structured user context there are. They are data: built-in presets, and what
//! a deployment declares.

mod table;

use recalld_index::text::plain::shorten;
use serde::Deserialize;
use serde_json::Value;
use thiserror::Error;

pub use table::TableSource;

use crate::schema::{self, SchemaError};

/// One category, as a deployment declares it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProfileCategory {
    /// Lower-case letters, digits, `_` and `-`.
    pub name: String,
    /// Other names for it.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// What a model is told that it holds.
    #[serde(default)]
    pub description: String,
    /// The fields that an answer shows, in this order; none: all there are.
    #[serde(default)]
    pub fields: Vec<String>,
    /// Those of the fields that are lists: `[]` where nothing is stored. A category that replaces
    /// another one and names none has those of the other.
    #[serde(default)]
    pub lists: Vec<String>,
    #[serde(default)]
    pub answer: AnswerShape,
    /// Where it comes from, as an answer names it; if blank, the table or the name of the category.
    #[serde(default)]
    pub source: String,
    /// A table or view of the deployment's own that it is read from; none: it is stored here.
    #[serde(default)]
    pub table: Option<TableSource>,
    /// What a value must fit.
    #[serde(default = "anything")]
    pub schema: Value,
}

fn anything() -> Value {
    Value::Object(serde_json::Map::new())
}

/// How a category answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnswerShape {
    /// The value as it is stored.
    #[default]
    Plain,
    /// One object: the stored one, or of several the one with `is_active`.
    Active,
    /// All rows.
    Rows,
    /// The rows that are not switched off by `enabled: false`.
    EnabledRows,
    /// Rows with `key` (`group.field`), `value` and `confidence`, nested by group; the most
    /// confident row wins.
    Nested,
}

/// The categories of a deployment, in the order in which they are shown. No two share a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Catalogue(Vec<ProfileCategory>);

/// Stands for every category at once; no category may have this name.
pub const ALL: &str = "all";

/// Why categories cannot be used.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum InvalidCatalogue {
    /// Not a name for a category.
    #[error(
        "the profile category {0:?} must be named by lower-case letters, digits, _ and -, and not \"all\""
    )]
    Name(String),
    /// Two categories share a name or an alias.
    #[error("the profile category {0:?} is declared twice")]
    Twice(String),
    /// Its schema is not one.
    #[error("the profile category {name:?}: {error}")]
    Schema { name: String, error: SchemaError },
    /// Its table cannot be read as declared.
    #[error("the table of the profile category {name:?}: {fault}")]
    Table { name: String, fault: String },
    /// Not a list of categories.
    #[error("the profile categories cannot be read: {0}")]
    Form(String),
    /// No preset has that name.
    #[error("there is no preset {given:?}; known are {}", Catalogue::PRESETS.join(", "))]
    Preset { given: String },
}

impl Catalogue {
    /// The names of the built-in presets.
    pub const PRESETS: [&str; 2] = ["b2b", "account"];

    /// Checks and wraps categories.
    pub fn new(categories: Vec<ProfileCategory>) -> Result<Catalogue, InvalidCatalogue> {
        let mut seen: Vec<&str> = vec![];
        for category in &categories {
            for name in category.names() {
                let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' || c == '-';
                if name.is_empty() || 64 < name.len() || name == ALL || !name.chars().all(fits) {
                    return Err(InvalidCatalogue::Name(shorten(name, 80)));
                }
                if seen.contains(&name) {
                    return Err(InvalidCatalogue::Twice(name.to_owned()));
                }
                seen.push(name);
            }
            if let Some(fault) = category.table.as_ref().and_then(TableSource::fault) {
                return Err(InvalidCatalogue::Table {
                    name: category.name.clone(),
                    fault: shorten(&fault, 200),
                });
            }
            schema::check_schema(&category.schema).map_err(|error| InvalidCatalogue::Schema {
                name: category.name.clone(),
                error,
            })?;
        }
        Ok(Catalogue(categories))
    }

    /// Gives a built-in preset.
    pub fn preset(name: &str) -> Result<Catalogue, InvalidCatalogue> {
        let text = match name {
            "b2b" => include_str!("catalogue/presets/b2b.json"),
            "account" => include_str!("catalogue/presets/account.json"),
            _ => {
                return Err(InvalidCatalogue::Preset {
                    given: shorten(name, 80),
                });
            }
        };
        let categories = serde_json::from_str(text).map_err(|e| InvalidCatalogue::Form(e.to_string()))?;
        Catalogue::new(categories)
    }

    /// Adds categories. One whose name is the name or an alias of a known category replaces that
    /// category in its place, and still answers to its name.
    pub fn with(self, more: Vec<ProfileCategory>) -> Result<Catalogue, InvalidCatalogue> {
        let mut categories = self.0;
        for mut category in more {
            let has_name = |known: &ProfileCategory| known.names().any(|name| name == category.name);
            let Some(place) = categories.iter().position(has_name) else {
                categories.push(category);
                continue;
            };
            if category.lists.is_empty() {
                category.lists = std::mem::take(&mut categories[place].lists);
            }
            let former = std::mem::take(&mut categories[place].name);
            if !category.names().any(|name| name == former) {
                category.aliases.push(former);
            }
            categories[place] = category;
        }
        Catalogue::new(categories)
    }

    /// Gives the categories.
    pub fn categories(&self) -> &[ProfileCategory] {
        &self.0
    }

    /// Finds a category by its name or alias.
    pub fn find(&self, name: &str) -> Option<&ProfileCategory> {
        self.0
            .iter()
            .find(|category| category.names().any(|known| known == name))
    }

    /// Gives every name that can be asked for, `all` as the last one.
    pub fn names(&self) -> Vec<&str> {
        let names = self.0.iter().flat_map(ProfileCategory::names);
        names.chain([ALL]).collect()
    }
}

impl Default for Catalogue {
    fn default() -> Catalogue {
        let preset = |name: &str| Catalogue::preset(name).expect("the presets are in order, a test says so");
        preset("b2b")
            .with(preset("account").0)
            .expect("the presets share no name, a test says so")
    }
}

impl ProfileCategory {
    /// Gives the name and the aliases.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.name.as_str()).chain(self.aliases.iter().map(String::as_str))
    }

    /// Names where it comes from: what it declares, or else its table, or else its own name.
    pub fn source(&self) -> &str {
        match (self.source.trim(), &self.table) {
            ("", Some(table)) => &table.name,
            ("", None) => &self.name,
            (source, _) => source,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declared(text: &str) -> Result<Catalogue, InvalidCatalogue> {
        Catalogue::new(serde_json::from_str(text).unwrap())
    }

    #[test]
    fn the_presets_are_in_order() {
        assert_eq!(
            Catalogue::default().names(),
            [
                "profile",
                "icp",
                "signals",
                "preferences",
                "criteria",
                "account",
                "all"
            ]
        );
        assert!(Catalogue::preset("b2c").is_err());
    }

    #[test]
    fn a_deployment_adds_and_replaces_categories() {
        let more = declared(r#"[{"name": "signals"}, {"name": "pets", "answer": "rows"}]"#).unwrap();
        let catalogue = Catalogue::default().with(more.0).unwrap();
        assert_eq!(catalogue.find("signals").unwrap().source(), "signals");
        assert_eq!(catalogue.find("pets").unwrap().answer, AnswerShape::Rows);
        assert!(catalogue.find("icp").is_some());
    }

    #[test]
    fn a_category_from_a_table_replaces_the_one_that_has_its_name_as_an_alias() {
        let icp = r#"[{"name": "icp", "answer": "rows",
            "table": {"name": "public.icp_profiles", "columns": ["title"]}}]"#;
        let catalogue = Catalogue::default().with(declared(icp).unwrap().0).unwrap();
        let found = catalogue.find("icp").unwrap();
        assert_eq!(found.source(), "public.icp_profiles");
        assert_eq!(catalogue.find("profile"), Some(found));
        assert_eq!(
            catalogue.categories().len(),
            Catalogue::default().categories().len()
        );
    }

    #[test]
    fn categories_that_cannot_be_told_apart_are_refused() {
        for text in [
            r#"[{"name": "all"}]"#,
            r#"[{"name": ""}]"#,
            r#"[{"name": "A B"}]"#,
            r#"[{"name": "a"}, {"name": "b", "aliases": ["a"]}]"#,
            r#"[{"name": "a", "schema": {"type": "nonsense"}}]"#,
        ] {
            assert!(declared(text).is_err(), "{text}");
        }
    }
}
