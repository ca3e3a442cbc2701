//! Edits TOML files, and leaves everything else as it is.

use serde_json::{Value, json};
use toml_edit::{Array, DocumentMut, Item, Table, value};

use super::launch::Launch;
use super::text_file::Conventions;

/// Adds a server to a table of tables, or replaces it.
pub(super) fn with_entry(text: &str, table: &str, name: &str, launch: &Launch) -> Result<String, String> {
    edited(text, |document| {
        let servers = document.entry(table).or_insert_with(|| {
            let mut servers = Table::new();
            // Only its tables are shown.
            servers.set_implicit(true);
            Item::Table(servers)
        });
        let servers = servers
            .as_table_like_mut()
            .ok_or_else(|| format!("{table:?} is not a table"))?;
        let mut entry = Table::new();
        entry["command"] = value(&launch.program);
        entry["args"] = value(launch.arguments.iter().collect::<Array>());
        servers.insert(name, Item::Table(entry));
        Ok(())
    })
}

/// Removes a server.
pub(super) fn without_entry(text: &str, table: &str, name: &str) -> Result<String, String> {
    edited(text, |document| {
        if let Some(servers) = document.get_mut(table).and_then(Item::as_table_like_mut) {
            servers.remove(name);
        }
        Ok(())
    })
}

/// Returns a server as JSON.
pub(super) fn entry(text: &str, table: &str, name: &str) -> Option<Value> {
    let document: DocumentMut = Conventions::taken_from(text).1.parse().ok()?;
    let entry = document.get(table)?.get(name)?;
    let arguments: Vec<&str> = entry
        .get("args")?
        .as_array()?
        .iter()
        .filter_map(|word| word.as_str())
        .collect();
    Some(json!({"command": entry.get("command")?.as_str()?, "args": arguments}))
}

fn edited(text: &str, edit: impl FnOnce(&mut DocumentMut) -> Result<(), String>) -> Result<String, String> {
    let (conventions, plain) = Conventions::taken_from(text);
    let mut document: DocumentMut = plain
        .parse()
        .map_err(|error: toml_edit::TomlError| error.message().to_owned())?;
    edit(&mut document)?;
    Ok(conventions.applied_to(&document.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_added_and_removed_and_the_rest_stays_to_the_byte() {
        let launch = Launch {
            program: "/usr/bin/recalld".to_owned(),
            arguments: vec!["--user".to_owned(), "a\"b".to_owned(), "mcp".to_owned()],
        };
        for file in [
            "",
            "model = \"x\" # mine\n",
            "# first\r\nmodel = \"x\"\r\n\r\n[tools]\r\nweb = true\r\n",
            "[mcp_servers.other] # keep\ncommand = \"y\"\nargs = []\n\n[tui]\ntheme  =  \"dark\"\n",
            "[projects.\"/a b\"]\ntrust_level = \"trusted\"",
        ] {
            let with = with_entry(file, "mcp_servers", "recalld", &launch).unwrap();
            let expected = json!({"command": launch.program, "args": launch.arguments});
            assert_eq!(entry(&with, "mcp_servers", "recalld"), Some(expected), "{with}");
            assert_eq!(
                with_entry(&with, "mcp_servers", "recalld", &launch).unwrap(),
                with
            );
            let without = without_entry(&with, "mcp_servers", "recalld").unwrap();
            assert_eq!(without.trim_end(), file.trim_end());
        }
        assert!(with_entry("a = ", "mcp_servers", "recalld", &launch).is_err());
        assert!(with_entry("mcp_servers = 1\n", "mcp_servers", "recalld", &launch).is_err());
    }
}
