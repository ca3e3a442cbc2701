//! Gemini CLI.

use super::super::client::{Client, Format, Hooks, RulesFile};
use super::super::hooks::{Form, Grouped};

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
    hooks: Some(Hooks {
        file: |at| at.home.join(".gemini/settings.json"),
        form: Form::Grouped(Grouped {
            agent: "gemini",
            events: &[
                ("SessionStart", "session-start"),
                ("BeforeAgent", "prompt"),
                ("PreCompress", "pre-compact"),
                ("SessionEnd", "session-end"),
            ],
            // Milliseconds, unlike elsewhere.
            timeout: 15_000,
        }),
    }),
    restart: "start a new session of `gemini`, in a folder that it trusts",
};
