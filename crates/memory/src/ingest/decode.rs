//! Turns the bytes of a document into clean text, and names what is wrong with a document.

use thiserror::Error;

/// Why a document cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ReadError {
    /// Not text at all.
    #[error("the document is not UTF-8 text: byte {at} cannot be read")]
    Encoding { at: usize },
    /// Not JSON.
    #[error("the document is not JSON: {reason}")]
    Json { reason: String },
    /// JSON, but not an item of a knowledge base.
    #[error("{place} has neither \"content\" nor \"text\"")]
    Item { place: String },
    /// JSON that would take too much memory.
    #[error("the document is {what}, over the limit of {limit}")]
    TooRich { what: &'static str, limit: usize },
    /// Not a PDF that can be read.
    #[error("the PDF cannot be read: {reason}")]
    Pdf { reason: String },
}

/// Reads bytes as text: UTF-8, or UTF-16 that says so.
pub(super) fn decode(bytes: &[u8]) -> Result<String, ReadError> {
    let wide = |bytes: &[u8], unit: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = bytes
            .chunks_exact(2)
            .map(|pair| unit([pair[0], pair[1]]))
            .collect();
        String::from_utf16_lossy(&units)
    };
    let text = match bytes {
        [0xff, 0xfe, rest @ ..] => wide(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => wide(rest, u16::from_be_bytes),
        [0xef, 0xbb, 0xbf, rest @ ..] | rest => match std::str::from_utf8(rest) {
            Ok(text) => text.to_owned(),
            Err(error) => {
                return Err(ReadError::Encoding {
                    at: error.valid_up_to(),
                });
            }
        },
    };
    Ok(clean(&text))
}

/// Removes what no store holds and no reader sees, and makes line ends the same everywhere.
pub(super) fn clean(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut is_after_return = false;
    for c in text.chars() {
        let is_second_half = c == '\n' && is_after_return;
        is_after_return = c == '\r';
        match c {
            '\n' if is_second_half => {}
            '\r' => clean.push('\n'),
            '\n' | '\t' | '\u{c}' => clean.push(c),
            c if c.is_control() => {}
            c => clean.push(c),
        }
    }
    clean
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_decoded_and_cleaned() {
        assert_eq!(decode(b"\xef\xbb\xbfa\r\nb\0c").unwrap(), "a\nbc");
        assert_eq!(decode(b"a\r\r\nb\n\nc\r").unwrap(), "a\n\nb\n\nc\n");
        assert_eq!(decode(b"\xff\xfea\0b\0").unwrap(), "ab");
        assert_eq!(decode(b"ab\xff").unwrap_err(), ReadError::Encoding { at: 2 });
    }
}
