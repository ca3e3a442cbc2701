//! Codex: a table in `config.toml`, and hooks in a file of their own.

use super::super::client::{Client, Format, Hooks, RulesFile};
use super::super::hooks::{Form, Grouped};

pub(super) const CLIENT: Client = Client {
    id: "codex",
    name: "Codex",
    program: Some("codex"),
    directory: |at| at.named_or_home("CODEX_HOME", ".codex"),
    file: |at| at.named_or_home("CODEX_HOME", ".codex").join("config.toml"),
    format: Format::Toml { table: "mcp_servers" },
    rules: |at| RulesFile::shared(at.named_or_home("CODEX_HOME", ".codex").join("AGENTS.md")),
    // It has no event for the end of a session, only for that of a turn.
    hooks: Some(Hooks {
        file: |at| at.named_or_home("CODEX_HOME", ".codex").join("hooks.json"),
        form: Form::Grouped(Grouped {
            agent: "codex",
            events: &[
                ("SessionStart", "session-start"),
                ("UserPromptSubmit", "prompt"),
                ("PreCompact", "pre-compact"),
                ("Stop", "session-end"),
            ],
            timeout: 15,
        }),
    }),
    restart: "start a new session of `codex`; hooks run once you have trusted them there (`/hooks`)",
};
