//! One definition, in the shapes that providers and protocols ask for.

use recalld_memory::settings::Settings;
use serde_json::{Value, json};

use super::{Tool, ToolSet, of_sets};

/// The shape in which tools are handed to a model or client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// OpenAI Chat Completions.
    OpenAi,
    /// OpenAI Responses.
    Responses,
    /// Anthropic Messages.
    Anthropic,
    /// Model Context Protocol.
    Mcp,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 4] = [Format::OpenAi, Format::Responses, Format::Anthropic, Format::Mcp];

    /// Gives the format's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Format::OpenAi => "openai",
            Format::Responses => "responses",
            Format::Anthropic => "anthropic",
            Format::Mcp => "mcp",
        }
    }

    /// Reads a format's name.
    pub fn parse(raw: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.as_str() == raw)
    }
}

/// Gives the tools of `sets` (of all, when none is named) as a JSON array.
pub fn export(format: Format, sets: &[ToolSet], settings: &Settings) -> Value {
    of_sets(sets).map(|tool| shape(format, tool, settings)).collect()
}

fn shape(format: Format, tool: &Tool, settings: &Settings) -> Value {
    let (name, description, schema) = (tool.name, tool.description.trim(), tool.schema(settings));
    match format {
        Format::OpenAi => json!({
            "type": "function",
            "function": { "name": name, "description": description, "parameters": schema },
        }),
        Format::Responses => json!({
            "type": "function", "name": name, "description": description, "parameters": schema, "strict": false,
        }),
        Format::Anthropic => json!({ "name": name, "description": description, "input_schema": schema }),
        // No output schema: clients that see one show the model the structured answer in place of
        // the text, which alone is bounded.
        Format::Mcp => json!({
            "name": name,
            "title": tool.title,
            "description": description,
            "inputSchema": schema,
            "annotations": {
                "title": tool.title,
                "readOnlyHint": tool.hints.read_only,
                "destructiveHint": tool.hints.destructive,
                "idempotentHint": tool.hints.idempotent,
                "openWorldHint": false,
            },
        }),
    }
}
