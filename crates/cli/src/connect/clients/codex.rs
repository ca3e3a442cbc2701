//! Codex: a table in `config.toml`.

use super::super::client::{Client, Format, RulesFile};

pub(super) const CLIENT: Client = Client {
    id: "codex",
    name: "Codex",
    program: Some("codex"),
    directory: |at| at.named_or_home("CODEX_HOME", ".codex"),
    file: |at| at.named_or_home("CODEX_HOME", ".codex").join("config.toml"),
    format: Format::Toml { table: "mcp_servers" },
    rules: |at| RulesFile::shared(at.named_or_home("CODEX_HOME", ".codex").join("AGENTS.md")),
    hooks: None,
    restart: "start a new session of `codex`",
};
