//! Finds chunks of the documents that all users may search.

use std::sync::Arc;

use super::{Question, read};
use crate::id::SpaceId;
use crate::knowledge::{Chunk, KnowledgeDocument};
use crate::ports::Ports;
use crate::space::{KnowledgeShelf, SpaceError};

/// A chunk that answers, and how well.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundChunk {
    pub document: Arc<KnowledgeDocument>,
    pub chunk: Arc<Chunk>,
    pub score: f32,
}

/// Finds the chunks of the knowledge base that answer `query`, the best first.
pub async fn search_knowledge(
    ports: &Ports,
    query: &str,
    limit: usize,
) -> Result<Vec<FoundChunk>, SpaceError> {
    let look = |shelf: &KnowledgeShelf| on_shelf(shelf, query, limit);
    ports.spaces.knowledge(&SpaceId::shared(), look).await
}

pub(super) fn on_shelf(shelf: &KnowledgeShelf, query: &str, limit: usize) -> Vec<FoundChunk> {
    let limit = limit.min(Question::LIMIT_MAX);
    let hits = shelf.index().search(read(query), &|_| true, limit);
    let found = hits.into_iter().filter_map(|hit| {
        let (document, chunk) = shelf.chunk(&hit.id)?;
        Some(FoundChunk {
            document: Arc::clone(document),
            chunk: Arc::clone(chunk),
            score: hit.score,
        })
    });
    found.collect()
}
