//! Finds chunks of the documents that all users may search.

use std::sync::Arc;

use jiff::Timestamp;
use recalld_index::rank::{RankQuery, rank};

use super::hit::numbered;
use super::item::ChunkOfDocument;
use super::memories::is_weak;
use super::{Hit, PreparedQuery, Question, rerank};
use crate::id::SpaceId;
use crate::space::{KnowledgeIndex, SpaceError};
use crate::wiring::Ports;

/// Finds the chunks of the knowledge base that answer, the best first.
pub async fn search_knowledge(
    ports: &Ports,
    question: &Question,
) -> Result<Vec<Hit<ChunkOfDocument>>, SpaceError> {
    // A document has no time of its own to ask about.
    let query = PreparedQuery::of(&question.text, ports.embedder.as_deref(), Timestamp::UNIX_EPOCH).await;
    let depth = rerank::depth(ports, question.limit);
    let look = |documents: &KnowledgeIndex| answers(documents, &query, depth);
    let hits = ports.spaces.knowledge(&SpaceId::shared(), look).await?;
    Ok(rerank::rerank(ports, &question.text, hits, question.limit).await)
}

/// Ranks chunks for a question that was read already.
pub(super) fn answers(
    documents: &KnowledgeIndex,
    query: &PreparedQuery,
    limit: usize,
) -> Vec<Hit<ChunkOfDocument>> {
    // No time is given: a manual is no better for having been read in yesterday.
    let query = RankQuery {
        now_ms: i64::MAX,
        span: None,
        ..query.query(documents.index().model())
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
            weak: is_weak(&ranked, query.likeness_min),
            score: ranked.score,
            parts: Some(ranked.parts),
            rank: 0,
            validity: None,
        })
    });
    numbered(hits.collect(), limit)
}
