//! Keeps the memory document within its token cap, as part of the write that would exceed it.

use std::sync::Arc;

use crate::change::{Act, Change, Effect};
use crate::entity::Entity;
use crate::id::{EntityId, MemoryId};
use crate::memory::Memory;
use crate::scope::Scope;
use crate::space::SpaceView;

/// Adds to `changes` the evictions that keep the document within `cap` tokens. Gives them with the
/// number of facts that left. An evicted fact can still be recalled; it is only no longer part of
/// the document.
pub fn within_cap(view: &SpaceView, scope: &Scope, changes: Vec<Change>, cap: usize) -> (Vec<Change>, usize) {
    let mut ledger = view.ledger().clone();
    for change in &changes {
        match &change.effect {
            Effect::Memory { memory, .. } => {
                ledger.remove_fact(memory.learned_at, memory.id);
                if memory.in_document {
                    ledger.put_fact(memory);
                }
            }
            Effect::Entity { entity, .. } => {
                ledger.remove_place(entity.added_at, &entity.id);
                let mentions = view
                    .entity(&entity.id)
                    .map(|known| known.mentions.clone())
                    .unwrap_or_default();
                enter_place(
                    &mut ledger,
                    &Entity {
                        mentions,
                        ..entity.clone()
                    },
                );
            }
            Effect::Mention { entity, mention } => {
                if let Some(mut place) = latest_entity(view, &changes, entity) {
                    place.mentions.push(mention.clone());
                    enter_place(&mut ledger, &place);
                }
            }
            _ => {}
        }
    }
    let leaving = ledger.make_room(cap);
    let evicted = leaving.facts.len();
    let mut changes = changes;
    for id in leaving.facts {
        evict_fact(view, scope, &mut changes, id);
    }
    for id in leaving.places {
        evict_place(view, scope, &mut changes, &id);
    }
    (changes, evicted)
}

fn enter_place(ledger: &mut super::Ledger, place: &Entity) {
    if place.in_document && !place.retired && place.kind == crate::entity::EntityKind::Place {
        ledger.put_place(place);
    }
}

/// Gives an entity as this write leaves it.
fn latest_entity(view: &SpaceView, changes: &[Change], id: &EntityId) -> Option<Entity> {
    let known = view.entity(id).map(|known| Entity::clone(known));
    let written = changes.iter().rev().find_map(|change| match &change.effect {
        Effect::Entity { entity, .. } if entity.id == *id => Some(entity.clone()),
        _ => None,
    });
    match (written, known) {
        (Some(written), Some(known)) => Some(Entity {
            mentions: known.mentions,
            ..written
        }),
        (written, known) => written.or(known),
    }
}

/// A fact that this very write brings does not enter; another one leaves.
fn evict_fact(view: &SpaceView, scope: &Scope, changes: &mut Vec<Change>, id: MemoryId) {
    let written = changes.iter_mut().find_map(|change| match &mut change.effect {
        Effect::Memory { memory, .. } if memory.id == id => Some(memory),
        _ => None,
    });
    if let Some(memory) = written {
        memory.in_document = false;
    } else if let Some(known) = view.memory(id) {
        let memory = Memory {
            in_document: false,
            version: known.version + 1,
            revised_at: scope.now,
            ..Memory::clone(known)
        };
        changes.push(scope.change(
            None,
            Effect::Memory {
                act: Act::Evict,
                memory,
            },
        ));
    }
}

fn evict_place(view: &SpaceView, scope: &Scope, changes: &mut Vec<Change>, id: &EntityId) {
    let written = changes.iter_mut().find_map(|change| match &mut change.effect {
        Effect::Entity { entity, .. } if entity.id == *id => Some(entity),
        _ => None,
    });
    if let Some(entity) = written {
        entity.in_document = false;
    } else if let Some(known) = view.entity(id).map(Arc::as_ref) {
        let entity = Entity {
            in_document: false,
            ..known.clone()
        };
        changes.push(scope.change(
            None,
            Effect::Entity {
                act: Act::Evict,
                entity,
            },
        ));
    }
}
