//! Finds memories of the user.

use std::sync::Arc;

use recalld_index::index::Facets;
use recalld_index::rank::{RankQuery, RankedEntry, rank};

use super::hit::SCORE_FLOOR;
use super::{Hit, PreparedQuery, Question, events, hit, newest, overview, rerank};
use crate::id::MemoryId;
use crate::lens::Lens;
use crate::memory::{Memory, Tier};
use crate::scope::Scope;
use crate::space::{SpaceError, SpaceView};
use crate::trace;
use crate::wiring::Ports;

/// Finds the best answers among the user's own memories, the best first.
pub async fn recall(
    ports: &Ports,
    scope: &Scope,
    question: &Question,
) -> Result<Vec<Hit<Arc<Memory>>>, SpaceError> {
    trace::operation(
        "search_memory",
        scope,
        recall_own(ports, scope, question),
        |hits, span| {
            span.set("gen_ai.memory.record.count", hits.len() as i64);
            span.content("gen_ai.memory.query.text", || question.text.clone());
        },
    )
    .await
}

async fn recall_own(
    ports: &Ports,
    scope: &Scope,
    question: &Question,
) -> Result<Vec<Hit<Arc<Memory>>>, SpaceError> {
    let query = PreparedQuery::of(&question.text, ports.embedder.as_deref(), scope.now).await;
    // A model that reads again decides what is weak, not the first ranking.
    let deeper = Question {
        limit: rerank::depth(ports, question.limit),
        fills: question.fills || ports.reranker.is_some(),
        ..question.clone()
    };
    let look = |view: &SpaceView| answers(view, &deeper, scope.lens(), &query);
    let hits = ports.spaces.read(scope.space(), look).await?;
    let mut hits = rerank::rerank(ports, &question.text, hits, question.limit).await;
    hits.retain(|hit| question.fills || !hit.weak);
    if question.counted {
        count(ports, scope, &hits);
    }
    Ok(hits)
}

/// Finds the best answers in a view that is at hand, of which only those that `keep` accepts are
/// returned and counted. A model that takes its time is not asked.
pub fn recall_in_view(
    ports: &Ports,
    scope: &Scope,
    view: &SpaceView,
    question: &Question,
    keep: impl Fn(&Memory) -> bool,
) -> Vec<Hit<Arc<Memory>>> {
    let mut hits = in_view(view, question, scope.lens());
    hits.retain(|hit| keep(&hit.item));
    if question.counted {
        count(ports, scope, &hits);
    }
    hits
}

fn count(ports: &Ports, scope: &Scope, hits: &[Hit<Arc<Memory>>]) {
    ports
        .recall_counts
        .note(scope, hits.iter().map(|hit| hit.item.id));
}

/// Finds the best answers in a view that is at hand, and counts nothing.
pub fn in_view(view: &SpaceView, question: &Question, lens: Lens<'_>) -> Vec<Hit<Arc<Memory>>> {
    let query = PreparedQuery::at_once(&question.text, view.embedder(), lens.now);
    answers(view, question, lens, &query)
}

/// Ranks the memories of a view for a question that was read already.
pub(crate) fn answers(
    view: &SpaceView,
    question: &Question,
    lens: Lens<'_>,
    query: &PreparedQuery,
) -> Vec<Hit<Arc<Memory>>> {
    let now = lens.now;
    let now_ms = now.as_millisecond();
    let since = question.since.map_or(i64::MIN, |since| since.as_millisecond());
    let until = question.until.map_or(i64::MAX, |until| until.as_millisecond());
    let known = question.as_of.map_or(i64::MAX, |at| at.as_millisecond());
    let category = question.category.as_ref().map(|category| category.as_str());
    let tier = question.tier.map(Tier::as_str);
    let keep = |facets: &Facets| {
        facets.expires_ms.is_none_or(|end| now_ms < end)
            && lens.sees_project(facets.project.as_deref())
            && category.is_none_or(|wanted| facets.category.as_deref() == Some(wanted))
            && tier.is_none_or(|wanted| facets.tier == Some(wanted))
            && (since..until).contains(&facets.time_ms)
            && facets.time_ms <= known
    };
    let limit = question.limit.min(Question::LIMIT_MAX);
    if query.is_overview() {
        let index = view.index();
        let facets_of = |memory: &Memory| index.facets(index.slot(&memory.id.to_string())?);
        return overview::hits(view, now, limit, |memory| facets_of(memory).is_some_and(keep));
    }
    let about_event = events::resolve(view, query, lens, known);
    let query = about_event.as_ref().unwrap_or(query);
    let asked = RankQuery {
        fills: question.fills,
        ..query.query(view.index().model())
    };
    let mut hits = Vec::new();
    for ranked in rank(view.index(), &asked, &keep, limit) {
        let memory = MemoryId::parse(&ranked.id).ok().and_then(|id| view.memory(id));
        // The index has milliseconds; a memory that ends within this one is scores exactly.
        if let Some(memory) = memory.filter(|memory| lens.shows(memory)) {
            hits.push(Hit {
                item: view.shown(memory),
                score: ranked.score,
                weak: is_weak(&ranked, asked.likeness_min),
                parts: Some(ranked.parts),
                rank: hits.len() + 1,
                validity: view.validity(memory.id),
            });
        }
    }
    if !question.fills {
        hits.retain(|hit| !hit.weak);
        hits = hit::numbered(hits, limit);
    }
    if let Some(at) = newest::moment(question, query, now) {
        let is_plain = category.is_none() && tier.is_none() && question.since.is_none();
        let may_answer = |memory: &Memory| {
            is_plain && lens.shows(memory) && memory.learned_at.as_millisecond() <= known.min(until)
        };
        newest::first(view, &mut hits, at, may_answer);
        hits.truncate(limit);
    }
    hits
}

/// Whether neither a word nor its meaning speaks for an entry, or so little that it hardly answers.
pub(super) fn is_weak(ranked: &RankedEntry, likeness_min: f32) -> bool {
    let parts = &ranked.parts;
    let is_silent = parts.words.is_none() && parts.meaning.is_none_or(|arm| arm.raw < likeness_min);
    is_silent || ranked.score < SCORE_FLOOR
}
