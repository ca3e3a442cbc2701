//! Reads what anybody may have written within bounds: so many bytes in all, so many a line, so many
//! values and so deep in one piece of JSON. Whatever is sent, little of it is in memory at a time.

use std::io::{self, BufRead, BufReader, Read};

use serde_json::Value;
use thiserror::Error;

/// The most bytes of one line, or of one entry of a list.
pub const ROW_BYTES_MAX: usize = 8 << 20;

/// The most values in one line or entry of JSON. A value of one byte may take 300 bytes of memory.
pub const ROW_VALUES_MAX: usize = 100_000;

/// How deep one line or entry of JSON may be nested.
pub const DEPTH_MAX: usize = 64;

/// Why one line or entry is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum TooLarge {
    /// Over [`ROW_BYTES_MAX`].
    #[error("it is longer than {ROW_BYTES_MAX} bytes")]
    Bytes,
    /// Over [`ROW_VALUES_MAX`].
    #[error("it holds more than {ROW_VALUES_MAX} values")]
    Values,
    /// Over [`DEPTH_MAX`].
    #[error("it is nested more than {DEPTH_MAX} deep")]
    Depth,
}

/// Counts the values and the depth of JSON while its bytes pass.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Shape {
    pub(crate) depth: usize,
    values: usize,
    in_text: bool,
    is_escaped: bool,
    found: Option<TooLarge>,
}

impl Shape {
    /// Looks at the next byte.
    pub(crate) fn see(&mut self, byte: u8) {
        match byte {
            _ if self.is_escaped => self.is_escaped = false,
            b'\\' if self.in_text => self.is_escaped = true,
            b'"' => self.in_text = !self.in_text,
            _ if self.in_text => {}
            b'[' | b'{' => {
                self.depth += 1;
                self.values += 1;
            }
            b']' | b'}' => self.depth = self.depth.saturating_sub(1),
            b',' => self.values += 1,
            _ => {}
        }
        if DEPTH_MAX < self.depth {
            self.found.get_or_insert(TooLarge::Depth);
        }
        if ROW_VALUES_MAX < self.values {
            self.found.get_or_insert(TooLarge::Values);
        }
    }

    /// Whether the next byte is part of a string.
    pub(crate) fn is_in_text(&self) -> bool {
        self.in_text
    }

    /// What is too large, if anything.
    pub(crate) fn fault(&self) -> Option<TooLarge> {
        self.found
    }

    /// Looks at a whole text.
    pub(crate) fn check(text: &[u8]) -> Result<(), TooLarge> {
        let mut shape = Shape::default();
        text.iter().for_each(|byte| shape.see(*byte));
        shape.found.map_or(Ok(()), Err)
    }
}

/// Parses JSON that is neither too deep nor too rich in values.
pub(crate) fn parse(text: &[u8]) -> Result<Value, String> {
    Shape::check(text).map_err(|error| error.to_string())?;
    serde_json::from_slice(text).map_err(|_| "it is not JSON".to_owned())
}

/// Reads lines of which none is held longer than [`ROW_BYTES_MAX`].
#[derive(Debug)]
pub(crate) struct Lines<R> {
    reader: BufReader<R>,
    line: Vec<u8>,
    number: usize,
}

impl<R: Read> Lines<R> {
    pub(crate) fn new(reader: R) -> Lines<R> {
        Lines {
            reader: BufReader::new(reader),
            line: Vec::new(),
            number: 0,
        }
    }

    /// Reads the next line without its end, and its number from 1. Of a line that is too long
    /// nothing is given.
    #[expect(clippy::type_complexity, reason = "a name for it would say less")]
    pub(crate) fn next(&mut self) -> io::Result<Option<(usize, Result<&[u8], TooLarge>)>> {
        self.line.clear();
        let (mut is_too_long, mut is_empty) = (false, true);
        loop {
            let piece = self.reader.fill_buf()?;
            if piece.is_empty() {
                break;
            }
            is_empty = false;
            let end = piece.iter().position(|byte| *byte == b'\n');
            let part = &piece[..end.unwrap_or(piece.len())];
            is_too_long |= ROW_BYTES_MAX < self.line.len() + part.len();
            if !is_too_long {
                self.line.extend_from_slice(part);
            }
            let consumed = part.len() + usize::from(end.is_some());
            self.reader.consume(consumed);
            if end.is_some() {
                break;
            }
        }
        if is_empty {
            return Ok(None);
        }
        self.number += 1;
        let line = match is_too_long {
            true => {
                // The room of a long line is not needed again.
                self.line = Vec::new();
                Err(TooLarge::Bytes)
            }
            false => Ok(self.line.strip_suffix(b"\r").unwrap_or(&self.line)),
        };
        Ok(Some((self.number, line)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_too_long_is_left_out_and_the_next_is_read() {
        let mut text = b"one\r\n".to_vec();
        text.extend(b"x".repeat(ROW_BYTES_MAX + 1));
        text.extend(b"\n\nlast");
        let mut lines = Lines::new(text.as_slice());
        assert_eq!(lines.next().unwrap(), Some((1, Ok(&b"one"[..]))));
        assert_eq!(lines.next().unwrap(), Some((2, Err(TooLarge::Bytes))));
        assert_eq!(lines.next().unwrap(), Some((3, Ok(&b""[..]))));
        assert_eq!(lines.next().unwrap(), Some((4, Ok(&b"last"[..]))));
        assert_eq!(lines.next().unwrap(), None);
    }

    #[test]
    fn brackets_in_texts_do_not_count() {
        assert_eq!(Shape::check(br#"{"a": "[[[[\"[[[", "b": [1, 2]}"#), Ok(()));
        let deep = b"[".repeat(DEPTH_MAX + 1);
        assert_eq!(Shape::check(&deep), Err(TooLarge::Depth));
        let rich = b"1,".repeat(ROW_VALUES_MAX + 1);
        assert_eq!(Shape::check(&rich), Err(TooLarge::Values));
        let text = format!("[\"{}\"]", "[,".repeat(ROW_VALUES_MAX));
        assert_eq!(Shape::check(text.as_bytes()), Ok(()));
    }
}
