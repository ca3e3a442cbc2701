//! A category that is read from a table or view of the deployment's own, instead of a record.

use serde::Deserialize;
use serde_json::{Map, Value};

/// Which rows of which table. Whose rows they are is not said here: the table's own policies decide
/// that.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableSource {
    /// The table or view, with its schema if it is not `public`.
    pub name: String,
    /// The columns that are read.
    pub columns: Vec<String>,
    /// Only rows whose columns have these values.
    #[serde(default)]
    pub filter: Map<String, Value>,
    /// Columns to order by, each with ` desc` behind it for the largest first.
    #[serde(default)]
    pub order: Vec<String>,
    #[serde(default = "rows_max")]
    pub rows_max: u32,
}

fn rows_max() -> u32 {
    100
}

impl TableSource {
    /// The most rows a category may be declared to read.
    pub const ROWS_MAX: u32 = 1_000;

    /// Gives the schema and the name.
    pub fn place(&self) -> (&str, &str) {
        self.name.split_once('.').unwrap_or(("public", &self.name))
    }

    /// Gives the columns to order by, and whether the largest comes first.
    pub fn ordering(&self) -> impl Iterator<Item = (&str, bool)> {
        self.order
            .iter()
            .map(|column| match column.strip_suffix(" desc") {
                Some(column) => (column, true),
                None => (column.as_str(), false),
            })
    }

    /// Tells what is wrong with it, if anything.
    pub(super) fn fault(&self) -> Option<String> {
        let (schema, table) = self.place();
        let columns = self.columns.iter().map(String::as_str);
        let names = [schema, table]
            .into_iter()
            .chain(columns)
            .chain(self.filter.keys().map(String::as_str))
            .chain(self.ordering().map(|(column, _)| column));
        let odd = names
            .into_iter()
            .find(|name| !is_name(name))
            .map(|name| format!("{name:?} is no name"));
        let plain = |value: &&Value| !value.is_array() && !value.is_object();
        if odd.is_some() {
            odd
        } else if self.columns.is_empty() {
            Some("it names no columns".to_owned())
        } else if !self.filter.values().all(|value| plain(&value)) {
            Some("a filter compares with a text, a number, true, false or null".to_owned())
        } else if !(1..=TableSource::ROWS_MAX).contains(&self.rows_max) {
            Some(format!(
                "rows_max is {}, and must be 1 to {}",
                self.rows_max,
                TableSource::ROWS_MAX
            ))
        } else {
            None
        }
    }
}

fn is_name(name: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_';
    !name.is_empty() && name.len() <= 63 && name.chars().all(fits)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn fault(source: Value) -> Option<String> {
        serde_json::from_value::<TableSource>(source).unwrap().fault()
    }

    #[test]
    fn what_could_become_sql_is_no_name() {
        assert_eq!(
            fault(json!({ "name": "icp_profiles", "columns": ["id"], "order": ["id desc"] })),
            None
        );
        for odd in [
            json!({ "name": "a b", "columns": ["id"] }),
            json!({ "name": "a.b.c", "columns": ["id"] }),
            json!({ "name": "a", "columns": ["id\" FROM x; --"] }),
            json!({ "name": "a", "columns": ["id"], "order": ["id asc"] }),
            json!({ "name": "a", "columns": ["id"], "filter": { "x y": 1 } }),
            json!({ "name": "a", "columns": ["id"], "filter": { "x": [1] } }),
            json!({ "name": "a", "columns": [] }),
            json!({ "name": "a", "columns": ["id"], "rows_max": 0 }),
        ] {
            assert!(fault(odd.clone()).is_some(), "{odd}");
        }
    }
}
