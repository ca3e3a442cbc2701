//! The knowledge base: documents that all users may search, in chunks.

mod chunking;
mod format;
mod html;
mod ingest;
mod json;
mod markdown;
mod outline;
mod pdf;

use jiff::Timestamp;

pub use format::{Format, ReadError};
pub use ingest::{IngestError, Ingested, Upload, erase, find, ingest, list, prune};

use crate::id::DocumentId;

/// A document that was taken in.
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
