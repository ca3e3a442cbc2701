//! The formats that documents come in.

use thiserror::Error;

use super::outline::{Reading, Section};
use super::{html, json, markdown, pdf};

/// How a document is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    Markdown,
    Text,
    Html,
    Json,
    JsonLines,
    Pdf,
}

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

impl Format {
    /// All formats.
    pub const ALL: [Format; 6] = [
        Format::Markdown,
        Format::Text,
        Format::Html,
        Format::Json,
        Format::JsonLines,
        Format::Pdf,
    ];

    /// Gives the format's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Format::Markdown => "markdown",
            Format::Text => "text",
            Format::Html => "html",
            Format::Json => "json",
            Format::JsonLines => "jsonl",
            Format::Pdf => "pdf",
        }
    }

    /// Reads a format's name.
    pub fn parse(raw: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.as_str() == raw)
    }

    /// Tells the format by the ending of a path or address; none when documents do not end like
    /// that.
    pub fn of_source(source: &str) -> Option<Format> {
        let path = source.split(['?', '#']).next().unwrap_or(source);
        let (_, ending) = path.rsplit(['/', '\\']).next()?.rsplit_once('.')?;
        match ending.to_ascii_lowercase().as_str() {
            "md" | "markdown" | "mdx" => Some(Format::Markdown),
            "txt" | "text" | "rst" | "adoc" => Some(Format::Text),
            "html" | "htm" | "xhtml" => Some(Format::Html),
            "json" => Some(Format::Json),
            "jsonl" | "ndjson" => Some(Format::JsonLines),
            "pdf" => Some(Format::Pdf),
            _ => None,
        }
    }

    pub(super) fn read(self, bytes: &[u8]) -> Result<Reading, ReadError> {
        match self {
            Format::Markdown => Ok(markdown::read(&decode(bytes)?, vec![])),
            Format::Text => Ok(Reading {
                title: None,
                sections: vec![Section {
                    heading: None,
                    text: decode(bytes)?,
                }],
            }),
            Format::Html => Ok(html::read(&decode(bytes)?)),
            Format::Json => json::read(&decode(bytes)?),
            Format::JsonLines => json::read_lines(&decode(bytes)?),
            Format::Pdf => pdf::read(bytes),
        }
    }
}

/// Reads bytes as text: UTF-8, or UTF-16 that says so.
fn decode(bytes: &[u8]) -> Result<String, ReadError> {
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

/// Takes out what no store keeps and no reader sees, and makes line ends the same everywhere.
pub(super) fn clean(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let keep = |c: &char| !c.is_control() || matches!(c, '\n' | '\t' | '\u{c}');
    text.chars().filter(keep).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_told_by_endings() {
        for (source, format) in [
            ("docs/A.MD", Some(Format::Markdown)),
            ("https://shop.example/faq.html?x=1.pdf#top", Some(Format::Html)),
            ("C:\\kb\\all.jsonl", Some(Format::JsonLines)),
            ("archive.tar.gz", None),
            ("v1.2/README", None),
            ("", None),
        ] {
            assert_eq!(Format::of_source(source), format, "{source}");
        }
    }

    #[test]
    fn text_is_decoded_and_cleaned() {
        assert_eq!(decode(b"\xef\xbb\xbfa\r\nb\0c").unwrap(), "a\nbc");
        assert_eq!(decode(b"\xff\xfea\0b\0").unwrap(), "ab");
        assert_eq!(decode(b"ab\xff").unwrap_err(), ReadError::Encoding { at: 2 });
    }
}
