//! The port for models that turn text into vectors.

use std::fmt::Debug;
use std::time::Duration;

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

/// What a model makes of a question.
#[derive(Clone, Debug, PartialEq)]
pub struct QuestionVector {
    /// What finished vectors are compared with.
    pub components: Vec<f32>,
    /// What those of [`Embedder::provisional`] are compared with.
    pub provisional: Option<Vec<f32>>,
    /// What the cosine with a finished vector is multiplied by.
    pub gain: f32,
    /// How much of the question the model understands, from 0 to 1.
    pub understanding: f32,
}

impl QuestionVector {
    /// A vector of one part.
    pub fn plain(components: Vec<f32>, understanding: f32) -> QuestionVector {
        QuestionVector {
            components,
            provisional: None,
            gain: 1.0,
            understanding,
        }
    }
}

/// A search waits no longer than this for a model that may be far away; then words decide alone.
const QUESTION_PATIENCE: Duration = Duration::from_secs(2);

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

    /// Embeds one text of which a finished vector will come later, so that it is found by its
    /// meaning meanwhile. It is compared with [`QuestionVector::provisional`] alone.
    fn provisional(&self, text: &str) -> Option<Vec<f32>> {
        let _ = text;
        None
    }

    /// Puts what stands for a turn and its neighbours in place of the part of a finished vector
    /// that is made at once.
    fn with_provisional(&self, finished: Vec<f32>, provisional: &[f32]) -> Vec<f32> {
        let _ = provisional;
        finished
    }

    /// Embeds a question at once, and tells how much of it is understood. None from a model that
    /// takes its time.
    fn read_now(&self, question: &str) -> Option<QuestionVector> {
        let vector = self.embed_now(question, TextRole::Query)?;
        Some(QuestionVector::plain(vector, self.understanding(question)))
    }

    /// Embeds a question off the asynchronous threads, and tells how much of it is understood.
    async fn read(&self, question: &str) -> Result<QuestionVector, EmbedError> {
        let understanding = self.understanding(question);
        let vector = match understanding <= 0.0 || question.trim().is_empty() {
            true => None,
            false => self.embed(&[question], TextRole::Query).await?.pop(),
        };
        Ok(QuestionVector::plain(vector.unwrap_or_default(), understanding))
    }

    /// How long a search waits for [`Embedder::read`]. None: until it is there, so that the same
    /// question has the same answer however busy the machine is.
    fn question_patience(&self) -> Option<Duration> {
        Some(QUESTION_PATIENCE)
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
