//! Documents that users may search, and the chunks they are made of.

use jiff::Timestamp;

use crate::id::DocumentId;

/// A document of the knowledge base.
#[derive(Clone, Debug, PartialEq)]
pub struct KnowledgeDocument {
    pub id: DocumentId,
    /// Where it came from: a path or an address. One document a source.
    pub source: String,
    pub title: Option<String>,
    /// A digest of what was read; the same digest again means that nothing has to be done.
    pub digest: String,
    pub chunks: u32,
    pub added_at: Timestamp,
    pub revised_at: Timestamp,
}

/// A piece of a document that can be found.
#[derive(Clone, Debug, PartialEq)]
pub struct Chunk {
    pub document: DocumentId,
    /// Its place in the document, from 0.
    pub ordinal: u32,
    /// The headings above it, the outermost first, joined by ` > `.
    pub heading: Option<String>,
    pub content: String,
}
