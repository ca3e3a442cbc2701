//! The vectors of a model that answers at once, kept for others who read the same database. Whoever
//! searches here makes them again; so they are written with what they stand for, and never waited
//! for.

use std::collections::HashSet;

use super::step::{EmbeddingError, keep};
use crate::change::{Change, Effect, Revision};
use crate::id::SpaceId;
use crate::knowledge::{Chunk, KnowledgeDocument};
use crate::memory::Memory;
use crate::ports::{Embedder, Ports, TextRole};
use crate::settings::KeptVectors;
use crate::space::passage;
use crate::vector::{Vector, VectorKind, VectorSubject};

/// How many vectors one write keeps at the most.
const BATCH: usize = 500;

/// Adds to `changes` the vectors of what they put.
pub(crate) fn add_vectors(embedder: &dyn Embedder, changes: &mut Vec<Change>) {
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

/// Keeps the vectors that a space lacks, because it was written to before any were kept. Gives how
/// many.
pub async fn backfill(ports: &Ports, space: &SpaceId) -> Result<usize, EmbeddingError> {
    let model = ports.embedder.as_deref().filter(|model| model.answers_at_once());
    let Some(embedder) = model.filter(|_| ports.settings.kept_vectors == KeptVectors::All) else {
        return Ok(0);
    };
    let look = |view: &crate::space::SpaceView| {
        let active = view.memories().filter(|memory| memory.is_active());
        active.filter_map(|memory| of_memory(embedder, memory)).collect()
    };
    let mut wanted: Vec<Vector> = ports.spaces.read(space, look).await?;
    let look = |shelf: &crate::space::KnowledgeShelf| {
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

fn of_memory(embedder: &dyn Embedder, memory: &Memory) -> Option<Vector> {
    of(
        embedder,
        VectorSubject::Memory(memory.id),
        memory.content.as_str(),
    )
}

fn of_chunks(embedder: &dyn Embedder, document: &KnowledgeDocument, chunks: &[Chunk]) -> Vec<Vector> {
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
