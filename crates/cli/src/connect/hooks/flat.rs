//! Hooks as plain lists of commands by event, in a file of their own: Cursor.

use serde_json::{Value, json};

use super::grouped::{TABLE, remove};
use super::{Events, command, is_ours};
use crate::connect::json_file;
use crate::connect::launch::Launch;

/// The field that Cursor requires.
const VERSION: &str = "version";

pub(super) fn added_to(events: &Events, text: &str, launch: &Launch) -> Result<String, String> {
    json_file::edited(text, |root| {
        if root.get(VERSION).is_none() {
            root.append(VERSION, json_file::input(&json!(1)));
        }
        let hooks = root
            .object_value_or_create(TABLE)
            .ok_or_else(|| format!("{TABLE:?} is not an object"))?;
        for (event, name) in events {
            let list = hooks
                .array_value_or_create(event)
                .ok_or_else(|| format!("hooks.{event} is not a list"))?;
            let entry = json!({"command": command(launch, "cursor", name)});
            list.append(json_file::input(&entry));
        }
        Ok(())
    })
}

/// Removes our commands. None if nothing but the version is left: then the file was made for them.
pub(super) fn removed_from(events: &Events, text: &str) -> Result<Option<String>, String> {
    let mut is_left_empty = false;
    let without = json_file::edited(text, |root| {
        let Some(hooks) = root.object_value(TABLE) else {
            return Ok(());
        };
        let mut changed = false;
        for (event, _) in events {
            let Some(list) = hooks.array_value(event) else {
                continue;
            };
            if remove(&list, is_our_entry) && list.elements().is_empty() {
                if let Some(property) = hooks.get(event) {
                    property.remove();
                }
                changed = true;
            }
        }
        if changed && hooks.properties().is_empty() {
            if let Some(property) = root.get(TABLE) {
                property.remove();
            }
            let names = root
                .properties()
                .into_iter()
                .filter_map(|property| property.name());
            is_left_empty = names
                .filter_map(|name| name.decoded_value().ok())
                .all(|name| name == VERSION);
        }
        Ok(())
    })?;
    Ok((!is_left_empty).then_some(without))
}

fn is_our_entry(entry: &Value) -> bool {
    entry["command"].as_str().is_some_and(is_ours)
}
