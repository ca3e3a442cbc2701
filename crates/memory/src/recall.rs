//! Finds what answers a question. This is the one place that ranks.

mod everything;
mod global;
mod knowledge;
mod messages;
mod rerank;
mod texts;

pub mod fusion;
pub mod rank;
mod reading;
mod vector;
pub mod when;

use std::sync::Arc;

use jiff::Timestamp;

pub use everything::{Kind, Ranked, Search, Thing, search};
pub use global::{Reach, recall_with_global};
pub use knowledge::{FoundChunk, search_knowledge};
pub use messages::{FoundMessage, search_messages};
pub use rank::{Arm, Arms, Asked, Fusion, Parts, rank};
pub use reading::Reading;
pub use rerank::WEIGHT as RERANK_WEIGHT;
pub use texts::rank_texts;
pub use when::Span;

use crate::id::MemoryId;
use crate::index::Facets;
use crate::memory::{Category, Memory, Tier};
use crate::ports::Ports;
use crate::scope::Scope;
use crate::space::{SpaceError, SpaceView};

/// What is asked, and which memories may answer.
#[derive(Clone, Debug)]
pub struct Question {
    pub text: String,
    pub limit: usize,
    pub category: Option<Category>,
    pub tier: Option<Tier>,
    /// Only what was learned at this time or later.
    pub since: Option<Timestamp>,
    /// Only what was learned before this time.
    pub until: Option<Timestamp>,
}

impl Question {
    /// How many answers a question may ask for.
    pub const LIMIT_MAX: usize = 1_000;

    /// How much of a question is read. The rest of a longer one would hardly change the ranking.
    const BYTES_READ: usize = 8 * 1024;

    /// Asks for the `limit` best answers of any kind.
    pub fn new(text: impl Into<String>, limit: usize) -> Question {
        Question {
            text: text.into(),
            limit,
            category: None,
            tier: None,
            since: None,
            until: None,
        }
    }
}

/// The part of a question that is read.
fn read(text: &str) -> &str {
    &text[..text.floor_char_boundary(Question::BYTES_READ)]
}

/// A memory that answers, and how well.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    pub memory: Arc<Memory>,
    /// From 0 to 1.
    pub score: f32,
    /// What the score is made of.
    pub parts: Parts,
}

/// Finds the best answers, the best first.
pub async fn recall(ports: &Ports, scope: &Scope, question: &Question) -> Result<Vec<Found>, SpaceError> {
    let reading = Reading::of(&question.text, ports.embedder.as_deref(), scope.now).await;
    let asked = Question {
        limit: rerank::depth(ports, question.limit),
        ..question.clone()
    };
    let look = |view: &SpaceView| answers(view, &asked, scope.now, &reading);
    let found = ports.spaces.read(scope.space(), look).await?;
    Ok(rerank::second_look(ports, &question.text, found, question.limit).await)
}

/// The same on a view that is at hand. A model that takes its time is not asked.
pub(crate) fn in_view(view: &SpaceView, question: &Question, now: Timestamp) -> Vec<Found> {
    let reading = Reading::at_once(&question.text, view.embedder(), now);
    answers(view, question, now, &reading)
}

/// The same with a question that was read already.
pub(crate) fn answers(
    view: &SpaceView,
    question: &Question,
    now: Timestamp,
    reading: &Reading,
) -> Vec<Found> {
    let now_ms = now.as_millisecond();
    let since = question.since.map_or(i64::MIN, |since| since.as_millisecond());
    let until = question.until.map_or(i64::MAX, |until| until.as_millisecond());
    let category = question.category.as_ref().map(|category| category.as_str());
    let tier = question.tier.map(Tier::as_str);
    let keep = |facets: &Facets| {
        facets.expires_ms.is_none_or(|end| now_ms < end)
            && category.is_none_or(|wanted| facets.category.as_deref() == Some(wanted))
            && tier.is_none_or(|wanted| facets.tier == Some(wanted))
            && (since..until).contains(&facets.time_ms)
    };
    let limit = question.limit.min(Question::LIMIT_MAX);
    let asked = reading.asked(view.index().model());
    let found = rank(view.index(), &asked, &keep, limit)
        .into_iter()
        .filter_map(|ranked| {
            let memory = view.memory(MemoryId::parse(&ranked.id).ok()?)?;
            // The index keeps milliseconds; a memory that ends within this one is judged exactly.
            memory.is_current(now).then(|| Found {
                memory: Arc::clone(memory),
                score: ranked.score,
                parts: ranked.parts,
            })
        });
    found.collect()
}
