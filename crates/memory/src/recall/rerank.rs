//! The optional second look: a model that reads the question together with each of the best hits.

use std::sync::Arc;
use std::time::Duration;

use super::hit::{SCORE_FLOOR, numbered};
use super::item::ChunkOfDocument;
use super::{Hit, Question};
use crate::conversation::Message;
use crate::memory::Memory;
use crate::ports::Reranker;
use crate::text_ranking::readable;
use crate::wiring::Ports;

/// How many of the best answers are read again.
const DEPTH: usize = 30;

/// A search waits no longer than this for it; then the first ranking stands.
const PATIENCE: Duration = Duration::from_secs(2);

/// An item whose text a model can read again.
pub(super) trait Passage {
    fn text(&self) -> &str;
}

impl Passage for Arc<Memory> {
    fn text(&self) -> &str {
        self.content.as_str()
    }
}

impl Passage for Arc<Message> {
    fn text(&self) -> &str {
        self.content.as_str()
    }
}

impl Passage for ChunkOfDocument {
    fn text(&self) -> &str {
        &self.1.content
    }
}

/// How many answers the first ranking has to give when `limit` are wanted.
pub(super) fn depth(ports: &Ports, limit: usize) -> usize {
    let limit = limit.min(Question::LIMIT_MAX);
    match ports.reranker {
        Some(_) if 0 < limit => limit.max(DEPTH),
        _ => limit,
    }
}

/// Reads the best hits again, puts them in the new order, and keeps `limit`. A model that fails
/// changes nothing.
pub(super) async fn rerank<T: Passage>(
    ports: &Ports,
    question: &str,
    mut hits: Vec<Hit<T>>,
    limit: usize,
) -> Vec<Hit<T>> {
    if let Some(reranker) = ports.reranker.as_deref()
        && !hits.is_empty()
        && let Some(scores) = scores(reranker, readable(question), &hits).await
    {
        for (place, hit) in hits.iter_mut().enumerate() {
            let read = scores.get(place).copied();
            if let Some(parts) = &mut hit.parts {
                // What was not read again stays behind what was.
                parts.reranked = Some(read.unwrap_or(0.0));
                hit.score = parts.score();
            }
            hit.weak = read.map_or(hit.weak, |chance| chance < SCORE_FLOOR);
        }
        // Stable: equals stay as the first ranking had them.
        hits.sort_by(|a, b| b.score.total_cmp(&a.score));
    }
    numbered(hits, limit)
}

async fn scores<T: Passage>(reranker: &dyn Reranker, question: &str, hits: &[Hit<T>]) -> Option<Vec<f32>> {
    let passages: Vec<&str> = hits.iter().take(DEPTH).map(|hit| hit.item.text()).collect();
    let name = reranker.name();
    match tokio::time::timeout(PATIENCE, reranker.rerank(question, &passages)).await {
        Ok(Ok(scores)) if scores.len() == passages.len() && scores.iter().all(|score| score.is_finite()) => {
            Some(scores.into_iter().map(|score| score.clamp(0.0, 1.0)).collect())
        }
        Ok(Ok(_)) => {
            tracing::warn!(%name, "the reranking model gave an unusable answer; using the first ranking");
            None
        }
        Ok(Err(error)) => {
            tracing::warn!(%error, "the reranking model failed; using the first ranking");
            None
        }
        Err(_) => {
            tracing::warn!(%name, "the reranking model timed out; using the first ranking");
            None
        }
    }
}
