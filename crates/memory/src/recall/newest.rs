//! The newest truth first: of several versions of one fact, the one that holds at the time of the
//! question comes before the others, whichever words it has.

use std::sync::Arc;

use jiff::Timestamp;

use super::{Hit, PreparedQuery, Question};
use crate::id::MemoryId;
use crate::memory::Memory;
use crate::space::SpaceView;

/// How many of the best hits may bring the version that holds with them.
const DEPTH: usize = 10;

/// How many of the best hits may bring what was told about a change of them.
const TOLD_DEPTH: usize = 3;

/// The moment whose truth is asked for. None if the question is about what was before: then the
/// versions stay as they were found.
pub(super) fn moment(question: &Question, query: &PreparedQuery, now: Timestamp) -> Option<Timestamp> {
    match (question.as_of, query.past_end()) {
        (Some(at), _) => Some(at),
        (None, Some(end)) => Some(end),
        (None, None) if query.is_about_before() => None,
        (None, None) => Some(now),
    }
}

/// Puts the version that holds at `at` in the place of the first of its versions, with that one's
/// score. It is added if it was not found; nothing is taken out.
pub(super) fn first(
    view: &SpaceView,
    hits: &mut Vec<Hit<Arc<Memory>>>,
    at: Timestamp,
    may_answer: impl Fn(&Memory) -> bool,
) {
    let mut place = 0;
    while place < hits.len().min(DEPTH) {
        let id = hits[place].item.id;
        let told = || match place < TOLD_DEPTH {
            true => view.changed_by(&hits[place].item, at),
            false => None,
        };
        let holding = view.version_at(id, at).filter(|holding| *holding != id);
        if let Some(holding) = holding.or_else(told)
            && let Some(moved) = take(view, hits, holding, place, &may_answer)
        {
            let score = hits[place].score.max(moved.score);
            hits.insert(place, Hit { score, ..moved });
            place += 1;
        }
        place += 1;
    }
    sink_what_is_over(view, hits, at);
    for (place, hit) in hits.iter_mut().enumerate() {
        hit.rank = place + 1;
    }
}

/// What a memory that is over counts for, where nothing took its place.
const OVER_SHARE: f32 = 0.5;

/// Lets what holds come before what has ended.
fn sink_what_is_over(view: &SpaceView, hits: &mut [Hit<Arc<Memory>>], at: Timestamp) {
    let is_over = |hit: &Hit<Arc<Memory>>| {
        let ended = hit
            .validity
            .is_some_and(|validity| validity.until.is_some_and(|until| until <= at));
        ended && view.version_at(hit.item.id, at) == Some(hit.item.id)
    };
    let mut sunk = false;
    for hit in hits.iter_mut().filter(|hit| is_over(hit)) {
        hit.score *= OVER_SHARE;
        sunk = true;
    }
    if sunk {
        hits.sort_by(|a, b| b.score.total_cmp(&a.score));
    }
}

/// Takes the hit of a version out of what stands after `place`, or makes one.
fn take(
    view: &SpaceView,
    hits: &mut Vec<Hit<Arc<Memory>>>,
    id: MemoryId,
    place: usize,
    may_answer: &impl Fn(&Memory) -> bool,
) -> Option<Hit<Arc<Memory>>> {
    match hits.iter().position(|hit| hit.item.id == id) {
        // It stands before the older one already.
        Some(found) if found < place => None,
        Some(found) => Some(hits.remove(found)),
        None => {
            let memory = view.memory(id).filter(|memory| may_answer(memory))?;
            Some(Hit {
                item: view.shown(memory),
                score: 0.0,
                parts: None,
                rank: 0,
                validity: view.validity(id),
                weak: false,
            })
        }
    }
}
