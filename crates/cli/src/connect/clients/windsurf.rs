//! Windsurf.

use super::super::client::{Client, Format, RulesFile};

pub(super) const CLIENT: Client = Client {
    id: "windsurf",
    name: "Windsurf",
    program: Some("windsurf"),
    directory: |at| at.home.join(".codeium/windsurf"),
    file: |at| at.home.join(".codeium/windsurf/mcp_config.json"),
    format: Format::Json {
        table: "mcpServers",
        entry: super::command_and_args,
    },
    rules: |at| RulesFile::shared(at.home.join(".codeium/windsurf/memories/global_rules.md")),
    hooks: None,
    restart: "press Refresh in the MCP settings of Windsurf",
};
