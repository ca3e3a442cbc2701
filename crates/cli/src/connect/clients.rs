//! The clients, one file each.

mod claude_code;
mod claude_desktop;
mod codex;
mod cursor;
mod gemini;
mod opencode;
mod vscode;
mod windsurf;
mod zed;

use serde_json::{Value, json};

use super::client::Client;
use super::launch::Launch;

/// All clients, in the order in which they are listed.
pub(crate) const ALL: [&Client; 9] = [
    &claude_code::CLIENT,
    &claude_desktop::CLIENT,
    &cursor::CLIENT,
    &vscode::CLIENT,
    &codex::CLIENT,
    &gemini::CLIENT,
    &opencode::CLIENT,
    &windsurf::CLIENT,
    &zed::CLIENT,
];

/// Returns the names of all clients on the command line.
pub(crate) fn ids() -> [&'static str; ALL.len()] {
    ALL.map(|client| client.id)
}

/// Finds a client by its name on the command line.
pub(crate) fn find(id: &str) -> Option<&'static Client> {
    ALL.into_iter().find(|client| client.id == id)
}

/// The entry that most clients read.
fn command_and_args(launch: &Launch) -> Value {
    json!({"command": launch.program, "args": launch.arguments})
}

/// The same, with the transport named.
fn typed_command_and_args(launch: &Launch) -> Value {
    json!({"type": "stdio", "command": launch.program, "args": launch.arguments})
}

#[cfg(test)]
mod tests {
    use super::super::hooks::Form;
    use super::*;

    fn launch() -> Launch {
        Launch {
            program: "/opt/my tools/recalld".to_owned(),
            arguments: vec!["mcp".to_owned()],
        }
    }

    #[test]
    fn hooks_are_added_once_beside_others_and_taken_out() {
        let others = "{\n  // mine\n  \"model\": \"x\",\n  \"hooks\": {\n    \"SessionStart\": [\n      {\n        \
                      \"hooks\": [{ \"type\": \"command\", \"command\": \"echo hook me\" }]\n      }\n    ],\n    \
                      \"sessionStart\": [{ \"command\": \"echo hook me\" }]\n  }\n}\n";
        let forms = ALL
            .into_iter()
            .filter_map(|client| client.hooks)
            .map(|hooks| hooks.form);
        let forms: Vec<Form> = forms.filter(|form| !matches!(form, Form::Plugin)).collect();
        assert_eq!(forms.len(), 4);
        for form in forms {
            for file in ["{}\n", others] {
                let with = form.added_to(file, &launch()).unwrap();
                assert!(with.contains("'/opt/my tools/recalld' hook prompt -"), "{with}");
                assert!(with.contains(" 2>/dev/null || true"), "{with}");
                assert_eq!(form.added_to(&with, &launch()).unwrap(), with);
                assert!(form.are_in(&with) && !form.are_in(file));
                let without = form.removed_from(&with).unwrap().unwrap_or_default();
                assert_eq!(without.contains("// mine"), file.contains("// mine"));
                assert_eq!(without.contains("echo hook me"), file.contains("echo hook me"));
                assert!(!without.contains("recalld"), "{without}");
            }
            assert!(form.added_to("{\"hooks\": []}", &launch()).is_err());
        }
    }

    #[test]
    fn a_plugin_is_a_file_of_its_own() {
        let text = Form::Plugin.added_to("", &launch()).unwrap();
        assert!(text.contains("\"/opt/my tools/recalld\""), "{text}");
        assert!(Form::Plugin.are_in(&text));
        assert_eq!(Form::Plugin.removed_from(&text).unwrap(), None);
        assert!(
            Form::Plugin.removed_from("// somebody else's").is_err(),
            "it is not removed, nor replaced"
        );
        assert!(Form::Plugin.added_to("// somebody else's", &launch()).is_err());
    }
}
