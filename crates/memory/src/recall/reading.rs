//! What is made of a question once, however many indexes it is put to.

use jiff::Timestamp;

use super::rank::Asked;
use super::read;
use super::vector::QueryVector;
use super::when::Span;
use crate::ports::{Embedder, EmbeddingModel};
use crate::text::{Term, read_query};

/// A question as it was read.
#[derive(Clone, Debug)]
pub struct Reading {
    terms: Vec<Term>,
    span: Option<Span>,
    now_ms: i64,
    is_about_the_assistant: bool,
    vector: Option<QueryVector>,
    with_places: bool,
}

impl Reading {
    /// Reads a question that is asked at `now`, and waits a little for a model that takes its time.
    pub async fn of(text: &str, embedder: Option<&dyn Embedder>, now: Timestamp) -> Reading {
        let vector = QueryVector::of(embedder, read(text)).await;
        Reading::with(read(text), vector, now)
    }

    /// The same at once. A model that takes its time is not asked.
    pub fn at_once(text: &str, embedder: Option<&dyn Embedder>, now: Timestamp) -> Reading {
        let vector = QueryVector::now(embedder, read(text));
        Reading::with(read(text), vector, now)
    }

    fn with(text: &str, vector: Option<QueryVector>, now: Timestamp) -> Reading {
        let (terms, dates) = read_query(text);
        let lower = text.to_lowercase();
        Reading {
            terms,
            span: Span::named_in(text, &lower, &dates, now),
            now_ms: now.as_millisecond(),
            is_about_the_assistant: is_about_the_assistant(text, &lower),
            vector,
            with_places: false,
        }
    }

    /// Asks for each arm's own order, too, to explain a ranking.
    pub fn with_places(self) -> Reading {
        Reading {
            with_places: true,
            ..self
        }
    }

    /// Gives the terms to look for.
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// Puts the question to an index that has vectors of `model`. A vector of another model is not
    /// used.
    pub fn asked(&self, model: Option<&EmbeddingModel>) -> Asked<'_> {
        let vector = self.vector.as_ref().filter(|vector| Some(&vector.model) == model);
        Asked {
            terms: &self.terms,
            vector: vector.map(|vector| vector.components.as_slice()),
            understanding: vector.map_or(0.0, |vector| vector.understanding),
            strength: vector.map_or(0.0, |vector| vector.strength),
            likeness_min: vector.map_or(0.0, |vector| vector.likeness_min),
            now_ms: self.now_ms,
            span: self.span,
            is_about_the_assistant: self.is_about_the_assistant,
            with_places: self.with_places,
            ..Asked::default()
        }
    }
}

/// Whether the question is about what the assistant said before: then its answers count like
/// anybody's.
fn is_about_the_assistant(text: &str, lower: &str) -> bool {
    let words = || {
        lower
            .split(|c: char| !c.is_alphanumeric() && c != '\'')
            .filter(|word| !word.is_empty())
    };
    let told = |word: &str| {
        matches!(
            word,
            "said"
                | "told"
                | "suggested"
                | "recommended"
                | "mentioned"
                | "gave"
                | "advised"
                | "explained"
                | "listed"
                | "provided"
        )
    };
    words()
        .zip(words().skip(1))
        .any(|pair| pair == ("did", "you") || pair.0 == "you" && told(pair.1))
        || !text.is_ascii()
            && ["你说过", "你推荐", "你建议过", "你告诉"]
                .iter()
                .any(|said| text.contains(said))
}
