//! Events as dates: *the week before the wedding* is resolved by what was told of the wedding.

use recalld_index::index::Facets;
use recalld_index::rank::{Arms, RankQuery, rank};
use recalld_index::text::{Term, TermKind, read_query};
use recalld_index::when::{Span, told_time};

use super::PreparedQuery;
use crate::id::MemoryId;
use crate::lens::Lens;
use crate::memory::Memory;
use crate::space::SpaceView;

/// How many memories about an event are looked at for its date.
const DEPTH: usize = 5;

/// The length of a day, for a memory that holds from a moment on.
const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// The question with the time of the event that it names; none if it names none, or nothing that
/// `lens` shows tells when it was. `known_ms` bounds what counts as told.
pub(super) fn resolve(
    view: &SpaceView,
    query: &PreparedQuery,
    lens: Lens<'_>,
    known_ms: i64,
) -> Option<PreparedQuery> {
    let event = query.event()?;
    event.names.iter().find_map(|name| {
        let (terms, _) = read_query(name);
        let at = told_at(view, &terms, lens, known_ms)?;
        Some(query.about(event.beside(at), &terms))
    })
}

/// Finds the best memory that has every word of the name and tells when it was.
fn told_at(view: &SpaceView, terms: &[Term], lens: Lens<'_>, known_ms: i64) -> Option<Span> {
    let asked = RankQuery {
        terms,
        arms: Arms::Words,
        now_ms: lens.now.as_millisecond(),
        ..RankQuery::default()
    };
    let keep = |facets: &Facets| lens.sees_project(facets.project.as_deref()) && facets.time_ms <= known_ms;
    let found = rank(view.index(), &asked, &keep, DEPTH);
    let mut memories = found
        .iter()
        .filter_map(|ranked| view.memory(MemoryId::parse(&ranked.id).ok()?))
        .filter(|memory| lens.shows(memory) && has_all(memory, terms));
    memories.find_map(|memory| time_of(memory))
}

fn has_all(memory: &Memory, wanted: &[Term]) -> bool {
    let (there, _) = read_query(memory.content.as_str());
    let mut words = wanted
        .iter()
        .filter(|term| term.kind != TermKind::Alias)
        .peekable();
    words.peek().is_some() && words.all(|term| there.iter().any(|own| own.text == term.text))
}

/// When something was: by its words, or by when it is said to hold from.
fn time_of(memory: &Memory) -> Option<Span> {
    let held = || {
        let from = memory.period.from?.as_millisecond();
        Some(Span {
            since_ms: from,
            until_ms: from.saturating_add(DAY_MS),
        })
    };
    told_time(memory.content.as_str(), memory.learned_at).or_else(held)
}
