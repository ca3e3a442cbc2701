//! opencode: program and arguments are one list.

use serde_json::{Value, json};

use super::super::client::{Client, Format, Hooks, RulesFile, existing};
use super::super::hooks::Form;
use super::super::launch::Launch;

pub(super) const CLIENT: Client = Client {
    id: "opencode",
    name: "opencode",
    program: Some("opencode"),
    directory: |at| at.settings.join("opencode"),
    file: |at| {
        existing(
            &at.settings.join("opencode"),
            &["opencode.json", "opencode.jsonc"],
        )
    },
    format: Format::Json { table: "mcp", entry },
    rules: |at| RulesFile::shared(at.settings.join("opencode/AGENTS.md")),
    hooks: Some(Hooks {
        file: |at| at.settings.join("opencode/plugins/recalld.js"),
        form: Form::Plugin,
    }),
    restart: "start a new session of `opencode`",
};

fn entry(launch: &Launch) -> Value {
    json!({"type": "local", "command": launch.words(), "enabled": true})
}
