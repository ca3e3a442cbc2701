//! Recognises a file by its name and how it begins.

use std::io::{self, Read, Seek, SeekFrom};

use serde_json::Value;

use super::json_rows::JsonRows;
use super::{Format, mcp};
use crate::bounded::{self, Lines};

/// How many entries are looked at: the first may be too large, or like nothing.
const ENTRIES_MAX: usize = 100;

/// Recognises a file. It is read from its begin, and left anywhere.
pub(super) fn detect(name: &str, mut source: impl Read + Seek) -> io::Result<Option<Format>> {
    match first_line(&mut source)? {
        None => return Ok(None),
        Some(line) if mcp::is_line(&line) => return Ok(Some(Format::McpMemory)),
        Some(_) => {}
    }
    source.seek(SeekFrom::Start(0))?;
    Ok(of_json(source).or_else(|| of_name(name)))
}

/// Reads the first line that is not blank as JSON: null if it is something else, none if there is
/// no such line.
pub(super) fn first_line(source: &mut impl Read) -> io::Result<Option<Value>> {
    let mut lines = Lines::new(source);
    while let Some((_, line)) = lines.next()? {
        match line {
            Ok(line) if line.trim_ascii().is_empty() => {}
            Ok(line) => return Ok(Some(bounded::parse(line).unwrap_or_default())),
            Err(_) => return Ok(Some(Value::Null)),
        }
    }
    Ok(None)
}

fn of_name(name: &str) -> Option<Format> {
    match name.to_lowercase().rsplit('.').next() {
        Some("csv" | "tsv") => Some(Format::Csv),
        Some("txt" | "md" | "text") => Some(Format::Text),
        _ => None,
    }
}

fn of_json(source: impl Read) -> Option<Format> {
    let mut rows = JsonRows::new(source);
    for _ in 0..ENTRIES_MAX {
        let row = rows.next().ok()??;
        let item = row.text.ok().and_then(|text| bounded::parse(text).ok());
        let found = match (row.field, item) {
            (Some("entities" | "relations"), Some(_)) => Some(Format::McpMemory),
            (None | Some("results" | "items" | "memories" | "conversations"), Some(item)) => of_item(&item),
            _ => None,
        };
        if found.is_some() {
            return found;
        }
    }
    None
}

fn of_item(item: &Value) -> Option<Format> {
    let has = |field: &str| item.get(field).is_some();
    match item {
        _ if has("mapping") => Some(Format::ChatGpt),
        _ if has("chat_messages") || has("conversations_memory") => Some(Format::Claude),
        _ if has("namespace") && has("value") => Some(Format::LangGraph),
        _ if has("memory") => Some(Format::Mem0),
        _ if has("content") => Some(Format::ChatGpt),
        _ => None,
    }
}
