//! What people have elsewhere: exports of other products, read into the same form as an archive of
//! our own.
//!
//! Every memory and message gets an id that follows from what it was there, so that the same file
//! read twice makes the same things, and an import of it changes nothing the second time.

mod chats;
mod draft;
mod file;
mod langgraph;
mod mcp;
mod mem0;
mod plain;
#[cfg(test)]
mod tests;

use jiff::Timestamp;
use serde_json::Value;
use thiserror::Error;

pub use file::{OpenError, open};

use crate::archive::Contents;
use draft::Draft;

/// Where a file came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// mem0, as `get_all` gives it.
    Mem0,
    /// The file of the MCP memory server.
    McpMemory,
    /// `conversations.json` or saved memories of a ChatGPT data export.
    ChatGpt,
    /// `conversations.json` or `memories.json` of a Claude data export.
    Claude,
    /// Items of a LangGraph store.
    LangGraph,
    /// A table with a header, its fields apart by commas, semicolons or tabs.
    Csv,
    /// A statement a line.
    Text,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 7] = [
        Format::Mem0,
        Format::McpMemory,
        Format::ChatGpt,
        Format::Claude,
        Format::LangGraph,
        Format::Csv,
        Format::Text,
    ];

    /// Gives the format's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Format::Mem0 => "mem0",
            Format::McpMemory => "mcp-memory",
            Format::ChatGpt => "chatgpt",
            Format::Claude => "claude",
            Format::LangGraph => "langgraph",
            Format::Csv => "csv",
            Format::Text => "text",
        }
    }

    /// Reads a format's name.
    pub fn parse(raw: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.as_str() == raw)
    }

    /// Recognises a file by its name and what it says.
    pub fn detect(name: &str, text: &str) -> Option<Format> {
        let lower = name.to_lowercase();
        let first = text.lines().find(|line| !line.trim().is_empty())?;
        if let Ok(line) = serde_json::from_str::<Value>(first)
            && ["entity", "relation"].iter().any(|kind| line["type"] == *kind)
        {
            return Some(Format::McpMemory);
        }
        let Ok(value) = serde_json::from_str::<Value>(text) else {
            return match lower.rsplit('.').next() {
                Some("csv" | "tsv") => Some(Format::Csv),
                Some("txt" | "md" | "text") => Some(Format::Text),
                _ => None,
            };
        };
        if value["entities"].is_array() && value["relations"].is_array() {
            return Some(Format::McpMemory);
        }
        let items = ["results", "items", "memories", "conversations"]
            .iter()
            .find_map(|field| value[*field].as_array())
            .or(value.as_array())?;
        let some = items.first()?;
        let has = |field: &str| some.get(field).is_some();
        match some {
            _ if has("mapping") => Some(Format::ChatGpt),
            _ if has("chat_messages") || has("conversations_memory") => Some(Format::Claude),
            _ if has("namespace") && has("value") => Some(Format::LangGraph),
            _ if has("memory") => Some(Format::Mem0),
            _ if has("content") => Some(Format::ChatGpt),
            _ => None,
        }
    }
}

/// Why a file cannot be read as what it should be.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("this is not what {format} exports: {reason}")]
pub struct Unlike {
    pub format: &'static str,
    pub reason: String,
}

/// Reads a file. What has no time of its own is dated `now`; what cannot be taken is a fault of its
/// line, and stops nothing.
pub fn read(format: Format, text: &str, now: Timestamp) -> Result<Contents, Unlike> {
    let mut draft = Draft::new(format.as_str(), now);
    let unlike = |reason: String| Unlike {
        format: format.as_str(),
        reason,
    };
    let json =
        || -> Result<Value, Unlike> { serde_json::from_str(text).map_err(|error| unlike(error.to_string())) };
    let done = match format {
        Format::Mem0 => mem0::read(&json()?, &mut draft),
        Format::McpMemory => mcp::read(text, &mut draft),
        Format::ChatGpt => chats::chatgpt(&json()?, &mut draft),
        Format::Claude => chats::claude(&json()?, &mut draft),
        Format::LangGraph => langgraph::read(&json()?, &mut draft),
        Format::Csv => plain::csv(text, &mut draft),
        Format::Text => plain::lines(text, &mut draft),
    };
    done.map_err(|reason| unlike(reason.to_owned()))?;
    Ok(draft.finish())
}
