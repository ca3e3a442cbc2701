//! Documents to test with.

use recalld_memory::change::{Change, Effect};
use recalld_memory::id::DocumentId;
use recalld_memory::knowledge::{Chunk, KnowledgeDocument};

use crate::memory_changes::{at, change};

pub fn document_id(id: &str) -> DocumentId {
    DocumentId::new(id).unwrap()
}

/// A document with every field filled.
pub fn document(id: &str, chunks: u32) -> KnowledgeDocument {
    KnowledgeDocument {
        id: document_id(id),
        source: format!("guides/{id}.md"),
        title: Some(format!("Guide of {id}")),
        digest: "9f86d081".to_owned(),
        chunks,
        added_at: at(1),
        revised_at: at(2),
    }
}

/// Chunks of a document in the order of their texts.
pub fn chunks(of: &str, texts: &[&str]) -> Vec<Chunk> {
    let chunk = |(text, ordinal): (&&str, u32)| Chunk {
        document: document_id(of),
        ordinal,
        heading: Some("Guide > Tea".to_owned()),
        content: (*text).to_owned(),
    };
    texts.iter().zip(0..).map(chunk).collect()
}

pub fn take_in(id: &str, texts: &[&str]) -> Change {
    let document = document(id, texts.len() as u32);
    let chunks = chunks(id, texts);
    change(Effect::Document { document, chunks })
}

pub fn erase_document(id: &str) -> Change {
    change(Effect::EraseDocument { id: document_id(id) })
}
