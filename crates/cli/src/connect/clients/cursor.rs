//! Cursor. Its rules belong to a project, each in a file of its own.

use super::super::client::{Client, Format, Hooks, RulesFile};
use super::super::hooks::Form;

pub(super) const CLIENT: Client = Client {
    id: "cursor",
    name: "Cursor",
    program: Some("cursor"),
    directory: |at| at.home.join(".cursor"),
    file: |at| at.home.join(".cursor/mcp.json"),
    format: Format::Json {
        table: "mcpServers",
        entry: super::command_and_args,
    },
    rules: |at| {
        Some(RulesFile {
            path: at.project.join(".cursor/rules/recalld.mdc"),
            own_header: Some("---\ndescription: when to use long-term memory\nalwaysApply: true\n---\n\n"),
        })
    },
    hooks: Some(Hooks {
        file: |at| at.home.join(".cursor/hooks.json"),
        form: Form::Flat(&[
            ("sessionStart", "session-start"),
            ("beforeSubmitPrompt", "prompt"),
            ("preCompact", "pre-compact"),
            ("sessionEnd", "session-end"),
        ]),
    }),
    restart: "restart Cursor, or turn the server on in Settings > MCP",
};
