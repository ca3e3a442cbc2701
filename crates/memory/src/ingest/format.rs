//! The formats that documents come in.

use super::decode::{ReadError, decode};
use super::outline::{ParsedDocument, Section};
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

    pub(super) fn read(self, bytes: &[u8]) -> Result<ParsedDocument, ReadError> {
        match self {
            Format::Markdown => Ok(markdown::read(&decode(bytes)?, vec![])),
            Format::Text => Ok(ParsedDocument {
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
}
