//! Finds chunks of the documents that all users may search.

use std::sync::Arc;

use jiff::Timestamp;

use super::{Asked, Parts, Question, Reading, rank, rerank};
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
    // No time is asked about in what has none.
    let reading = Reading::of(query, ports.embedder.as_deref(), Timestamp::UNIX_EPOCH).await;
    let depth = rerank::depth(ports, limit);
    let look = |shelf: &KnowledgeShelf| on_shelf(shelf, &reading, depth);
    let found = ports.spaces.knowledge(&SpaceId::shared(), look).await?;
    Ok(rerank::second_look(ports, query, found, limit).await)
}

pub(super) fn on_shelf(shelf: &KnowledgeShelf, reading: &Reading, limit: usize) -> Vec<FoundChunk> {
    // No time is given: a manual is no better for having been read in yesterday.
    let asked = Asked {
        now_ms: i64::MAX,
        span: None,
        ..reading.asked(shelf.index().model())
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
