//! Edits JSON files, with comments or without, and leaves everything else as it is.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstObject, CstRootNode};
use serde_json::Value;

use super::text_file::Conventions;

/// Adds an entry to an object of the root object, or replaces it. Both objects are created if they
/// do not exist.
pub(super) fn with_entry(text: &str, table: &str, name: &str, entry: &Value) -> Result<String, String> {
    edited(text, |root| {
        let table_object = root
            .object_value_or_create(table)
            .ok_or_else(|| format!("{table:?} is not an object"))?;
        match table_object.get(name) {
            Some(old) => old.set_value(input(entry)),
            None => {
                table_object.append(name, input(entry));
            }
        }
        Ok(())
    })
}

/// Removes an entry, and the object that held it if nothing else is in it.
pub(super) fn without_entry(text: &str, table: &str, name: &str) -> Result<String, String> {
    edited(text, |root| {
        let Some(table_object) = root.object_value(table) else {
            return Ok(());
        };
        if let Some(entry) = table_object.get(name) {
            entry.remove();
            if table_object
                .children()
                .iter()
                .all(|child| child.is_token() || child.is_whitespace() || child.is_newline())
                && let Some(property) = root.get(table)
            {
                property.remove();
            }
        }
        Ok(())
    })
}

/// Returns an entry.
pub(super) fn entry(text: &str, table: &str, name: &str) -> Option<Value> {
    let (_, plain) = Conventions::taken_from(text);
    let root = CstRootNode::parse(&plain, &ParseOptions::default()).ok()?;
    root.object_value()?
        .object_value(table)?
        .get(name)?
        .value()?
        .to_serde_value()
}

/// Whether two texts have the same values, whatever their spaces and comments.
pub(super) fn says_the_same(text: &str, other: &str) -> bool {
    let value = |text: &str| {
        let (_, plain) = Conventions::taken_from(text);
        let root = CstRootNode::parse(&plain, &ParseOptions::default()).ok()?;
        root.value()?.to_serde_value()
    };
    value(text).is_some_and(|value_of_text| Some(value_of_text) == value(other))
}

/// Lets `edit` change the root object of a text. An empty text counts as an empty object.
pub(super) fn edited(
    text: &str,
    edit: impl FnOnce(&CstObject) -> Result<(), String>,
) -> Result<String, String> {
    let (conventions, plain) = Conventions::taken_from(text);
    let is_new = plain.trim().is_empty();
    let root = CstRootNode::parse(&plain, &ParseOptions::default()).map_err(|error| error.to_string())?;
    let object = match is_new {
        true => root.object_value_or_set(),
        false => root
            .object_value()
            .ok_or_else(|| "it does not hold a JSON object".to_owned())?,
    };
    edit(&object)?;
    let mut changed = root.to_string();
    if is_new && !changed.ends_with('\n') {
        changed.push('\n');
    }
    Ok(conventions.applied_to(&changed))
}

/// Converts a value to what the editor takes.
pub(super) fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(flag) => CstInputValue::Bool(*flag),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(items) => CstInputValue::Array(items.iter().map(input).collect()),
        Value::Object(fields) => CstInputValue::Object(
            fields
                .iter()
                .map(|(name, value)| (name.clone(), input(value)))
                .collect(),
        ),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const FILES: [&str; 10] = [
        "{}",
        "{}\n",
        "{\n  \"mcpServers\": {}\n}\n",
        "{\"a\": 1, \"mcpServers\": {\"x\": {\"command\": \"x\"}}}",
        "{\n\t\"a\": 1, // tabs\n\t\"mcpServers\": {\n\t\t\"x\": {\n\t\t\t\"command\": \"x\"\n\t\t}\n\t}\n}\n",
        "// first\n{\n  /* two */ \"a\": [1, 2,],\n  \"b\": {},\n}\n",
        "{\r\n    \"a\": 1\r\n}\r\n",
        "\u{feff}{\n  \"a\": \"é\"\n}",
        "{\n  \"mcpServers\": {\n    // mine\n    \"x\": {\"command\": \"x\"}, // keep\n  },\n}\n",
        "{ \"a\": 1 }",
    ];

    #[test]
    fn an_entry_is_added_and_removed_and_the_rest_stays_to_the_byte() {
        let value = json!({"command": "/usr/bin/recalld", "args": ["mcp", "a\"b\\c"]});
        for file in FILES {
            let with = with_entry(file, "mcpServers", "recalld", &value).unwrap();
            assert_eq!(
                entry(&with, "mcpServers", "recalld"),
                Some(value.clone()),
                "{with}"
            );
            let again = with_entry(&with, "mcpServers", "recalld", &value).unwrap();
            assert_eq!(again, with, "{file}");
            let without = without_entry(&with, "mcpServers", "recalld").unwrap();
            // An empty table goes as well, and what was on one line stays on several; the record of
            // the former file brings both back (`ledger`).
            let is_one_line = file.lines().count() == 1;
            if !file.contains("\"mcpServers\": {}") && !is_one_line {
                assert_eq!(without, file);
            }
            for comment in ["// first", "/* two */", "// mine", "// keep", "// tabs"] {
                assert_eq!(with.contains(comment), file.contains(comment), "{with}");
                assert_eq!(without.contains(comment), file.contains(comment), "{without}");
            }
        }
    }

    #[test]
    fn a_new_file_is_indented_and_ends_with_a_line_end() {
        let with = with_entry("", "mcp", "recalld", &json!({"command": ["a", "mcp"]})).unwrap();
        let expected =
            "{\n  \"mcp\": {\n    \"recalld\": {\n      \"command\": [\"a\", \"mcp\"]\n    }\n  }\n}\n";
        assert_eq!(with, expected);
    }

    #[test]
    fn what_is_no_object_is_left_alone() {
        for file in ["[]", "{\"mcpServers\": 1}", "{\"a\": ", "nonsense"] {
            assert!(
                with_entry(file, "mcpServers", "recalld", &json!({})).is_err(),
                "{file}"
            );
        }
    }
}
