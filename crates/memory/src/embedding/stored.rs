//! The vectors of a model that answers at once, stored for others who read the same database.
//! Whoever searches here makes them again; so they are written with what they stand for, and never
//! waited for.

use std::collections::HashSet;

use super::step::{EmbeddingError, keep};
use crate::change::Revision;
use crate::id::SpaceId;
use crate::knowledge::Chunk;
use crate::settings::StoredVectors;
use crate::space::{of_chunks, of_memory};
use crate::vector::{Vector, VectorKind};
use crate::wiring::Ports;

/// The most vectors of one write.
const BATCH: usize = 500;

/// Keeps the vectors that a space lacks, because it was written to before any were stored. Gives
/// how many.
pub async fn backfill(ports: &Ports, space: &SpaceId) -> Result<usize, EmbeddingError> {
    let model = ports.embedder.as_deref().filter(|model| model.answers_at_once());
    let Some(embedder) = model.filter(|_| ports.settings.stored_vectors == StoredVectors::All) else {
        return Ok(0);
    };
    let look = |view: &crate::space::SpaceView| {
        let active = view.memories().filter(|memory| memory.is_active());
        active.filter_map(|memory| of_memory(embedder, memory)).collect()
    };
    let mut wanted: Vec<Vector> = ports.spaces.read(space, look).await?;
    let look = |shelf: &crate::space::KnowledgeIndex| {
        let documents: Vec<_> = shelf
            .documents_after(None)
            .map(|document| document.id.clone())
            .collect();
        let shelved = documents.iter().filter_map(|id| shelf.document(id));
        let made = shelved.flat_map(|(document, chunks)| {
            let chunks: Vec<Chunk> = chunks.iter().map(|chunk| Chunk::clone(chunk)).collect();
            of_chunks(embedder, document, &chunks)
        });
        made.collect::<Vec<Vector>>()
    };
    wanted.extend(ports.spaces.knowledge(space, look).await?);
    let mut kept = HashSet::new();
    for kind in [VectorKind::Memory, VectorKind::Chunk] {
        let store = &ports.store;
        let found = store
            .vectors_since(space, embedder.model(), kind, Revision(0))
            .await;
        let found = found.map_err(crate::space::SpaceError::from)?;
        kept.extend(
            found
                .into_iter()
                .map(|vector| (vector.subject, vector.text_digest)),
        );
    }
    wanted.retain(|vector| !kept.contains(&(vector.subject.clone(), vector.text_digest)));
    for batch in wanted.chunks(BATCH) {
        keep(ports, space, batch.to_vec()).await?;
    }
    Ok(wanted.len())
}
