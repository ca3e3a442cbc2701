//! Evicts from the memory document what exceeds its token cap, as part of the write that would
//! exceed it.

use std::collections::HashSet;
use std::sync::Arc;

use super::view::SpaceView;
use crate::change::{Act, Change, Effect, Stamp};
use crate::document::Leaving;
use crate::entity::Entity;
use crate::id::{EntityId, MemoryId};
use crate::memory::Memory;

/// What left the memory document so that it fits. An evicted fact can still be recalled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evicted {
    pub facts: Vec<MemoryId>,
    pub places: Vec<EntityId>,
}

impl Evicted {
    /// The memory as it is stored, when it was decided before the cap was applied.
    pub fn applied_to(&self, memory: Arc<Memory>) -> Arc<Memory> {
        match memory.in_document && self.facts.contains(&memory.id) {
            true => Arc::new(Memory {
                in_document: false,
                ..Memory::clone(&memory)
            }),
            false => memory,
        }
    }
}

impl From<Leaving> for Evicted {
    fn from(leaving: Leaving) -> Evicted {
        Evicted {
            facts: leaving.facts.into_iter().map(|(_, id)| id).collect(),
            places: leaving.places.into_iter().map(|(_, id)| id).collect(),
        }
    }
}

/// How many of those who were over the cap when the space was loaded leave with one write: the rest
/// leaves with the next ones, so that none of them takes long.
const POSTPONED_MAX: usize = 1_000;

/// Folds `changes` into the view, with the evictions that keep the document within `cap` tokens
/// appended to them.
pub(super) fn fold_within_cap(view: &mut SpaceView, changes: &mut Vec<Change>, cap: usize) -> Evicted {
    let Some(stamp) = last_document_stamp(changes) else {
        view.fold(changes);
        return Evicted::default();
    };
    // Counted before, so that what this write pushes out is told from what was over the cap
    // already.
    view.ledger();
    view.fold(changes);
    let ledger = view.ledger_mut();
    let postponed = Evicted::from(ledger.take_postponed(POSTPONED_MAX));
    let evicted = Evicted::from(ledger.make_room(cap));
    for leaving in [&evicted, &postponed] {
        if *leaving != Evicted::default() {
            let evictions = evict(view, changes, leaving, &stamp);
            view.fold(&evictions);
            changes.extend(evictions);
        }
    }
    evicted
}

/// The evictions that bring a document which is over `cap` tokens back within it.
pub fn evictions(view: &SpaceView, stamp: &Stamp, cap: usize) -> Vec<Change> {
    let mut ledger = view.ledger().clone();
    [ledger.take_postponed(usize::MAX), ledger.make_room(cap)]
        .into_iter()
        .flat_map(|leaving| {
            let written = (&HashSet::new(), &HashSet::new());
            evict_known(view, &Evicted::from(leaving), written.0, written.1, stamp)
        })
        .collect()
}

/// The stamp of the last change that touches the document, without a source of its own.
fn last_document_stamp(changes: &[Change]) -> Option<Stamp> {
    let touches = |change: &&Change| {
        matches!(
            change.effect,
            Effect::Memory { .. } | Effect::Entity { .. } | Effect::Mention { .. }
        )
    };
    let stamp = &changes
        .iter()
        .filter(touches)
        .max_by_key(|change| change.stamp.at)?
        .stamp;
    Some(Stamp {
        source: None,
        ..stamp.clone()
    })
}

/// Takes what this write itself brings out of the document where it stands, and returns a change
/// for everything else that leaves.
fn evict(view: &mut SpaceView, changes: &mut [Change], evicted: &Evicted, stamp: &Stamp) -> Vec<Change> {
    let facts: HashSet<MemoryId> = evicted.facts.iter().copied().collect();
    let places: HashSet<&EntityId> = evicted.places.iter().collect();
    let (mut written_facts, mut written_places) = (HashSet::new(), HashSet::new());
    for change in changes.iter_mut() {
        match &mut change.effect {
            Effect::Memory { memory, .. } if facts.contains(&memory.id) => {
                memory.in_document = false;
                written_facts.insert(memory.id);
            }
            Effect::Entity { entity, .. } if places.contains(&entity.id) => {
                entity.in_document = false;
                written_places.insert(entity.id.clone());
            }
            _ => continue,
        }
        view.fold(std::slice::from_ref(change));
    }
    evict_known(view, evicted, &written_facts, &written_places, stamp)
}

/// A change for everything that leaves and was not written just now, in the order in which it
/// leaves.
fn evict_known(
    view: &SpaceView,
    evicted: &Evicted,
    written_facts: &HashSet<MemoryId>,
    written_places: &HashSet<EntityId>,
    stamp: &Stamp,
) -> Vec<Change> {
    let act = Act::Evict;
    let change = |effect| Change {
        stamp: stamp.clone(),
        effect,
    };
    let facts = evicted.facts.iter().filter(|id| !written_facts.contains(id));
    let facts = facts.filter_map(|id| view.memory(*id)).map(|known| {
        let memory = known.revised(stamp.at, |memory| memory.in_document = false);
        change(Effect::Memory { act, memory })
    });
    let places = evicted.places.iter().filter(|id| !written_places.contains(*id));
    let places = places.filter_map(|id| view.entity(id)).map(|known| {
        let entity = Entity {
            in_document: false,
            ..Entity::clone(known)
        };
        change(Effect::Entity { act, entity })
    });
    facts.chain(places).collect()
}
