//! Ranks a handful of texts that are in no index, and makes scores of different indexes comparable.

use recalld_index::index::{Facets, Field, Index};
use recalld_index::text::{Term, analyse_query};

use crate::ports::TextRole;
use crate::wiring::Ports;

/// How much of a question is read. The rest of a longer one would hardly change the ranking.
const QUESTION_BYTES_READ: usize = 8 * 1024;

/// The part of a question that is read.
pub(crate) fn readable(question: &str) -> &str {
    &question[..question.floor_char_boundary(QUESTION_BYTES_READ)]
}

/// More texts than this are ranked by their words alone: embedding them would take too long.
const EMBEDDED_MAX: usize = 64;

/// How much meaning counts beside words.
const MEANING_WEIGHT: f32 = 0.5;

/// A text whose meaning is no nearer to the query than this has nothing to do with it.
const MEANING_MIN: f32 = 0.3;

/// Ranks `texts` for `query`: place and score of those that have to do with it, the best first.
pub async fn rank_texts(ports: &Ports, query: &str, texts: &[&str]) -> Vec<(usize, f32)> {
    let query = readable(query);
    let mut scores = by_words(&analyse_query(query), texts);
    if let Some(meaning) = by_meaning(ports, query, texts).await {
        for (score, likeness) in scores.iter_mut().zip(meaning) {
            *score += MEANING_WEIGHT * likeness;
        }
    }
    let mut ranked: Vec<(usize, f32)> = scores.into_iter().enumerate().filter(|(_, s)| 0.0 < *s).collect();
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    ranked
}

/// Scores each text by its words, from 0 to 1.
pub(crate) fn by_words(query: &[Term], texts: &[&str]) -> Vec<f32> {
    if texts.is_empty() {
        return Vec::new();
    }
    let mut index = Index::default();
    for (place, text) in texts.iter().enumerate() {
        index.put(&place.to_string(), &[Field::main(text)], Facets::default());
    }
    let ideal = index.ideal(query);
    let mut scores = vec![0.0; texts.len()];
    for hit in index.search_terms(query, &|_| true, texts.len()) {
        if let Some(score) = hit
            .id
            .parse::<usize>()
            .ok()
            .and_then(|place| scores.get_mut(place))
        {
            *score = share(hit.score, ideal);
        }
    }
    scores
}

/// Scores each text by its meaning, from 0 to 1; none without a model, or when it does not answer.
async fn by_meaning(ports: &Ports, query: &str, texts: &[&str]) -> Option<Vec<f32>> {
    let embedder = ports.embedder.as_ref()?;
    if texts.is_empty() || EMBEDDED_MAX < texts.len() {
        return None;
    }
    let asked = embedder.embed(&[query], TextRole::Query).await.ok()?;
    let passages = embedder.embed(texts, TextRole::Passage).await.ok()?;
    let asked = asked.first()?;
    let understood = embedder.understanding(query).clamp(0.0, 1.0);
    let likeness = |passage: &Vec<f32>| {
        let cosine: f32 = asked.iter().zip(passage).map(|(a, b)| a * b).sum();
        let over = (cosine - MEANING_MIN) / (1.0 - MEANING_MIN);
        // A vector that is not a number says nothing.
        if over.is_finite() {
            over.clamp(0.0, 1.0) * understood
        } else {
            0.0
        }
    };
    Some(passages.iter().map(likeness).collect())
}

/// Turns a score into its share of what could be scored: 0 for nothing, two thirds for all of the
/// query, never over 1.
pub(super) fn share(score: f32, ideal: f32) -> f32 {
    let share = score / (score + ideal / 2.0);
    if share.is_finite() { share } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_with_all_of_the_query_is_nearer_than_one_with_a_part() {
        let scores = by_words(
            &analyse_query("target titles"),
            &[
                "target titles: CISO",
                "employee range: 1000",
                "target market: banks",
            ],
        );
        assert!(scores[2] < scores[0] && 0.0 < scores[2], "{scores:?}");
        assert_eq!(scores[1], 0.0);
        assert!(scores.iter().all(|score| (0.0..=1.0).contains(score)));
    }

    #[test]
    fn nothing_to_rank_and_nothing_to_ask_give_nothing() {
        assert_eq!(by_words(&analyse_query("x"), &[]), Vec::<f32>::new());
        assert_eq!(by_words(&[], &["a", ""]), [0.0, 0.0]);
    }

    #[test]
    fn shares_grow_with_scores_and_end_at_one() {
        assert_eq!(share(0.0, 3.0), 0.0);
        assert!(share(1.0, 3.0) < share(2.0, 3.0));
        assert!(share(f32::MAX, 3.0) <= 1.0);
        assert_eq!(share(0.0, 0.0), 0.0);
    }
}
