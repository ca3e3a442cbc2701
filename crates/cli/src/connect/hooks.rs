//! The hooks of a coding agent: commands that it runs at the turns of a session.

use jsonc_parser::cst::CstArray;
use serde_json::{Value, json};

use super::json_file;
use super::launch::Launch;

/// The events of Claude Code, and what recalld does at each.
const EVENTS: [(&str, &str); 4] = [
    ("SessionStart", "session-start"),
    ("UserPromptSubmit", "prompt"),
    ("PreCompact", "pre-compact"),
    ("SessionEnd", "session-end"),
];

/// The object of the settings that holds hooks.
const TABLE: &str = "hooks";

/// What our commands contain, and no others.
const MARK: &str = " hook ";

/// Adds the hooks to a settings file, or replaces ours.
pub(super) fn added_to(text: &str, launch: &Launch) -> Result<String, String> {
    let without = match text.trim().is_empty() {
        true => text.to_owned(),
        false => removed_from(text)?,
    };
    json_file::edited(&without, |root| {
        let hooks = root
            .object_value_or_create(TABLE)
            .ok_or_else(|| format!("{TABLE:?} is not an object"))?;
        for (event, name) in EVENTS {
            let groups = hooks
                .array_value_or_create(event)
                .ok_or_else(|| format!("hooks.{event} is not a list"))?;
            groups.append(json_file::input(&group(launch, name)));
        }
        Ok(())
    })
}

/// Removes our hooks, and the lists and the object that this leaves empty.
pub(super) fn removed_from(text: &str) -> Result<String, String> {
    json_file::edited(text, |root| {
        let Some(hooks) = root.object_value(TABLE) else {
            return Ok(());
        };
        let mut changed = false;
        for (event, _) in EVENTS {
            let Some(groups) = hooks.array_value(event) else {
                continue;
            };
            if remove_ours(&groups) && groups.elements().is_empty() {
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

/// Whether a file has our hooks.
pub(super) fn are_in(text: &str) -> bool {
    removed_from(text).is_ok_and(|without| without != text)
}

fn remove_ours(groups: &CstArray) -> bool {
    let mut removed = false;
    for group in groups.elements() {
        if group.to_serde_value().is_some_and(|group| is_ours(&group)) {
            group.remove();
            removed = true;
        }
    }
    removed
}

/// Whether a group has one command, and it is ours.
fn is_ours(group: &Value) -> bool {
    let commands = group["hooks"].as_array().map(Vec::as_slice).unwrap_or_default();
    let command = |hook: &Value| hook["command"].as_str().map(str::to_owned);
    match commands {
        [only] => command(only).is_some_and(|command| command.contains("recalld") && command.contains(MARK)),
        _ => false,
    }
}

/// A group with one command. Claude Code takes the exit code 2 for *block this*, also that of a
/// program that is gone or does not know the command: so the line always succeeds.
fn group(launch: &Launch, name: &str) -> Value {
    let words: Vec<String> = launch
        .words()
        .iter()
        .map(|word| crate::arguments::quoted(word))
        .collect();
    // The last word is `mcp`.
    let program = words[..words.len() - 1].join(" ");
    let command = format!("{program}{MARK}{name} - 2>/dev/null || true");
    json!({"hooks": [{"type": "command", "command": command, "timeout": 15}]})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hooks_are_added_once_beside_others_and_taken_out() {
        let launch = Launch {
            program: "/opt/my tools/recalld".to_owned(),
            arguments: vec!["mcp".to_owned()],
        };
        let others = "{\n  // mine\n  \"model\": \"x\",\n  \"hooks\": {\n    \"SessionStart\": [\n      {\n        \
                      \"hooks\": [{ \"type\": \"command\", \"command\": \"echo hook me\" }]\n      }\n    ]\n  }\n}\n";
        for file in ["{}\n", others] {
            let with = added_to(file, &launch).unwrap();
            assert!(
                with.contains("'/opt/my tools/recalld' hook prompt - 2>/dev/null || true"),
                "{with}"
            );
            assert_eq!(added_to(&with, &launch).unwrap(), with);
            assert!(are_in(&with) && !are_in(file));
            let without = removed_from(&with).unwrap();
            assert_eq!(without.contains("// mine"), file.contains("// mine"));
            assert_eq!(without.contains("echo hook me"), file.contains("echo hook me"));
            assert!(!without.contains("recalld"), "{without}");
        }
        assert!(added_to("{\"hooks\": []}", &launch).is_err());
    }
}
