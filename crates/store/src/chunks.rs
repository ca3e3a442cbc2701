//! Joins chunks with the documents they belong to.

use std::collections::HashMap;

use recalld_memory::id::DocumentId;
use recalld_memory::knowledge::{Chunk, KnowledgeDocument};

/// Returns each document with its chunks, in the order in which they were read.
pub(crate) fn with_chunks(
    documents: Vec<KnowledgeDocument>,
    chunks: Vec<Chunk>,
) -> Vec<(KnowledgeDocument, Vec<Chunk>)> {
    let mut by_document: HashMap<DocumentId, Vec<Chunk>> = HashMap::new();
    for chunk in chunks {
        by_document.entry(chunk.document.clone()).or_default().push(chunk);
    }
    let mut chunks_of = |id: &DocumentId| by_document.remove(id).unwrap_or_default();
    documents
        .into_iter()
        .map(|document| {
            let chunks = chunks_of(&document.id);
            (document, chunks)
        })
        .collect()
}
