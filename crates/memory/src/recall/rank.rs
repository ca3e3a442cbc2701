//! Ranks the entries of an index for a question: both arms, one score, and what that score is made of.

use std::sync::Arc;

use super::fusion::{self, Weights};
use super::rerank::WEIGHT as RERANK_WEIGHT;
use super::when::Span;
use crate::index::{Facets, Hit, Index, Likeness, Scores};

/// What is asked of an index.
#[derive(Clone, Debug, Default)]
pub struct Asked<'a> {
    pub text: &'a str,
    /// The text's vector by the index's model. None: words decide alone.
    pub vector: Option<&'a [f32]>,
    /// How much of the text the model understands, from 0 to 1.
    pub understanding: f32,
    /// How much the model's word counts beside that of the built-in one.
    pub strength: f32,
    /// The cosine that unrelated texts seldom reach with that model.
    pub likeness_min: f32,
    /// When it is asked, in milliseconds since 1970.
    pub now_ms: i64,
    pub arms: Arms,
    pub fusion: Fusion,
    /// The time that the question names.
    pub span: Option<Span>,
}

/// Which arms of a search take part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Arms {
    #[default]
    Both,
    Words,
    Meaning,
}

/// How two arms become one score. Only the first is used in earnest; the others are there to be compared with (`recalld eval`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fusion {
    /// The mean of both shares, each arm weighed by what it is worth for this query.
    #[default]
    Weighted,
    /// The plain mean of both shares.
    Mean,
    /// The plain mean of what the places in both lists are worth.
    Ranks,
}

/// An entry in its place, and why it is there.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranked {
    pub id: Arc<str>,
    pub slot: u32,
    /// From 0 to 1: how well it answers, comparable between questions and indexes.
    pub score: f32,
    pub parts: Parts,
}

/// What a score is made of: the mean of both arms, times every factor, times the evidence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parts {
    pub words: Option<Arm>,
    pub meaning: Option<Arm>,
    pub weights: Weights,
    /// A little more than 1 for what is new.
    pub recency: f32,
    /// A little more than 1 for what is sure.
    pub confidence: f32,
    /// More than 1 for what is of the time that the question names.
    pub time: f32,
    /// Less than 1 for what the assistant said.
    pub author: f32,
    /// How near the best entry of the whole search comes to answering, from 0 to 1: by words or by meaning, whichever is nearer.
    pub evidence: f32,
    /// What a reranking model made of it, from 0 to 1, if there is one.
    pub reranked: Option<f32>,
}

/// What one arm says of an entry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arm {
    /// BM25, or the cosine.
    pub raw: f32,
    /// Its place in this arm's own order, from 1, if it is among the candidates there.
    pub rank: Option<usize>,
    /// The same on the span from 0 to 1.
    pub share: f32,
}

/// How many candidates each arm gives at the least.
const CANDIDATES_MIN: usize = 100;
/// What is quite new gains this much at the most. Small: what was said last is not what was meant.
const RECENCY_MAX: f32 = 0.02;
/// After this long half of that is left.
const RECENCY_HALVED_DAYS: f32 = 30.0;
/// What is quite sure gains this much.
const CONFIDENCE_MAX: f32 = 0.02;
/// What is of the time that the question names gains this much.
const TIME_MAX: f32 = 0.15;
/// What an answer of the assistant counts beside what a person said.
const ASSISTANT: f32 = 0.7;
/// The kind that entries said by the assistant have in their facets.
const ASSISTANT_KIND: &str = "assistant";

/// The best `limit` entries that `keep` accepts, the best first, then the newest, then by id. What neither arm has evidence for is not among them.
pub fn rank(index: &Index, asked: &Asked, keep: &dyn Fn(&Facets) -> bool, limit: usize) -> Vec<Ranked> {
    if limit == 0 {
        return Vec::new();
    }
    let text = if asked.arms == Arms::Meaning {
        ""
    } else {
        asked.text
    };
    index.scores(text, |scores| {
        let vector = asked
            .vector
            .filter(|_| asked.arms != Arms::Words && asked.understanding > 0.0);
        let both = vector.and_then(|vector| {
            index.likeness(vector, |likeness| {
                Ranking::of(index, asked, keep, limit, scores, Some(likeness))
            })
        });
        both.unwrap_or_else(|| Ranking::of(index, asked, keep, limit, scores, None))
    })
}

/// What all entries of one search are measured by.
struct Ranking<'a> {
    index: &'a Index,
    asked: &'a Asked<'a>,
    scores: &'a Scores,
    likeness: Option<&'a Likeness>,
    weights: Weights,
    words_best: f32,
    cosine_mean: f32,
    cosine_best: f32,
    evidence: f32,
    assistant: f32,
}

impl<'a> Ranking<'a> {
    fn of(
        index: &'a Index,
        asked: &'a Asked<'a>,
        keep: &dyn Fn(&Facets) -> bool,
        limit: usize,
        scores: &'a Scores,
        likeness: Option<&'a Likeness>,
    ) -> Vec<Ranked> {
        let candidates = limit.saturating_mul(2).max(CANDIDATES_MIN);
        let words = index.best(scores.iter(), keep, candidates);
        let meaning = likeness.map_or_else(Vec::new, |likeness| {
            index.best(
                likeness
                    .iter()
                    .filter(|(_, cosine)| *cosine >= asked.likeness_min),
                keep,
                candidates,
            )
        });
        let ranking = Ranking::new(index, asked, scores, likeness, &words, &meaning);
        let mut ranked = ranking.all(&words, &meaning);
        let time = |ranked: &Ranked| index.facets(ranked.slot).map_or(0, |facets| facets.time_ms);
        let order = |a: &Ranked, b: &Ranked| {
            let score = b.score.total_cmp(&a.score);
            score
                .then_with(|| time(b).cmp(&time(a)))
                .then_with(|| a.id.cmp(&b.id))
        };
        if limit < ranked.len() {
            ranked.select_nth_unstable_by(limit, order);
            ranked.truncate(limit);
        }
        ranked.sort_unstable_by(order);
        ranked
    }

    fn new(
        index: &'a Index,
        asked: &'a Asked<'a>,
        scores: &'a Scores,
        likeness: Option<&'a Likeness>,
        words: &[Hit],
        meaning: &[Hit],
    ) -> Ranking<'a> {
        let best = |hits: &[Hit]| hits.first().map_or(0.0, |hit| hit.score);
        let (words_best, cosine_best) = (best(words), best(meaning));
        let hit = if scores.worth() > 0.0 {
            words_best / scores.worth()
        } else {
            0.0
        };
        let weights = match (asked.arms, likeness) {
            (Arms::Meaning, _) => Weights::MEANING,
            (_, None) | (Arms::Words, _) => Weights::WORDS,
            // Without any hit on either side there is nothing to weigh.
            (Arms::Both, Some(_)) if asked.fusion != Fusion::Weighted => Weights::EVEN,
            (Arms::Both, Some(_)) => Weights::of(hit, asked.understanding, asked.strength),
        };
        let by_words = words_best / (words_best + scores.worth() / 2.0).max(f32::MIN_POSITIVE);
        let by_meaning = (cosine_best - asked.likeness_min) / (1.0 - asked.likeness_min);
        Ranking {
            index,
            asked,
            scores,
            likeness,
            weights,
            words_best,
            cosine_mean: likeness.map_or(0.0, Likeness::mean),
            cosine_best,
            evidence: by_words
                .max(by_meaning.clamp(0.0, 1.0))
                .clamp(f32::MIN_POSITIVE, 1.0),
            assistant: if asks_the_assistant(asked.text) {
                1.0
            } else {
                ASSISTANT
            },
        }
    }

    /// Both arms' candidates, each once.
    fn all(&self, words: &[Hit], meaning: &[Hit]) -> Vec<Ranked> {
        let mut ranked: Vec<(&Hit, Option<usize>, Option<usize>)> =
            Vec::with_capacity(words.len() + meaning.len());
        let mut by_slot: Vec<(u32, usize)> = Vec::with_capacity(words.len());
        for (place, hit) in words.iter().enumerate() {
            by_slot.push((hit.slot, place));
            ranked.push((hit, Some(place + 1), None));
        }
        by_slot.sort_unstable();
        for (place, hit) in meaning.iter().enumerate() {
            match by_slot.binary_search_by_key(&hit.slot, |(slot, _)| *slot) {
                Ok(found) => ranked[by_slot[found].1].2 = Some(place + 1),
                Err(_) => ranked.push((hit, None, Some(place + 1))),
            }
        }
        let one = |(hit, words, meaning): (&Hit, Option<usize>, Option<usize>)| self.one(hit, words, meaning);
        ranked.into_iter().filter_map(one).collect()
    }

    fn one(&self, hit: &Hit, words_rank: Option<usize>, meaning_rank: Option<usize>) -> Option<Ranked> {
        let facets = self.index.facets(hit.slot)?;
        let raw = self.scores.get(hit.slot);
        let words = (raw > 0.0).then(|| Arm {
            raw,
            rank: words_rank,
            share: match self.asked.fusion {
                Fusion::Ranks => fusion::place_share(words_rank),
                _ => fusion::words_share(raw, self.words_best),
            },
        });
        let meaning = self
            .likeness
            .and_then(|likeness| likeness.get(hit.slot))
            .map(|raw| Arm {
                raw,
                rank: meaning_rank,
                share: match self.asked.fusion {
                    Fusion::Ranks => fusion::place_share(meaning_rank),
                    _ => fusion::meaning_share(raw, self.cosine_mean, self.cosine_best),
                },
            });
        let parts = Parts {
            words,
            meaning,
            weights: self.weights,
            recency: recency(self.asked.now_ms, facets.time_ms),
            confidence: 1.0 + CONFIDENCE_MAX * finite(facets.confidence).clamp(0.0, 1.0),
            time: match self.asked.span {
                Some(span) if span.holds(facets.time_ms) => 1.0 + TIME_MAX,
                _ => 1.0,
            },
            author: match facets.kind.as_deref() {
                Some(ASSISTANT_KIND) => self.assistant,
                _ => 1.0,
            },
            evidence: self.evidence,
            reranked: None,
        };
        Some(Ranked {
            id: Arc::clone(&hit.id),
            slot: hit.slot,
            score: parts.score(),
            parts,
        })
    }
}

impl Parts {
    /// Puts the parts together: the mean of both arms, times every factor; and mixed with the second look, if there was one.
    pub fn score(&self) -> f32 {
        let words = self.words.map_or(0.0, |arm| arm.share);
        let mean = fusion::mean(self.weights, words, self.meaning.map(|arm| arm.share));
        let first = self
            .factors()
            .into_iter()
            .fold(mean, |score, (_, factor)| score * factor);
        match self.reranked {
            Some(second) => (1.0 - RERANK_WEIGHT) * first + RERANK_WEIGHT * second,
            None => first,
        }
    }

    /// Gives what the mean is multiplied by, each with its name. `scale` keeps the product within 1.
    pub fn factors(&self) -> [(&'static str, f32); 6] {
        let most = (1.0 + RECENCY_MAX) * (1.0 + CONFIDENCE_MAX) * (1.0 + TIME_MAX);
        [
            ("recency", self.recency),
            ("confidence", self.confidence),
            ("time", self.time),
            ("author", self.author),
            ("evidence", self.evidence),
            ("scale", most.recip()),
        ]
    }
}

fn recency(now_ms: i64, time_ms: i64) -> f32 {
    const DAY_MS: f32 = 24.0 * 60.0 * 60.0 * 1000.0;
    let age_days = now_ms.saturating_sub(time_ms).max(0) as f32 / DAY_MS;
    1.0 + RECENCY_MAX * (-age_days / RECENCY_HALVED_DAYS).exp2()
}

fn finite(value: f32) -> f32 {
    if value.is_finite() { value } else { 0.0 }
}

/// Whether the question is about what the assistant said before: then its answers count like anybody's.
fn asks_the_assistant(text: &str) -> bool {
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric() && c != '\'')
        .filter(|word| !word.is_empty())
        .collect();
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
    words
        .windows(2)
        .any(|pair| pair == ["did", "you"] || pair[0] == "you" && told(pair[1]))
        || ["你说过", "你推荐", "你建议过", "你告诉"]
            .iter()
            .any(|said| text.contains(said))
}

#[cfg(test)]
mod tests;
