//! What a model makes of a question.

use std::time::Duration;

use recalld_index::model::EmbeddingModel;

use crate::ports::{Embedder, TextRole};
use crate::text_ranking::readable;

/// The vector of a question, and how far to trust it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct QueryVector {
    pub(super) model: EmbeddingModel,
    pub(super) components: Vec<f32>,
    pub(super) understanding: f32,
    pub(super) strength: f32,
    pub(super) likeness_min: f32,
}

/// A search waits no longer than this for a model; then words decide alone.
const WAIT_MS_MAX: u64 = 2_000;

impl QueryVector {
    /// Asks the model, and waits a little if it takes its time. None without a model, and when it
    /// does not answer.
    pub(super) async fn of(embedder: Option<&dyn Embedder>, text: &str) -> Option<QueryVector> {
        let embedder = embedder?;
        let text = readable(text);
        if embedder.answers_at_once() {
            return Self::now(Some(embedder), text);
        }
        let understanding = embedder.understanding(text);
        if understanding <= 0.0 || text.trim().is_empty() {
            return None;
        }
        let texts = [text];
        let answer = embedder.embed(&texts, TextRole::Query);
        let vectors = match tokio::time::timeout(Duration::from_millis(WAIT_MS_MAX), answer).await {
            Ok(Ok(vectors)) => vectors,
            Ok(Err(error)) => {
                tracing::warn!(%error, "the embedding model failed; answering by keyword search only");
                return None;
            }
            Err(_) => {
                let model = &embedder.model().name;
                tracing::warn!(%model, "the embedding model timed out; answering by keyword search only");
                return None;
            }
        };
        let components = vectors.into_iter().next()?;
        Some(Self::new(embedder, components, understanding))
    }

    /// The same of a model that answers at once.
    pub(super) fn now(embedder: Option<&dyn Embedder>, text: &str) -> Option<QueryVector> {
        let embedder = embedder?;
        let (components, understanding) = embedder.read_now(text)?;
        (0.0 < understanding).then(|| Self::new(embedder, components, understanding))
    }

    fn new(embedder: &dyn Embedder, components: Vec<f32>, understanding: f32) -> QueryVector {
        QueryVector {
            model: embedder.model().clone(),
            components,
            understanding,
            strength: embedder.strength(),
            likeness_min: embedder.likeness_min(),
        }
    }
}
