//! Ranks the entries of an index for a question: both arms, one score, and what that score is made
//! of.

mod bounds;
mod parts;
mod places;

use std::collections::HashMap;
use std::sync::Arc;

use bounds::Evident;
pub use parts::calibrated;
use places::Places;

use crate::fusion::{self, Scales, Weights};
use crate::index::{AskedVector, Facets, Index, Likeness, Scores};
use crate::text::Term;
use crate::when::Span;

/// What is asked of an index.
#[derive(Clone, Debug, Default)]
pub struct RankQuery<'a> {
    /// The terms of the question.
    pub terms: &'a [Term],
    /// The question's vector by the index's model. None: words decide alone.
    pub vector: Option<AskedVector<'a>>,
    /// How much of the question the model understands, from 0 to 1.
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
    /// Then its answers count like anybody's.
    pub is_about_the_assistant: bool,
    /// Whether each arm's own order is told, too.
    pub with_ranks: bool,
    /// Whether what neither arm has evidence for fills the list up, once there is evidence for
    /// something.
    pub fills: bool,
}

/// Which arms of a search take part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Arms {
    #[default]
    Both,
    Words,
    Meaning,
}

/// How two arms become one score. Only the first is used in earnest; the others are there to be
/// compared with (`recalld eval`).
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
pub struct RankedEntry {
    pub id: Arc<str>,
    pub slot: u32,
    /// From 0 to 1: the chance that it answers, comparable between questions and indexes.
    pub score: f32,
    pub parts: ScoreParts,
}

/// What a score is made of: the mean of both arms, times every factor, times the evidence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScoreParts {
    pub words: Option<ArmScore>,
    pub meaning: Option<ArmScore>,
    pub weights: Weights,
    /// A little more than 1 for what is new.
    pub recency: f32,
    /// A little more than 1 for what is sure.
    pub confidence: f32,
    /// More than 1 for what is of the time that the question names, less for what is not.
    pub time: f32,
    /// Less than 1 for what the assistant said.
    pub author: f32,
    /// How near the best entry of the whole search comes to answering, from 0 to 1: by words or by
    /// meaning, whichever is nearer.
    pub evidence: f32,
    /// What a reranking model made of it, from 0 to 1, if there is one.
    pub reranked: Option<f32>,
    /// Whether the vector that tells its meaning is still to come; what stands in for it was used.
    pub waits: bool,
}

/// What one arm says of an entry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ArmScore {
    /// BM25, or the cosine.
    pub raw: f32,
    /// Its place in this arm's own order, from 1, if it was asked for and the arm has evidence for
    /// it.
    pub rank: Option<usize>,
    /// The same on the span from 0 to 1.
    pub share: f32,
}

/// The weight of a reranking model beside the first ranking.
pub const RERANK_WEIGHT: f32 = 0.7;
/// What is quite new gains this much at the most. Small: what was said last is not what was meant.
const RECENCY_MAX: f32 = 0.02;
/// After this long half of that is left.
const RECENCY_HALVED_DAYS: f32 = 30.0;
/// What is quite sure gains this much.
const CONFIDENCE_MAX: f32 = 0.02;
/// What is of the time that the question names gains this much over what is not.
const TIME_GAIN: f32 = 0.6;
/// The room that scores leave for it, whether a time is named or not.
const TIME_MAX: f32 = 0.15;
/// The least evidence of a search that found something: what is found has an order.
const EVIDENCE_MIN: f32 = 0.01;
/// What an answer of the assistant counts beside what a person said.
const ASSISTANT: f32 = 0.7;
/// The kind that entries said by the assistant have in their facets.
const ASSISTANT_KIND: &str = "assistant";

/// The best `limit` entries that `keep` accepts, the best first, then the newest, then by id. What
/// neither arm has evidence for is not among them.
pub fn rank(
    index: &Index,
    asked: &RankQuery,
    keep: &dyn Fn(&Facets) -> bool,
    limit: usize,
) -> Vec<RankedEntry> {
    if limit == 0 || index.is_empty() {
        return Vec::new();
    }
    let terms = match asked.arms {
        Arms::Meaning => &[],
        Arms::Both | Arms::Words => asked.terms,
    };
    index.scores(terms, |scores| {
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
    asked: &'a RankQuery<'a>,
    scores: &'a Scores,
    likeness: Option<&'a Likeness>,
    weights: Weights,
    scales: Scales,
    evidence: f32,
    /// Whether an arm has evidence for any entry.
    has_evidence: bool,
    /// What all factors but the evidence come to at the most, brought to scale.
    factors_max: f32,
    assistant: f32,
    /// Where places are of no use, they are not looked for.
    places: Option<Places>,
}

impl<'a> Ranking<'a> {
    fn of(
        index: &'a Index,
        asked: &'a RankQuery<'a>,
        keep: &dyn Fn(&Facets) -> bool,
        limit: usize,
        scores: &'a Scores,
        likeness: Option<&'a Likeness>,
    ) -> Vec<RankedEntry> {
        let ranking = Ranking::new(index, asked, keep, scores, likeness);
        let score = |slot| ranking.parts(slot).map_or(0.0, |parts| parts.product());
        let best = match likeness {
            Some(likeness) => bounds::with(
                |bounds| ranking.bounds(likeness, bounds),
                |bounds| index.best_of(bounds, keep, score, limit),
            ),
            None => {
                let said = scores.iter();
                let bounds = said.map(|(slot, words)| (slot, ranking.bound(slot, words, None)));
                index.best_by(bounds, keep, score, limit)
            }
        };
        let told = |(slot, _): (u32, f32)| {
            let (id, parts) = (Arc::clone(index.id(slot)?), ranking.parts(slot)?);
            let score = parts.score();
            Some(RankedEntry {
                id,
                slot,
                score,
                parts,
            })
        };
        best.into_iter().filter_map(told).collect()
    }

    fn new(
        index: &'a Index,
        asked: &'a RankQuery<'a>,
        keep: &dyn Fn(&Facets) -> bool,
        scores: &'a Scores,
        likeness: Option<&'a Likeness>,
    ) -> Ranking<'a> {
        let near = || near(likeness, asked.likeness_min);
        let words_best = index.highest(scores.iter(), keep);
        let cosine_best = likeness.map_or(0.0, |likeness| {
            index.highest_of(likeness.by_slot(), asked.likeness_min, keep)
        });
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
        let needs_places = asked.with_ranks || asked.fusion == Fusion::Ranks;
        Ranking {
            index,
            asked,
            scores,
            likeness,
            weights,
            scales: Scales::new(words_best, likeness.map_or(0.0, Likeness::mean), cosine_best),
            evidence: by_words.max(by_meaning.clamp(0.0, 1.0)).clamp(EVIDENCE_MIN, 1.0),
            has_evidence: 0.0 < words_best || asked.likeness_min <= cosine_best,
            factors_max: match asked.span {
                Some(_) => 1.0,
                None => (1.0 + TIME_MAX).recip(),
            },
            assistant: match asked.is_about_the_assistant {
                true => 1.0,
                false => ASSISTANT,
            },
            places: needs_places.then(|| Places {
                words: Places::of(index.best(scores.iter(), keep, usize::MAX)),
                meaning: Places::of(index.best(near(), keep, usize::MAX)),
            }),
        }
    }

    /// Figures that the scores do not exceed, for all slots in their order; minus infinity where
    /// neither arm has evidence.
    fn bounds(&self, likeness: &Likeness, bounds: &mut Vec<f32>) {
        let cosines = likeness.by_slot();
        let words = self.scores.by_slot(cosines.len());
        let pairs = words.iter().copied().zip(cosines.iter().copied());
        let fills = self.asked.fills && self.has_evidence;
        let evident = Evident {
            likeness_min: if fills {
                f32::NEG_INFINITY
            } else {
                self.asked.likeness_min
            },
        };
        if self.asked.fusion == Fusion::Ranks {
            bounds.extend((0..).zip(pairs).map(|(slot, (words, cosine))| {
                evident.or_never(self.bound(slot, words, likeness.get(slot)), words, cosine)
            }));
            return;
        }
        let (ceiling, most) = (self.scales.ceiling(self.weights), self.most());
        // By value: what is looked up anew for each entry keeps the compiler from working out
        // several at a time.
        bounds.extend(
            pairs.map(move |(words, cosine)| {
                evident.or_never(ceiling.mean(words, cosine) * most, words, cosine)
            }),
        );
    }

    /// The same for one slot that an arm has evidence for.
    fn bound(&self, slot: u32, words: f32, cosine: Option<f32>) -> f32 {
        let (words, meaning) = self.shares(slot, words, cosine);
        fusion::mean(self.weights, words, meaning) * self.most()
    }

    /// What a mean is multiplied by at the most. A little more, for what is lost in rounding.
    fn most(&self) -> f32 {
        const ROUNDING: f32 = 1.0 + 1e-5;
        self.factors_max * self.evidence * ROUNDING
    }

    /// What each arm's score is worth beside the best of that arm.
    #[inline]
    fn shares(&self, slot: u32, words: f32, cosine: Option<f32>) -> (f32, Option<f32>) {
        match (self.asked.fusion, &self.places) {
            (Fusion::Ranks, Some(places)) => {
                let share = |places: &HashMap<u32, usize>| fusion::place_share(places.get(&slot).copied());
                (share(&places.words), cosine.map(|_| share(&places.meaning)))
            }
            _ => (
                self.scales.words(words),
                cosine.map(|cosine| self.scales.meaning(cosine)),
            ),
        }
    }

    /// What the score of a slot is made of. None if there is no entry.
    fn parts(&self, slot: u32) -> Option<ScoreParts> {
        let facets = self.index.facets(slot)?;
        let words = self.scores.get(slot);
        let cosine = self.likeness.and_then(|likeness| likeness.get(slot));
        let (words_share, meaning_share) = self.shares(slot, words, cosine);
        let place = |of: fn(&Places) -> &HashMap<u32, usize>| of(self.places.as_ref()?).get(&slot).copied();
        Some(ScoreParts {
            words: (words > 0.0).then(|| ArmScore {
                raw: words,
                rank: place(|places| &places.words),
                share: words_share,
            }),
            meaning: cosine.zip(meaning_share).map(|(raw, share)| ArmScore {
                raw,
                rank: place(|places| &places.meaning),
                share,
            }),
            weights: self.weights,
            recency: recency(self.asked.now_ms, facets.time_ms),
            confidence: 1.0 + CONFIDENCE_MAX * finite(facets.confidence).clamp(0.0, 1.0),
            time: match self.asked.span {
                Some(span) if span.holds(facets.time_ms) => 1.0 + TIME_MAX,
                Some(_) => (1.0 + TIME_MAX) / (1.0 + TIME_GAIN),
                None => 1.0,
            },
            author: match facets.kind {
                Some(ASSISTANT_KIND) => self.assistant,
                _ => 1.0,
            },
            evidence: self.evidence,
            reranked: None,
            waits: self.index.is_waiting(slot),
        })
    }
}

/// The entries whose meaning is near enough to count.
fn near(likeness: Option<&Likeness>, likeness_min: f32) -> impl Iterator<Item = (u32, f32)> {
    let all = likeness.into_iter().flat_map(Likeness::iter);
    all.filter(move |(_, cosine)| likeness_min <= *cosine)
}

fn recency(now_ms: i64, time_ms: i64) -> f32 {
    const DAY_MS: f32 = 24.0 * 60.0 * 60.0 * 1000.0;
    let age_days = now_ms.saturating_sub(time_ms).max(0) as f32 / DAY_MS;
    1.0 + RECENCY_MAX * (-age_days / RECENCY_HALVED_DAYS).exp2()
}

fn finite(value: f32) -> f32 {
    if value.is_finite() { value } else { 0.0 }
}

#[cfg(test)]
mod tests;
