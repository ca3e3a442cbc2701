//! What is made of a question once, however many indexes it is put to.

use jiff::Timestamp;
use recalld_index::model::EmbeddingModel;
use recalld_index::rank::RankQuery;
use recalld_index::text::{Term, TermKind, read_query};
use recalld_index::when::{EventTime, Span};

use super::overview;
use super::vector::QueryVector;
use crate::ports::{EmbedError, Embedder};
use crate::text_ranking::readable;

/// A question as it was read.
#[derive(Clone, Debug)]
pub struct PreparedQuery {
    terms: Vec<Term>,
    span: Option<Span>,
    /// The event by which it names a time, if it names no other.
    event: Option<EventTime>,
    now_ms: i64,
    is_about_the_assistant: bool,
    is_about_before: bool,
    is_overview: bool,
    vector: Option<QueryVector>,
    with_ranks: bool,
}

impl PreparedQuery {
    /// Reads a question that is asked at `now`, and waits a little for a model that takes its time.
    pub async fn of(text: &str, embedder: Option<&dyn Embedder>, now: Timestamp) -> PreparedQuery {
        let vector = QueryVector::of(embedder, readable(text)).await;
        PreparedQuery::with(readable(text), vector, now)
    }

    /// The same, however long the model takes. Fails if it does: for measuring, where an answer by
    /// words alone would be counted as the model's.
    pub async fn patient(
        text: &str,
        embedder: Option<&dyn Embedder>,
        now: Timestamp,
    ) -> Result<PreparedQuery, EmbedError> {
        let vector = match embedder {
            Some(embedder) => QueryVector::patient(embedder, readable(text)).await?,
            None => None,
        };
        Ok(PreparedQuery::with(readable(text), vector, now))
    }

    /// The same at once. A model that takes its time is not asked.
    pub fn at_once(text: &str, embedder: Option<&dyn Embedder>, now: Timestamp) -> PreparedQuery {
        let vector = QueryVector::now(embedder, readable(text));
        PreparedQuery::with(readable(text), vector, now)
    }

    fn with(text: &str, vector: Option<QueryVector>, now: Timestamp) -> PreparedQuery {
        let (terms, dates) = read_query(text);
        let lower = text.to_lowercase();
        let span = Span::named_in(text, &lower, &dates, now);
        let event = span.is_none().then(|| EventTime::named_in(&lower)).flatten();
        PreparedQuery {
            terms,
            span,
            event,
            now_ms: now.as_millisecond(),
            is_about_the_assistant: is_about_the_assistant(text, &lower),
            is_about_before: is_about_before(text, &lower),
            is_overview: overview::is_asked(text),
            vector,
            with_ranks: false,
        }
    }

    /// Asks for each arm's own order, too, to explain a ranking.
    pub fn with_ranks(self) -> PreparedQuery {
        PreparedQuery {
            with_ranks: true,
            ..self
        }
    }

    /// The event whose time has to be found before the question's is known.
    pub(super) fn event(&self) -> Option<&EventTime> {
        self.event.as_ref()
    }

    /// The same question about a time that is known. The words of the event that told it say little
    /// about what is asked.
    pub(super) fn about(&self, span: Span, event: &[Term]) -> PreparedQuery {
        let mut resolved = self.clone();
        resolved.span = Some(span);
        resolved.event = None;
        let is_of_event = |term: &Term| event.iter().any(|own| own.text == term.text);
        if !resolved.terms.iter().all(is_of_event) {
            for term in resolved.terms.iter_mut().filter(|term| is_of_event(term)) {
                term.kind = TermKind::Weak;
            }
        }
        resolved
    }

    /// The last moment of the time that the question names, if that is over.
    pub(super) fn past_end(&self) -> Option<Timestamp> {
        let end = self
            .span
            .map(|span| span.until_ms)
            .filter(|end| *end < self.now_ms)?;
        Timestamp::from_millisecond(end).ok()
    }

    /// Whether the question is about what was before, without saying when.
    pub(super) fn is_about_before(&self) -> bool {
        self.is_about_before
    }

    /// Tells whether the question asks for all that is known of the user.
    pub fn is_overview(&self) -> bool {
        self.is_overview
    }

    /// Gives the terms to look for.
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// Puts the question to an index that has vectors of `model`. A vector of another model is not
    /// used.
    pub fn query(&self, model: Option<&EmbeddingModel>) -> RankQuery<'_> {
        let vector = self.vector.as_ref().filter(|vector| Some(&vector.model) == model);
        RankQuery {
            terms: &self.terms,
            vector: vector.map(QueryVector::asked),
            understanding: vector.map_or(0.0, QueryVector::understanding),
            strength: vector.map_or(0.0, |vector| vector.strength),
            likeness_min: vector.map_or(0.0, |vector| vector.likeness_min),
            now_ms: self.now_ms,
            span: self.span,
            is_about_the_assistant: self.is_about_the_assistant,
            with_ranks: self.with_ranks,
            ..RankQuery::default()
        }
    }
}

/// Words that ask for what was, not for what is.
const BEFORE: [&str; 12] = [
    "previous",
    "previously",
    "former",
    "formerly",
    "ex",
    "früher",
    "vorher",
    "damals",
    "ehemalige",
    "antes",
    "avant",
    "anterior",
];
const BEFORE_PARTS: [&str; 7] = ["used to", "以前", "之前", "曾经", "过去", "前の", "раньше"];

fn is_about_before(text: &str, lower: &str) -> bool {
    let mut words = lower.split(|c: char| !c.is_alphanumeric());
    words.any(|word| BEFORE.contains(&word))
        || BEFORE_PARTS
            .iter()
            .any(|part| lower.contains(part) || text.contains(part))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_about_the_assistants_words_is_recognised() {
        let is_about = |text: &str| is_about_the_assistant(text, &text.to_lowercase());
        assert!(is_about("which tent did you recommend?"));
        assert!(is_about("你推荐的帐篷"));
        assert!(!is_about("which tent?"));
    }
}
