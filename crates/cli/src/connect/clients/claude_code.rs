//! Claude Code: the user's servers are in `~/.claude.json`, which it also writes itself.

use super::super::client::{Client, Format, Hooks, RulesFile};
use super::super::hooks::{Form, Grouped};

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
    hooks: Some(Hooks {
        file: |at| {
            at.named_or_home("CLAUDE_CONFIG_DIR", ".claude")
                .join("settings.json")
        },
        form: Form::Grouped(Grouped {
            agent: "claude-code",
            events: &[
                ("SessionStart", "session-start"),
                ("UserPromptSubmit", "prompt"),
                ("PreCompact", "pre-compact"),
                ("SessionEnd", "session-end"),
            ],
            timeout: 15,
        }),
    }),
    restart: "start a new session of `claude`",
};
