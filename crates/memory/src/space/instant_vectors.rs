//! Vectors of a model that answers at once, made while a write is decided.

use super::knowledge_index::passage;
use crate::change::{Change, Effect};
use crate::knowledge::{Chunk, KnowledgeDocument};
use crate::memory::Memory;
use crate::ports::{Embedder, TextRole};
use crate::vector::{Vector, VectorSubject};

/// Adds to `changes` the vectors of what they put.
pub(super) fn add_vectors(embedder: &dyn Embedder, changes: &mut Vec<Change>) {
    let mut vectors = Vec::new();
    for change in changes.iter() {
        let made = match &change.effect {
            Effect::Memory { memory, .. } if memory.is_active() => {
                of_memory(embedder, memory).into_iter().collect()
            }
            Effect::Document { document, chunks } => of_chunks(embedder, document, chunks),
            _ => Vec::new(),
        };
        vectors.extend(made.into_iter().map(|vector| Change {
            stamp: change.stamp.clone(),
            effect: Effect::Vector(vector),
        }));
    }
    changes.extend(vectors);
}

pub(crate) fn of_memory(embedder: &dyn Embedder, memory: &Memory) -> Option<Vector> {
    of(
        embedder,
        VectorSubject::Memory(memory.id),
        memory.content.as_str(),
    )
}

pub(crate) fn of_chunks(
    embedder: &dyn Embedder,
    document: &KnowledgeDocument,
    chunks: &[Chunk],
) -> Vec<Vector> {
    let made = chunks.iter().filter_map(|chunk| {
        let subject = VectorSubject::Chunk(document.id.clone(), chunk.ordinal);
        of(embedder, subject, &passage(document, chunk))
    });
    made.collect()
}

/// None of a text that the model can say nothing about: without direction it can be compared to
/// nothing.
fn of(embedder: &dyn Embedder, subject: VectorSubject, text: &str) -> Option<Vector> {
    let components = embedder.embed_now(text, TextRole::Passage)?;
    components.iter().any(|c| *c != 0.0).then(|| Vector {
        subject,
        model: embedder.model().clone(),
        text_digest: Vector::digest_of(text),
        components,
    })
}
