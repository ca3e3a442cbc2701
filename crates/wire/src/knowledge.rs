//! The knowledge base.

use recalld_memory::knowledge;
use serde::Serialize;
use utoipa::ToSchema;

/// A document of the knowledge base.
#[derive(Debug, Serialize, ToSchema)]
pub struct KnowledgeDocument {
    id: String,
    /// Where it came from. One document a source.
    source: String,
    title: Option<String>,
    /// How many chunks it was cut into.
    chunks: u32,
    added_at: String,
    revised_at: String,
}

impl From<&knowledge::KnowledgeDocument> for KnowledgeDocument {
    fn from(document: &knowledge::KnowledgeDocument) -> KnowledgeDocument {
        KnowledgeDocument {
            id: document.id.to_string(),
            source: document.source.clone(),
            title: document.title.clone(),
            chunks: document.chunks,
            added_at: document.added_at.to_string(),
            revised_at: document.revised_at.to_string(),
        }
    }
}

/// Some documents, and where to go on.
#[derive(Debug, Serialize, ToSchema)]
pub struct KnowledgePage {
    pub documents: Vec<KnowledgeDocument>,
    /// Give it as `after` to read on; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_page: Option<String>,
}

/// A document with its text.
#[derive(Debug, Serialize, ToSchema)]
pub struct KnowledgeText {
    document: KnowledgeDocument,
    chunks: Vec<KnowledgeChunk>,
}

/// A piece of a document.
#[derive(Debug, Serialize, ToSchema)]
struct KnowledgeChunk {
    /// Its place in the document, from 0.
    ordinal: u32,
    /// The headings above it.
    heading: Option<String>,
    content: String,
}

impl KnowledgeText {
    /// Shows `document` with `chunks`.
    pub fn new<'c>(
        document: &knowledge::KnowledgeDocument,
        chunks: impl IntoIterator<Item = &'c knowledge::Chunk>,
    ) -> KnowledgeText {
        let chunk = |chunk: &knowledge::Chunk| KnowledgeChunk {
            ordinal: chunk.ordinal,
            heading: chunk.heading.clone(),
            content: chunk.content.clone(),
        };
        KnowledgeText {
            document: document.into(),
            chunks: chunks.into_iter().map(chunk).collect(),
        }
    }
}

/// A piece of a document that matches a question.
#[derive(Debug, Serialize, ToSchema)]
pub struct FoundChunk {
    /// The document's id.
    document: String,
    source: String,
    title: Option<String>,
    heading: Option<String>,
    content: String,
    /// Its place in the document, from 0.
    ordinal: u32,
    score: f32,
}

impl FoundChunk {
    /// Shows `chunk` of `document` with its score.
    pub fn new(document: &knowledge::KnowledgeDocument, chunk: &knowledge::Chunk, score: f32) -> FoundChunk {
        FoundChunk {
            document: document.id.to_string(),
            source: document.source.clone(),
            title: document.title.clone(),
            heading: chunk.heading.clone(),
            content: chunk.content.clone(),
            ordinal: chunk.ordinal,
            score,
        }
    }
}
