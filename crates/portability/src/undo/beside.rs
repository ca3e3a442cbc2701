//! What unwanted changes did beside memories: to entities, which can be hidden and shown again, and
//! to what has no earlier state to go back to, which is told.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use jiff::Timestamp;
use recalld_memory::change::{Act, Change, Effect, Event, Stamp};
use recalld_memory::entity::Entity;
use recalld_memory::id::EntityId;
use recalld_memory::memory::Source;
use recalld_memory::ports::StoreError;
use recalld_memory::record::RecordKind;
use recalld_memory::scope::Scope;
use recalld_memory::space::SpaceView;
use recalld_memory::wiring::Ports;

use super::{Undone, Unwanted, is_mark};
use crate::event_log::each_event;

/// Something that was changed too, and stays as it is: it has no versions.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Untouched {
    /// Such as `profile`, `working_memory` or `conversation`.
    pub kind: String,
    pub id: String,
}

/// The changes of the log that were not made to memories.
#[derive(Clone, Debug, Default)]
pub(super) struct Log {
    /// What was done to each entity, the oldest first.
    entities: BTreeMap<String, Vec<(Act, Stamp)>>,
    /// What was done to all else.
    others: Vec<(Untouched, Stamp)>,
}

impl Log {
    /// Reads the whole log.
    pub(super) async fn read(ports: &Ports, scope: &Scope) -> Result<Log, StoreError> {
        let mut log = Log::default();
        each_event(ports, scope, |event| log.put(event)).await?;
        log.entities.values_mut().for_each(|deeds| deeds.reverse());
        Ok(log)
    }

    fn put(&mut self, event: Event) {
        let (kind, id) = event.subject;
        match (kind.as_str(), Act::parse(&event.verb)) {
            ("memory", _) => {}
            ("entity", Some(act)) => self.entities.entry(id).or_default().push((act, event.stamp)),
            // To be mentioned does not change an entity, and what is erased cannot come back.
            ("entity", None) => {}
            ("message", _) => {
                let conversation = id.split('\n').next().unwrap_or_default().to_owned();
                let kind = "conversation".to_owned();
                let untouched = Untouched {
                    kind,
                    id: conversation,
                };
                self.others.push((untouched, event.stamp));
            }
            _ => self.others.push((Untouched { kind, id }, event.stamp)),
        }
    }

    /// Finds who made the last change of an entity that was neither an undoing nor taken back by
    /// one.
    pub(super) fn last(&self) -> Option<&Stamp> {
        let found = self.entities.values().filter_map(|deeds| {
            let at = standing(deeds).pop()?;
            Some(&deeds[at].1)
        });
        found.max_by_key(|stamp| stamp.at)
    }

    /// Decides what becomes of the entities.
    pub(super) fn aims(&self, unwanted: &Unwanted) -> Vec<EntityAim> {
        let aim = |(id, deeds): (&String, &Vec<(Act, Stamp)>)| {
            let becomes = becomes(deeds, unwanted)?;
            let id = EntityId::new(id.as_str()).ok()?;
            Some(EntityAim { id, becomes })
        };
        self.entities.iter().filter_map(aim).collect()
    }

    /// Names what was changed too and has no versions.
    pub(super) fn untouched(&self, unwanted: &Unwanted) -> BTreeSet<Untouched> {
        let touched = self.others.iter().filter(|(_, stamp)| unwanted.is_by(stamp));
        touched.map(|(what, _)| what.clone()).collect()
    }

    /// Names what a user may have meant by the last change, if that was later than `at` and has no
    /// versions.
    pub(super) fn later(&self, at: Option<Timestamp>) -> BTreeSet<Untouched> {
        let by_hand = [
            RecordKind::Profile,
            RecordKind::WorkingMemory,
            RecordKind::WorkingMemorySchema,
        ];
        let is_meant = |what: &Untouched| by_hand.iter().any(|kind| kind.as_str() == what.kind);
        let later = self
            .others
            .iter()
            .filter(|(what, stamp)| is_meant(what) && at.is_none_or(|at| at < stamp.at));
        later.map(|(what, _)| what.clone()).collect()
    }
}

/// What one entity should become.
#[derive(Clone, Debug)]
pub(super) struct EntityAim {
    id: EntityId,
    becomes: Becomes,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Becomes {
    Hidden,
    Shown,
    /// It was given another name or other notes, and what it said before is not kept.
    AsItIs,
}

/// The places of what was done and not taken back.
fn standing(deeds: &[(Act, Stamp)]) -> Vec<usize> {
    let mut standing: Vec<usize> = Vec::new();
    for (at, (act, stamp)) in deeds.iter().enumerate() {
        match (is_mark(stamp), act) {
            (_, Act::Evict) => {}
            (false, _) => standing.push(at),
            // It was hidden because all of it was new, or because it had been hidden before.
            (true, Act::Retire) => {
                let back_to = standing.iter().rposition(|past| deeds[*past].0 == Act::Retire);
                standing.truncate(back_to.map_or(0, |at| at + 1));
            }
            (true, _) => {
                let back_to = standing.iter().rposition(|past| deeds[*past].0 != Act::Retire);
                standing.truncate(back_to.map_or(0, |at| at + 1));
            }
        }
    }
    standing
}

fn becomes(deeds: &[(Act, Stamp)], unwanted: &Unwanted) -> Option<Becomes> {
    let standing = standing(deeds);
    let first = standing.iter().position(|at| unwanted.is_by(&deeds[*at].1))?;
    let since = &standing[first..];
    let by_others = since.iter().any(|at| !unwanted.is_by(&deeds[*at].1));
    let was = standing[..first].last().map(|at| deeds[*at].0);
    let revised = since.iter().any(|at| deeds[*at].0 == Act::Revise);
    Some(match (by_others, was, revised) {
        (false, None | Some(Act::Retire), _) => Becomes::Hidden,
        (false, Some(_), false) => Becomes::Shown,
        _ => Becomes::AsItIs,
    })
}

/// Makes the changes that bring entities to where they should be.
pub(super) fn carry_out(
    view: &SpaceView,
    scope: &Scope,
    aims: &[EntityAim],
    source: Option<&Source>,
    undone: &mut Undone,
) -> Vec<Change> {
    let mut changes = Vec::new();
    for EntityAim { id, becomes } in aims {
        let Some(known) = view.entity(id) else { continue };
        let retired = match becomes {
            Becomes::AsItIs => {
                undone.untouched.insert(Untouched {
                    kind: "entity".to_owned(),
                    id: id.to_string(),
                });
                continue;
            }
            Becomes::Hidden => true,
            Becomes::Shown => false,
        };
        if known.retired == retired {
            continue;
        }
        let entity = Entity {
            retired,
            revised_at: scope.now,
            in_document: known.in_document || !retired,
            ..Entity::clone(known)
        };
        let act = if retired { Act::Retire } else { Act::Restore };
        let list = match act {
            Act::Retire => &mut undone.hidden_entities,
            _ => &mut undone.restored_entities,
        };
        list.push(Arc::new(entity.clone()));
        changes.push(scope.change(source.cloned(), Effect::Entity { act, entity }));
    }
    changes
}
