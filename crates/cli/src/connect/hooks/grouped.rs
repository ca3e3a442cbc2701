//! Hooks in groups of commands by event: Claude Code, Codex and Gemini CLI.

use jsonc_parser::cst::CstArray;
use serde_json::{Value, json};

use super::{Grouped, command, is_ours};
use crate::connect::json_file;
use crate::connect::launch::Launch;

/// The object of the settings that holds hooks.
pub(super) const TABLE: &str = "hooks";

impl Grouped {
    pub(super) fn added_to(self, text: &str, launch: &Launch) -> Result<String, String> {
        json_file::edited(text, |root| {
            let hooks = root
                .object_value_or_create(TABLE)
                .ok_or_else(|| format!("{TABLE:?} is not an object"))?;
            for (event, name) in self.events {
                let groups = hooks
                    .array_value_or_create(event)
                    .ok_or_else(|| format!("hooks.{event} is not a list"))?;
                groups.append(json_file::input(&self.group(launch, name)));
            }
            Ok(())
        })
    }

    pub(super) fn removed_from(self, text: &str) -> Result<String, String> {
        json_file::edited(text, |root| {
            let Some(hooks) = root.object_value(TABLE) else {
                return Ok(());
            };
            let mut changed = false;
            for (event, _) in self.events {
                let Some(groups) = hooks.array_value(event) else {
                    continue;
                };
                if remove(&groups, is_our_group) && groups.elements().is_empty() {
                    if let Some(property) = hooks.get(event) {
                        property.remove();
                    }
                    changed = true;
                }
            }
            if changed
                && hooks.properties().is_empty()
                && let Some(property) = root.get(TABLE)
            {
                property.remove();
            }
            Ok(())
        })
    }

    fn group(self, launch: &Launch, name: &str) -> Value {
        let command = command(launch, self.agent, name);
        json!({"hooks": [{"type": "command", "command": command, "timeout": self.timeout}]})
    }
}

/// Removes the elements that are ours, and tells whether there were any.
pub(super) fn remove(list: &CstArray, is_ours: fn(&Value) -> bool) -> bool {
    let mut removed = false;
    for element in list.elements() {
        if element.to_serde_value().is_some_and(|element| is_ours(&element)) {
            element.remove();
            removed = true;
        }
    }
    removed
}

/// Whether a group has one command, and it is ours.
fn is_our_group(group: &Value) -> bool {
    match group["hooks"].as_array().map(Vec::as_slice) {
        Some([only]) => only["command"].as_str().is_some_and(is_ours),
        _ => false,
    }
}
