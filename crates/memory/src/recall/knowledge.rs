//! Finds chunks of the documents that all users may search.

use std::sync::Arc;

use jiff::Timestamp;
use recalld_index::rank::{RankQuery, rank};

use super::hit::numbered;
use super::{Hit, Question, Reading, rerank};
use crate::id::SpaceId;
use crate::knowledge::{Chunk, KnowledgeDocument};
use crate::space::{KnowledgeIndex, SpaceError};
use crate::wiring::Ports;

/// A chunk and the document it belongs to.
pub(super) type ChunkOfDocument = (Arc<KnowledgeDocument>, Arc<Chunk>);

/// Finds the chunks of the knowledge base that answer, the best first.
pub async fn search_knowledge(
    ports: &Ports,
    question: &Question,
) -> Result<Vec<Hit<ChunkOfDocument>>, SpaceError> {
    // A document has no time of its own to ask about.
    let reading = Reading::of(&question.text, ports.embedder.as_deref(), Timestamp::UNIX_EPOCH).await;
    let depth = rerank::depth(ports, question.limit);
    let look = |documents: &KnowledgeIndex| answers(documents, &reading, depth);
    let hits = ports.spaces.knowledge(&SpaceId::shared(), look).await?;
    Ok(rerank::second_look(ports, &question.text, hits, question.limit).await)
}

/// Ranks chunks for a question that was read already.
pub(super) fn answers(
    documents: &KnowledgeIndex,
    reading: &Reading,
    limit: usize,
) -> Vec<Hit<ChunkOfDocument>> {
    // No time is given: a manual is no better for having been read in yesterday.
    let query = RankQuery {
        now_ms: i64::MAX,
        span: None,
        ..reading.query(documents.index().model())
    };
    let ranked = rank(
        documents.index(),
        &query,
        &|_| true,
        limit.min(Question::LIMIT_MAX),
    );
    let hits = ranked.into_iter().filter_map(|ranked| {
        let (document, chunk) = documents.chunk(&ranked.id)?;
        Some(Hit {
            item: (Arc::clone(document), Arc::clone(chunk)),
            score: ranked.score,
            parts: Some(ranked.parts),
            rank: 0,
        })
    });
    numbered(hits.collect(), limit)
}
