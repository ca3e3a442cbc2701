//! Pages through what is remembered, shows one memory with its history, and counts.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::Timestamp;
use recalld_index::text::tokens::TokenCount;
use thiserror::Error;

use crate::change::{Revision, Version};
use crate::entity::EntityKind;
use crate::id::{ConversationId, MemoryId};
use crate::memory::{Category, Memory, Origin, Project, Tier};
use crate::ports::StoreError;
use crate::scope::Scope;
use crate::space::{SpaceError, SpaceView};
use crate::target::Target;
use crate::wiring::Ports;

/// Which memories are listed.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    pub category: Option<Category>,
    pub tier: Option<Tier>,
    pub showing: Showing,
    /// Only memories of this origin.
    pub origin: Option<Origin>,
    /// Only memories that are less certain than this.
    pub confidence_below: Option<f64>,
    /// Only memories learned at this time or later.
    pub since: Option<Timestamp>,
    /// Only memories that came out of this conversation.
    pub conversation: Option<ConversationId>,
    /// Only memories that belong to this project.
    pub project: Option<Project>,
    /// Only memories before this one, in the order of the list.
    pub after: Option<MemoryId>,
}

/// Whether hidden memories are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Showing {
    /// Neither retired nor expired.
    #[default]
    Current,
    /// Retired or expired.
    Hidden,
    All,
}

impl Filter {
    pub(crate) fn keeps(&self, memory: &Memory, now: Timestamp) -> bool {
        let shown = match self.showing {
            Showing::Current => memory.is_current(now),
            Showing::Hidden => !memory.is_current(now),
            Showing::All => true,
        };
        shown
            && self
                .category
                .as_ref()
                .is_none_or(|wanted| *wanted == memory.category)
            && (self.project.is_none() || self.project == memory.project)
            && self.tier.is_none_or(|wanted| wanted == memory.tier)
            && self.origin.is_none_or(|wanted| wanted == memory.origin)
            && self
                .confidence_below
                .is_none_or(|most| memory.confidence.value() < most)
            && self.since.is_none_or(|since| since <= memory.learned_at)
            && self
                .conversation
                .as_ref()
                .is_none_or(|wanted| memory.conversation.as_ref() == Some(wanted))
    }
}

/// Some of the memories that a filter keeps, the newest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Listing {
    pub memories: Vec<Arc<Memory>>,
    /// How many the filter keeps in all, on this page, before and after it.
    pub total: usize,
    /// Where the next page begins, if there is one.
    pub next: Option<MemoryId>,
}

/// Lists memories, the newest first, at most `limit`.
pub async fn list(
    ports: &Ports,
    scope: &Scope,
    filter: &Filter,
    limit: usize,
) -> Result<Listing, SpaceError> {
    let look = |view: &SpaceView| {
        let mut listing = Listing::default();
        let mut more = false;
        for memory in view
            .memories()
            .rev()
            .filter(|memory| scope.lens().sees(memory) && filter.keeps(memory, scope.now))
        {
            listing.total += 1;
            if filter.after.is_some_and(|after| after <= memory.id) {
                continue;
            }
            match listing.memories.len() < limit {
                true => listing.memories.push(view.shown(memory)),
                false => more = true,
            }
        }
        listing.next = listing.memories.last().filter(|_| more).map(|last| last.id);
        listing
    };
    ports.spaces.read(scope.space(), look).await
}

/// Finds the memory that `target` names, whatever its standing.
pub async fn find(ports: &Ports, scope: &Scope, target: &Target) -> Result<Option<Arc<Memory>>, SpaceError> {
    let look = |view: &SpaceView| target.any(view, scope.lens()).map(|memory| view.shown(memory));
    ports.spaces.read(scope.space(), look).await
}

/// Why a history could not be read.
#[derive(Debug, Error)]
pub enum HistoryError {
    /// The store failed.
    #[error("the history of the memory cannot be read: {0}")]
    Store(#[from] StoreError),
    /// The space could not be read.
    #[error(transparent)]
    Space(#[from] SpaceError),
}

/// Reads every version of the memory that `target` names, the oldest first; none when there is no
/// such memory.
pub async fn history(
    ports: &Ports,
    scope: &Scope,
    target: &Target,
) -> Result<Option<Vec<Version>>, HistoryError> {
    let Some(memory) = find(ports, scope, target).await? else {
        return Ok(None);
    };
    let versions = ports.store.history(scope.space(), memory.id).await?;
    Ok(Some(versions).filter(|versions| !versions.is_empty()))
}

/// What a space holds, in figures.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Statistics {
    pub revision: Revision,
    /// Neither retired nor expired.
    pub current: usize,
    pub durable: usize,
    pub daily: usize,
    pub retired: usize,
    pub expired: usize,
    /// How many current memories each category has.
    pub categories: BTreeMap<String, usize>,
    /// How many current memories each project has.
    pub projects: BTreeMap<String, usize>,
    pub places: usize,
    pub accounts: usize,
    pub people: usize,
    pub conversations: usize,
    /// Current memories that a person has not confirmed (see [`is_unconfirmed`]).
    pub unconfirmed: usize,
    pub document_facts: usize,
    pub document_tokens: TokenCount,
    /// What the space takes in memory.
    pub bytes: usize,
    pub oldest: Option<Timestamp>,
    pub newest: Option<Timestamp>,
}

/// Counts what the space holds.
pub async fn statistics(ports: &Ports, scope: &Scope) -> Result<Statistics, SpaceError> {
    ports
        .spaces
        .read(scope.space(), |view| count(view, scope.now))
        .await
}

fn count(view: &SpaceView, now: Timestamp) -> Statistics {
    let mut figures = Statistics {
        revision: view.revision(),
        document_tokens: view.ledger().tokens(),
        bytes: view.bytes(),
        conversations: view.conversations().count(),
        ..Statistics::default()
    };
    for memory in view.memories() {
        figures.document_facts += usize::from(memory.in_document);
        if !memory.is_active() {
            figures.retired += 1;
        } else if !memory.is_current(now) {
            figures.expired += 1;
        } else {
            figures.current += 1;
            match memory.tier {
                Tier::Durable => figures.durable += 1,
                Tier::Daily => figures.daily += 1,
            }
            figures.unconfirmed += usize::from(is_unconfirmed(memory));
            *figures.categories.entry(memory.category.to_string()).or_default() += 1;
            if let Some(project) = &memory.project {
                *figures.projects.entry(project.to_string()).or_default() += 1;
            }
            figures.oldest = figures
                .oldest
                .map_or(Some(memory.learned_at), |at| Some(at.min(memory.learned_at)));
            figures.newest = figures.newest.max(Some(memory.learned_at));
        }
    }
    for entity in view.entities() {
        match entity.kind {
            EntityKind::Place => figures.places += 1,
            EntityKind::Account => figures.accounts += 1,
            EntityKind::Person => figures.people += 1,
        }
    }
    figures
}

/// Below this, a memory is too uncertain to go unseen.
const CERTAIN_MIN: f64 = 0.7;

/// Whether it waits for a person: an agent noted it and nobody has confirmed it, it would change
/// another one, or it is not certain.
fn is_unconfirmed(memory: &Memory) -> bool {
    let noted = matches!(memory.trust, Origin::Inferred | Origin::Assistant | Origin::Tool);
    noted || memory.amends.is_some() || memory.confidence.value() < CERTAIN_MIN
}
