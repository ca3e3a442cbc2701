//! The port for models that turn text into vectors.

use std::fmt::Debug;

use async_trait::async_trait;
use recalld_index::model::EmbeddingModel;
use thiserror::Error;

/// What a text is used for. Some models (E5 and its kin) embed questions and passages differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TextRole {
    /// Something that is stored and may be found.
    Passage,
    /// Something that is asked.
    Query,
}

/// Why a text could not be embedded. None of these may fail a write: it is embedded later.
#[derive(Debug, Error)]
pub enum EmbedError {
    /// The model did not answer in time, or could not be reached.
    #[error("the embedding model {model} cannot be reached: {reason}")]
    Unavailable { model: String, reason: String },
    /// The model answered with something that is not a usable vector.
    #[error("the embedding model {model} gave an unusable answer: {reason}")]
    BadAnswer { model: String, reason: String },
}

/// Turns texts into unit vectors.
#[async_trait]
pub trait Embedder: Debug + Send + Sync {
    /// Names the model whose vectors this gives.
    fn model(&self) -> &EmbeddingModel;

    /// Embeds `texts`: one finite vector of unit length for each (or all zeros for a text the model
    /// can say nothing about), in the same order, each of the model's dimension.
    async fn embed(&self, texts: &[&str], role: TextRole) -> Result<Vec<Vec<f32>>, EmbedError>;

    /// Embeds one text at once, if the model costs microseconds. Search does not read such vectors
    /// from a store: they are made again when needed.
    fn embed_now(&self, text: &str, role: TextRole) -> Option<Vec<f32>> {
        let _ = (text, role);
        None
    }

    /// Tells whether [`Embedder::embed_now`] answers. What other models make is stored, and made in
    /// the background.
    fn answers_at_once(&self) -> bool {
        false
    }

    /// Tells how much of `text` the model understands, from 0 (a script it never saw) to 1. What a
    /// model does not know must not vote in the ranking.
    fn understanding(&self, text: &str) -> f32 {
        let _ = text;
        1.0
    }

    /// Embeds a question at once, as [`Embedder::embed_now`] does, and tells how much of it is
    /// understood.
    fn read_now(&self, question: &str) -> Option<(Vec<f32>, f32)> {
        let vector = self.embed_now(question, TextRole::Query)?;
        Some((vector, self.understanding(question)))
    }

    /// How much its word counts in the ranking: 1 for a table of word vectors, more for a model
    /// that reads whole sentences (measured).
    fn strength(&self) -> f32 {
        1.4
    }

    /// The cosine that texts which have nothing to do with each other seldom reach. What is not
    /// nearer is not found by meaning alone.
    fn likeness_min(&self) -> f32 {
        0.2
    }
}
