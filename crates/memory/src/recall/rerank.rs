//! The optional second look: a model that reads the question together with each of the best
//! answers.

use std::time::Duration;

use super::rank::Parts;
use super::{Found, FoundChunk, FoundMessage, Question, read};
use crate::ports::{Ports, Reranker};

/// How many of the best answers are read again.
const DEPTH: usize = 30;

/// How much the second look counts beside the first.
pub const WEIGHT: f32 = 0.7;

/// A search waits no longer than this for it; then the first ranking stands.
const PATIENCE: Duration = Duration::from_secs(2);

/// An answer that can be read again.
pub(super) trait Answer {
    fn text(&self) -> &str;
    fn score(&self) -> f32;
    fn score_and_parts(&mut self) -> (&mut f32, &mut Parts);
}

impl Answer for Found {
    fn text(&self) -> &str {
        self.memory.content.as_str()
    }

    fn score(&self) -> f32 {
        self.score
    }

    fn score_and_parts(&mut self) -> (&mut f32, &mut Parts) {
        (&mut self.score, &mut self.parts)
    }
}

impl Answer for FoundMessage {
    fn text(&self) -> &str {
        self.message.content.as_str()
    }

    fn score(&self) -> f32 {
        self.score
    }

    fn score_and_parts(&mut self) -> (&mut f32, &mut Parts) {
        (&mut self.score, &mut self.parts)
    }
}

impl Answer for FoundChunk {
    fn text(&self) -> &str {
        &self.chunk.content
    }

    fn score(&self) -> f32 {
        self.score
    }

    fn score_and_parts(&mut self) -> (&mut f32, &mut Parts) {
        (&mut self.score, &mut self.parts)
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

/// Reads the best answers again, puts them in the new order, and keeps `limit`. A model that fails
/// changes nothing.
pub(super) async fn second_look<A: Answer>(
    ports: &Ports,
    query: &str,
    mut answers: Vec<A>,
    limit: usize,
) -> Vec<A> {
    if let Some(reranker) = ports.reranker.as_deref()
        && !answers.is_empty()
        && let Some(scores) = judged(reranker, read(query), &answers).await
    {
        for (place, answer) in answers.iter_mut().enumerate() {
            let (score, parts) = answer.score_and_parts();
            // What was not read again stays behind what was.
            parts.reranked = Some(scores.get(place).copied().unwrap_or(0.0));
            *score = parts.score();
        }
        // Stable: equals stay as the first ranking had them.
        answers.sort_by(|a, b| b.score().total_cmp(&a.score()));
    }
    answers.truncate(limit);
    answers
}

async fn judged<A: Answer>(reranker: &dyn Reranker, query: &str, answers: &[A]) -> Option<Vec<f32>> {
    let passages: Vec<&str> = answers.iter().take(DEPTH).map(Answer::text).collect();
    let name = reranker.name();
    match tokio::time::timeout(PATIENCE, reranker.rerank(query, &passages)).await {
        Ok(Ok(scores)) if scores.len() == passages.len() && scores.iter().all(|score| score.is_finite()) => {
            Some(scores.into_iter().map(|score| score.clamp(0.0, 1.0)).collect())
        }
        Ok(Ok(_)) => {
            tracing::warn!(%name, "the reranking model gave an unusable answer; the first ranking stands");
            None
        }
        Ok(Err(error)) => {
            tracing::warn!(%error, "the first ranking stands");
            None
        }
        Err(_) => {
            tracing::warn!(%name, "the reranking model is late; the first ranking stands");
            None
        }
    }
}
