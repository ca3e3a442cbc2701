//! Gemini CLI.

use super::super::client::{Client, Format, RulesFile};

pub(super) const CLIENT: Client = Client {
    id: "gemini",
    name: "Gemini CLI",
    program: Some("gemini"),
    directory: |at| at.home.join(".gemini"),
    file: |at| at.home.join(".gemini/settings.json"),
    format: Format::Json {
        table: "mcpServers",
        entry: super::command_and_args,
    },
    rules: |at| RulesFile::shared(at.home.join(".gemini/GEMINI.md")),
    hooks: None,
    restart: "start a new session of `gemini`, in a folder that it trusts",
};
