//! Claude Code: the user's servers are in `~/.claude.json`, which it also writes itself.

use super::super::client::{Client, Format, RulesFile};

pub(super) const CLIENT: Client = Client {
    id: "claude-code",
    name: "Claude Code",
    program: Some("claude"),
    directory: |at| at.named_or_home("CLAUDE_CONFIG_DIR", ".claude"),
    file: |at| at.named_or_home("CLAUDE_CONFIG_DIR", "").join(".claude.json"),
    format: Format::Json {
        table: "mcpServers",
        entry: super::typed_command_and_args,
    },
    rules: |at| RulesFile::shared(at.named_or_home("CLAUDE_CONFIG_DIR", ".claude").join("CLAUDE.md")),
    hooks: Some(|at| {
        at.named_or_home("CLAUDE_CONFIG_DIR", ".claude")
            .join("settings.json")
    }),
    restart: "start a new session of `claude`",
};
