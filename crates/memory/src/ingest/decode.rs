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

/// Takes out what no store accepts and no reader sees, and makes line ends the same everywhere.
pub(super) fn clean(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let keep = |c: &char| !c.is_control() || matches!(c, '\n' | '\t' | '\u{c}');
    text.chars().filter(keep).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_decoded_and_cleaned() {
        assert_eq!(decode(b"\xef\xbb\xbfa\r\nb\0c").unwrap(), "a\nbc");
        assert_eq!(decode(b"\xff\xfea\0b\0").unwrap(), "ab");
        assert_eq!(decode(b"ab\xff").unwrap_err(), ReadError::Encoding { at: 2 });
    }
}
