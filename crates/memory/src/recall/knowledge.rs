//! Finds chunks of the documents that all users may search.

use std::sync::Arc;

use super::{Asked, Parts, QueryVector, Question, rank, read, rerank};
use crate::id::SpaceId;
use crate::knowledge::{Chunk, KnowledgeDocument};
use crate::ports::Ports;
use crate::space::{KnowledgeShelf, SpaceError};

/// A chunk that answers, and how well.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundChunk {
    pub document: Arc<KnowledgeDocument>,
    pub chunk: Arc<Chunk>,
    /// From 0 to 1.
    pub score: f32,
    /// What the score is made of.
    pub parts: Parts,
}

/// Finds the chunks of the knowledge base that answer `query`, the best first.
pub async fn search_knowledge(
    ports: &Ports,
    query: &str,
    limit: usize,
) -> Result<Vec<FoundChunk>, SpaceError> {
    let vector = QueryVector::of(ports.embedder.as_deref(), read(query)).await;
    let depth = rerank::depth(ports, limit);
    let look = |shelf: &KnowledgeShelf| on_shelf(shelf, query, vector.as_ref(), depth);
    let found = ports.spaces.knowledge(&SpaceId::shared(), look).await?;
    Ok(rerank::second_look(ports, query, found, limit).await)
}

pub(super) fn on_shelf(
    shelf: &KnowledgeShelf,
    query: &str,
    vector: Option<&QueryVector>,
    limit: usize,
) -> Vec<FoundChunk> {
    // No time is given: a manual is no better for having been read in yesterday.
    let asked = Asked {
        now_ms: i64::MAX,
        ..QueryVector::asked(read(query), vector, shelf.index().model())
    };
    let ranked = rank(shelf.index(), &asked, &|_| true, limit.min(Question::LIMIT_MAX));
    let found = ranked.into_iter().filter_map(|ranked| {
        let (document, chunk) = shelf.chunk(&ranked.id)?;
        Some(FoundChunk {
            document: Arc::clone(document),
            chunk: Arc::clone(chunk),
            score: ranked.score,
            parts: ranked.parts,
        })
    });
    found.collect()
}
