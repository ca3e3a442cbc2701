//! The port for models that judge how well a passage answers a question.

use std::fmt::Debug;

use async_trait::async_trait;
use thiserror::Error;

/// Why passages could not be judged. The ranking then stays as it was.
#[derive(Debug, Error)]
pub enum RerankError {
    /// The model did not answer.
    #[error("the reranking model {model} cannot be reached: {reason}")]
    Unavailable { model: String, reason: String },
    /// The model answered with something that is not a usable score.
    #[error("the reranking model {model} gave an unusable answer: {reason}")]
    BadAnswer { model: String, reason: String },
}

/// Judges passages by reading each of them together with the question.
#[async_trait]
pub trait Reranker: Debug + Send + Sync {
    /// Names the model.
    fn name(&self) -> &str;

    /// Scores `passages`: one number from 0 (unrelated) to 1 (answers it) for each, in the same
    /// order.
    async fn rerank(&self, query: &str, passages: &[&str]) -> Result<Vec<f32>, RerankError>;
}
