//! What a model makes of a question.

use recalld_index::index::AskedVector;
use recalld_index::model::EmbeddingModel;

use crate::ports::{EmbedError, Embedder, QuestionVector};
use crate::text_ranking::readable;

/// The vector of a question, and how far to trust it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct QueryVector {
    pub(super) model: EmbeddingModel,
    asked: QuestionVector,
    pub(super) strength: f32,
    pub(super) likeness_min: f32,
}

impl QueryVector {
    /// Asks the model, and waits a little if it takes its time. None without a model, and when it
    /// does not answer.
    pub(super) async fn of(embedder: Option<&dyn Embedder>, text: &str) -> Option<QueryVector> {
        let embedder = embedder?;
        let text = readable(text);
        if embedder.answers_at_once() {
            return Self::now(Some(embedder), text);
        }
        match answer(embedder, text).await {
            Some(Ok(asked)) => Self::new(embedder, asked),
            Some(Err(error)) => {
                tracing::warn!(%error, "the embedding model failed; answering by keyword search only");
                None
            }
            None => {
                let model = &embedder.model().name;
                tracing::warn!(%model, "the embedding model timed out; answering by keyword search only");
                None
            }
        }
    }

    /// The same, however long it takes.
    pub(super) async fn patient(
        embedder: &dyn Embedder,
        text: &str,
    ) -> Result<Option<QueryVector>, EmbedError> {
        if embedder.answers_at_once() {
            return Ok(Self::now(Some(embedder), text));
        }
        Ok(Self::new(embedder, embedder.read(text).await?))
    }

    /// The same of a model that answers at once.
    pub(super) fn now(embedder: Option<&dyn Embedder>, text: &str) -> Option<QueryVector> {
        let embedder = embedder?;
        Self::new(embedder, embedder.read_now(text)?)
    }

    /// None of what the model does not understand.
    fn new(embedder: &dyn Embedder, asked: QuestionVector) -> Option<QueryVector> {
        (0.0 < asked.understanding).then(|| QueryVector {
            model: embedder.model().clone(),
            asked,
            strength: embedder.strength(),
            likeness_min: embedder.likeness_min(),
        })
    }

    pub(super) fn understanding(&self) -> f32 {
        self.asked.understanding
    }

    pub(super) fn asked(&self) -> AskedVector<'_> {
        AskedVector {
            components: &self.asked.components,
            provisional: self.asked.provisional.as_deref(),
            gain: self.asked.gain,
        }
    }
}

/// What the model answers; none if it takes too long.
async fn answer(embedder: &dyn Embedder, text: &str) -> Option<Result<QuestionVector, EmbedError>> {
    match embedder.question_patience() {
        None => Some(embedder.read(text).await),
        Some(patience) => tokio::time::timeout(patience, embedder.read(text)).await.ok(),
    }
}
