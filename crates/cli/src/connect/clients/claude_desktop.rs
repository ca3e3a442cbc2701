//! Claude Desktop. It has no file of standing instructions.

use super::super::client::{Client, Format};

pub(super) const CLIENT: Client = Client {
    id: "claude-desktop",
    name: "Claude Desktop",
    program: None,
    directory: |at| at.applications.join("Claude"),
    file: |at| at.applications.join("Claude/claude_desktop_config.json"),
    format: Format::Json {
        table: "mcpServers",
        entry: super::command_and_args,
    },
    rules: |_| None,
    hooks: None,
    restart: "quit and restart Claude Desktop",
};
