//! `memory`: files of notes, with the commands of Anthropic's memory tool.

use recalld_memory::items::ItemError;
use recalld_memory::memory_files::{self, Command};
use recalld_memory::scope::Scope;
use recalld_memory::wiring::Ports;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::arguments::{read, schema_of};
use super::{Hints, Tool, ToolAnswer, ToolError, ToolSet};

pub(super) const TOOL: Tool = Tool {
    name: "memory",
    title: "Memory files",
    set: ToolSet::Files,
    description: include_str!("memory.md"),
    hints: Hints {
        read_only: false,
        destructive: true,
        idempotent: false,
    },
    schema: |_| schema_of::<Args>(),
    run: |ports, scope, arguments| Box::pin(async move { run(ports, scope, read(arguments)?).await }),
};

/// The arguments of all commands; each needs its own.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    command: CommandWord,
    /// For all but rename: such as "/memories/notes.md"
    path: Option<String>,
    /// For view: first and last line; -1 is the end
    view_range: Option<Vec<i64>>,
    /// For create: the content
    file_text: Option<String>,
    /// For str_replace: the text to replace, which must be unique
    old_str: Option<String>,
    /// For str_replace: the new text
    new_str: Option<String>,
    /// For insert: after this line; 0 is the beginning
    insert_line: Option<i64>,
    /// For insert: the text
    insert_text: Option<String>,
    /// For rename
    old_path: Option<String>,
    /// For rename
    new_path: Option<String>,
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum CommandWord {
    View,
    Create,
    StrReplace,
    Insert,
    Delete,
    Rename,
}

impl Args {
    /// Gives the command, if it has what it needs.
    pub fn command(self) -> Result<Command, String> {
        let need =
            |name: &str, value: Option<String>| value.ok_or_else(|| format!("missing argument \"{name}\""));
        Ok(match self.command {
            CommandWord::View => Command::View {
                path: need("path", self.path)?,
                range: match self.view_range.as_deref() {
                    Some([first, last]) => Some((*first, *last)),
                    _ => None,
                },
            },
            CommandWord::Create => Command::Create {
                path: need("path", self.path)?,
                text: need("file_text", self.file_text)?,
            },
            CommandWord::StrReplace => Command::StrReplace {
                path: need("path", self.path)?,
                old: need("old_str", self.old_str)?,
                new: self.new_str.unwrap_or_default(),
            },
            CommandWord::Insert => Command::Insert {
                path: need("path", self.path)?,
                line: self.insert_line.ok_or("missing argument \"insert_line\"")?,
                text: need("insert_text", self.insert_text)?,
            },
            CommandWord::Delete => Command::Delete {
                path: need("path", self.path)?,
            },
            CommandWord::Rename => Command::Rename {
                from: need("old_path", self.old_path)?,
                to: need("new_path", self.new_path)?,
            },
        })
    }
}

async fn run(ports: &Ports, scope: &Scope, args: Args) -> Result<ToolAnswer, ToolError> {
    let command = args.command().map_err(ToolError::arguments)?;
    match memory_files::run(ports, scope, command).await {
        Ok(outcome) if outcome.is_error => Err(ToolError::arguments(outcome.content)),
        Ok(outcome) => Ok(ToolAnswer::new("ok", outcome.content, json!({}))),
        Err(ItemError::Secret(secret)) => Ok(ToolAnswer::refused(secret)),
        Err(error @ ItemError::TooLong { .. }) => Err(ToolError::arguments(error.to_string())),
        Err(ItemError::Space(error)) => Err(error.into()),
    }
}
