//! Zed: its settings are JSON with comments, in the same place on macOS. Its rules belong to a
//! project.

use super::super::client::{Client, Format, RulesFile};

pub(super) const CLIENT: Client = Client {
    id: "zed",
    name: "Zed",
    program: Some("zed"),
    directory: |at| at.settings.join("zed"),
    file: |at| at.settings.join("zed/settings.json"),
    format: Format::Json {
        table: "context_servers",
        entry: super::command_and_args,
    },
    rules: |at| RulesFile::shared(at.project.join("AGENTS.md")),
    hooks: None,
    restart: "open the agent panel; Zed starts the server by itself",
};
