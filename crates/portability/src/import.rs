//! What people have elsewhere: exports of other products, read row by row into the same form as an
//! archive of our own.
//!
//! Every memory and message gets an id that follows from what it was there, so that the same file
//! read twice makes the same things, and an import of it changes nothing the second time.

mod chats;
mod detect;
mod draft;
mod file;
mod json_rows;
mod langgraph;
mod mcp;
mod mem0;
mod plain;
mod table;
#[cfg(test)]
mod tests;

use std::io::{self, Read, Seek, SeekFrom};

use jiff::Timestamp;
use serde_json::Value;
use thiserror::Error;

pub use file::{OpenError, open};

use self::draft::Draft;
use self::json_rows::{JsonRows, RowsError};
use crate::archive::{ArchiveError, Staging};
use crate::bounded::{self, Lines};

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
    /// A table with a header, its fields separated by commas, semicolons or tabs.
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
}

/// Why a file cannot be read as what it should be.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("this is not what {format} exports: {reason}")]
pub struct Unlike {
    pub format: &'static str,
    pub reason: String,
}

/// Why a file cannot be read, whatever it is.
#[derive(Debug)]
enum ReadError {
    /// It is not what it should be.
    Unlike(String),
    /// It is not UTF-8.
    NotText,
    /// It is too large, or the temporary file failed.
    Archive(ArchiveError),
    /// It could not be read at all.
    Io(io::Error),
}

impl From<ArchiveError> for ReadError {
    fn from(error: ArchiveError) -> ReadError {
        ReadError::Archive(error)
    }
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> ReadError {
        match error.downcast::<ArchiveError>() {
            Ok(error) => ReadError::Archive(error),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => ReadError::Unlike(error.to_string()),
            Err(error) => ReadError::Io(error),
        }
    }
}

impl From<RowsError> for ReadError {
    fn from(error: RowsError) -> ReadError {
        match error {
            RowsError::Read(error) => error.into(),
            RowsError::Syntax { .. } => ReadError::Unlike(error.to_string()),
        }
    }
}

/// Reads a file into `staging`. What has no time of its own is dated `now`; what cannot be taken is
/// a fault of its row, and stops nothing.
fn read(
    format: Format,
    mut source: impl Read + Seek,
    now: Timestamp,
    staging: &mut Staging,
) -> Result<(), ReadError> {
    let draft = &mut Draft::new(format.as_str(), now, staging);
    match format {
        Format::Mem0 => rows(source, &mem0::LISTS, draft, |_, number, item, draft| {
            mem0::row(number, item, draft)
        }),
        Format::ChatGpt => rows(source, &chats::CHATGPT_LISTS, draft, |_, number, item, draft| {
            chats::chatgpt(number, item, draft)
        }),
        Format::Claude => rows(source, &chats::CLAUDE_LISTS, draft, |_, number, item, draft| {
            chats::claude(number, item, draft)
        }),
        Format::LangGraph => rows(source, &langgraph::LISTS, draft, |_, number, item, draft| {
            langgraph::row(number, item, draft)
        }),
        Format::McpMemory => {
            let is_lines = detect::first_line(&mut source)?.is_some_and(|line| mcp::is_line(&line));
            source.seek(SeekFrom::Start(0))?;
            match is_lines {
                true => mcp_lines(source, draft),
                false => rows(source, &mcp::LISTS, draft, mcp::row),
            }
        }
        Format::Csv => table::read(source, draft),
        Format::Text => text_lines(source, draft),
    }
}

/// Reads the entries of the text's list, or of the lists in the fields `lists`, and hands each to
/// `each`: with its list, its number from 1, and what it is.
fn rows(
    source: impl Read,
    lists: &[&str],
    draft: &mut Draft<'_>,
    each: impl Fn(Option<&str>, usize, &Value, &mut Draft<'_>) -> Result<(), ArchiveError>,
) -> Result<(), ReadError> {
    let mut rows = JsonRows::new(source);
    let (mut number, mut list) = (0, None);
    while let Some(row) = rows.next()? {
        draft.count_row()?;
        if row.field.is_some_and(|field| !lists.contains(&field)) {
            continue;
        }
        if row.field != list.as_deref() {
            (number, list) = (0, row.field.map(str::to_owned));
        }
        number += 1;
        let text = match row.text {
            Ok(text) => text,
            Err(error) => {
                draft.fault(&format!("entry {number}"), &error.to_string());
                continue;
            }
        };
        let item = serde_json::from_slice(text)
            .map_err(|error| ReadError::Unlike(format!("entry {number} is not valid JSON: {error}")))?;
        each(row.field, number, &item, draft)?;
    }
    match rows.has_list {
        true => Ok(()),
        false => Err(ReadError::Unlike("it holds no list".to_owned())),
    }
}

fn mcp_lines(source: impl Read, draft: &mut Draft<'_>) -> Result<(), ReadError> {
    let mut lines = Lines::new(source);
    while let Some((number, line)) = lines.next()? {
        draft.count_row()?;
        let value = match line {
            Ok(line) if line.trim_ascii().is_empty() => continue,
            Ok(line) => bounded::parse(line),
            Err(error) => Err(error.to_string()),
        };
        match value {
            Ok(value) => mcp::line(number, &value, draft)?,
            Err(reason) => draft.fault(&format!("line {number}"), &reason),
        }
    }
    Ok(())
}

fn text_lines(source: impl Read, draft: &mut Draft<'_>) -> Result<(), ReadError> {
    let mut lines = Lines::new(source);
    while let Some((number, line)) = lines.next()? {
        draft.count_row()?;
        match line {
            Ok(line) => {
                let text = std::str::from_utf8(line).map_err(|_| ReadError::NotText)?;
                plain::line(number, text.trim_start_matches('\u{feff}'), draft)?;
            }
            Err(error) => draft.fault(&format!("line {number}"), &error.to_string()),
        }
    }
    Ok(())
}
