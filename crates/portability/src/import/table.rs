//! Tables with a header, their fields separated by commas, semicolons or tabs.

use std::cell::Cell;
use std::io::{self, BufRead, BufReader, Read};
use std::rc::Rc;

use csv::{ByteRecord, ReaderBuilder};
use serde_json::json;

use super::ReadError;
use super::draft::{Draft, Foreign, time};
use crate::bounded::{ROW_BYTES_MAX, TooLarge};

/// The names that the column with the statement may have.
const CONTENTS: [&str; 6] = ["content", "memory", "statement", "text", "fact", "value"];

/// Reads a table whose first row names its columns.
pub(super) fn read(source: impl Read, draft: &mut Draft<'_>) -> Result<(), ReadError> {
    let mut source = BufReader::with_capacity(HEADER_BYTES, source);
    let delimiter = delimiter(source.fill_buf()?);
    let read = Rc::new(Cell::new(0));
    let limited = RowLimit {
        reader: source,
        read: Rc::clone(&read),
    };
    let mut rows = ReaderBuilder::new()
        .delimiter(delimiter)
        .has_headers(false)
        .flexible(true)
        .buffer_capacity(BUFFER_BYTES)
        .from_reader(limited);
    let mut row = ByteRecord::new();
    let mut next = |row: &mut ByteRecord| -> Result<bool, ReadError> {
        read.set(0);
        rows.read_byte_record(row)
            .map_err(|error| match error.into_kind() {
                csv::ErrorKind::Io(error) => ReadError::from(error),
                kind => ReadError::Unlike(format!("{kind:?}")),
            })
    };
    if !next(&mut row)? {
        return Err(ReadError::Unlike("it is empty".to_owned()));
    }
    let columns = Columns::of(&row)?;
    while next(&mut row)? {
        draft.count_row()?;
        let line = row.position().map_or(0, csv::Position::line);
        columns.read(&format!("line {line}"), &row, draft)?;
    }
    Ok(())
}

/// How much of the file is looked at to find out what separates its fields.
const HEADER_BYTES: usize = 64 * 1024;

/// How much is read at once.
const BUFFER_BYTES: usize = 64 * 1024;

/// Fails when a row is longer than may be. Set to zero at the begin of each row, the count is too
/// high by what was read ahead at most.
struct RowLimit<R> {
    reader: R,
    read: Rc<Cell<usize>>,
}

impl<R: Read> Read for RowLimit<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if ROW_BYTES_MAX < self.read.get() {
            return Err(io::Error::new(io::ErrorKind::InvalidData, TooLarge::Bytes));
        }
        let count = self.reader.read(buffer)?;
        self.read.set(self.read.get() + count);
        Ok(count)
    }
}

/// Which column holds what.
struct Columns {
    content: usize,
    id: Option<usize>,
    key: Option<usize>,
    category: Option<usize>,
    confidence: Option<usize>,
    at: Option<usize>,
}

impl Columns {
    fn of(header: &ByteRecord) -> Result<Columns, ReadError> {
        let names: Vec<String> = header
            .iter()
            .map(|name| String::from_utf8_lossy(name).trim().to_lowercase())
            .collect();
        let column = |wanted: &[&str]| names.iter().position(|name| wanted.contains(&name.as_str()));
        let missing =
            || ReadError::Unlike("no column is called content, memory, statement or text".to_owned());
        Ok(Columns {
            content: column(&CONTENTS).ok_or_else(missing)?,
            id: column(&["id"]),
            key: column(&["key", "name"]),
            category: column(&["category", "tag"]),
            confidence: column(&["confidence"]),
            at: column(&["created_at", "learned_at", "date", "time", "timestamp"]),
        })
    }

    fn read(&self, place: &str, row: &ByteRecord, draft: &mut Draft<'_>) -> Result<(), ReadError> {
        if row.iter().all(|field| field.trim_ascii().is_empty()) {
            return Ok(());
        }
        if row.iter().any(|field| std::str::from_utf8(field).is_err()) {
            return Err(ReadError::NotText);
        }
        let field = |at: Option<usize>| {
            at.and_then(|at| row.get(at))
                .and_then(|field| std::str::from_utf8(field).ok())
                .map(str::trim)
                .filter(|text| !text.is_empty())
        };
        let Some(said) = field(Some(self.content)) else {
            draft.fault(place, "it says nothing");
            return Ok(());
        };
        let confidence = field(self.confidence).map(str::parse::<f64>);
        if confidence.as_ref().is_some_and(Result::is_err) {
            draft.fault(place, "its confidence is not a number");
            return Ok(());
        }
        draft.statement(&Foreign {
            place: place.to_owned(),
            id: field(self.id).unwrap_or_default(),
            content: said,
            key: field(self.key),
            category: field(self.category),
            confidence: confidence.and_then(Result::ok),
            at: field(self.at).and_then(|at| time(&json!(at))),
        })?;
        Ok(())
    }
}

/// What separates the fields of the header: a tab or a semicolon if that is there more often than a
/// comma.
fn delimiter(text: &[u8]) -> u8 {
    let header = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let often = |sign: &u8| header.iter().filter(|byte| *byte == sign).count();
    // Of equals the last is taken: the comma.
    [b';', b'\t', b','].into_iter().max_by_key(often).unwrap_or(b',')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_may_be_separated_by_tabs_or_semicolons() {
        assert_eq!(delimiter(b"content\tcategory\nLikes tea, hot\tx"), b'\t');
        assert_eq!(delimiter(b"content;category"), b';');
        assert_eq!(delimiter(b"content"), b',');
        assert_eq!(delimiter(b""), b',');
    }
}
