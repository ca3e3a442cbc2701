//! Which memories are versions of one fact: those about the same slot of the same subject, of which
//! one value holds at a time.
//!
//! Derived from the memories, so that nothing is changed or deleted when a newer one comes: the
//! older one is simply no longer the latest of its slot. What was said about when a memory holds
//! ([`Period`](crate::validity::Period)) comes before what is derived.

use std::collections::{BTreeMap, HashMap};

use jiff::Timestamp;
use recalld_index::text::content_words;

use crate::id::MemoryId;
use crate::memory::{Memory, Origin, Project};
use crate::slots::{Slot, Values, tell_a_change};
use crate::validity::{Period, Validity};

/// The versions of each fact, in the order in which they became true.
#[derive(Debug, Default)]
pub(super) struct Facts {
    by_slot: HashMap<ProjectSlot, Versions>,
    members: HashMap<MemoryId, Member>,
    /// What took the place of what, where that was said.
    replaced: HashMap<MemoryId, MemoryId>,
    /// What tells that something changed, and gives no slot away.
    changes: Versions,
    told: HashMap<MemoryId, Told>,
}

type Versions = BTreeMap<(Timestamp, MemoryId), Standing>;

/// A memory that tells of a change.
#[derive(Debug)]
struct Told {
    at: Timestamp,
    /// What it is about. Read once: every search compares its best hits with these.
    words: Vec<String>,
}

/// A memory that has a time in the world.
#[derive(Clone, Debug)]
struct Member {
    /// None: its time was said, and it is no version of anything.
    slot: Option<ProjectSlot>,
    from: Timestamp,
    period: Period,
}

/// What a version needs to take the place of another.
#[derive(Clone, Copy, Debug)]
struct Standing {
    trust: Origin,
    until: Option<Timestamp>,
}

impl Standing {
    /// Lower trust never supersedes what the user said: what a model inferred stands beside it.
    fn may_supersede(self, older: Standing) -> bool {
        self.trust <= older.trust || !older.trust.is_users_own()
    }

    fn is_over(self, at: Timestamp) -> bool {
        self.until.is_some_and(|until| until <= at)
    }
}

/// A slot in a project, or in none: what holds in one project does not end what holds in another.
type ProjectSlot = (Option<Project>, Slot);

impl Facts {
    /// Takes a memory over as it is now.
    pub(super) fn put(&mut self, memory: &Memory) {
        self.remove(memory.id);
        if !memory.is_active() || memory.amends.is_some() {
            return;
        }
        // By its key, or by what it says. Most are about nothing such, which is known of a text
        // that was looked at before.
        let by_key = memory.key.as_ref().and_then(|key| Slot::of_key(key.as_str()));
        let has_period = memory.period != Period::default();
        if by_key.is_none() && !has_period && memory.content.is_versionless() {
            return;
        }
        let about = by_key.or_else(|| Slot::of(memory.content.as_str()));
        let tells_a_change = about.is_none() && tell_a_change(memory.content.as_str());
        let of_one = |slot: &Slot| slot.values() == Values::One;
        let slot = about.filter(of_one).map(Slot::canonical);
        let slot = slot.map(|slot| (memory.project.clone(), slot));
        let period = memory.period;
        let has_a_time = slot.is_some() || has_period;
        // What waits for a person to confirm it changes nothing before that. Asked last: screening
        // takes longest, and most memories are no version of anything. Rules are enough here, where
        // whole spaces are loaded: what is trusted less takes no place of the user's own.
        if !(tells_a_change || has_a_time) || memory.quarantine_as_known().is_some() {
            return;
        }
        let standing = Standing {
            trust: memory.trust,
            until: period.until,
        };
        if tells_a_change {
            self.changes.insert((memory.learned_at, memory.id), standing);
            let told = Told {
                at: memory.learned_at,
                words: content_words(memory.content.as_str()),
            };
            self.told.insert(memory.id, told);
        }
        if !has_a_time {
            return;
        }
        // What was over when it was said has begun before, nobody knows when.
        let learned = memory.learned_at;
        let begun = period.until.map_or(learned, |until| until.min(learned));
        let from = period.from.unwrap_or(begun);
        if let Some(slot) = &slot {
            let versions = self.by_slot.entry(slot.clone()).or_default();
            versions.insert((from, memory.id), standing);
        }
        if let Some(newer) = period.superseded_by {
            self.replaced.insert(newer, memory.id);
        }
        self.members.insert(memory.id, Member { slot, from, period });
    }

    pub(super) fn remove(&mut self, id: MemoryId) {
        if let Some(told) = self.told.remove(&id) {
            self.changes.remove(&(told.at, id));
        }
        let Some(member) = self.members.remove(&id) else {
            return;
        };
        if let Some(newer) = member.period.superseded_by
            && self.replaced.get(&newer) == Some(&id)
        {
            self.replaced.remove(&newer);
        }
        let Some(slot) = member.slot else { return };
        if let Some(versions) = self.by_slot.get_mut(&slot) {
            versions.remove(&(member.from, id));
            if versions.is_empty() {
                self.by_slot.remove(&slot);
            }
        }
    }

    /// When a memory holds, if it is about something that has one value at a time, or if it was
    /// said.
    pub(super) fn validity(&self, id: MemoryId) -> Option<Validity> {
        let member = self.members.get(&id)?;
        let Period {
            until, superseded_by, ..
        } = member.period;
        let said_to_replace = self.replaced.get(&id).copied();
        let (next, before) = match member.slot.as_ref().and_then(|slot| self.by_slot.get(slot)) {
            Some(versions) => neighbours(versions, (member.from, id)),
            None => (None, None),
        };
        // A memory that was hidden meanwhile has not taken anybody's place.
        let said = superseded_by.filter(|newer| self.members.contains_key(newer));
        Some(Validity {
            from: member.from,
            until: until.or(next.map(|(from, _)| from)),
            superseded_by: said.or(next.map(|(_, id)| id)),
            replaces: said_to_replace.or(before),
        })
    }

    /// The version of the same fact that holds at `at`; before the first one, the first.
    pub(super) fn version_at(&self, id: MemoryId, at: Timestamp) -> Option<MemoryId> {
        let member = self.members.get(&id)?;
        let Some(versions) = member.slot.as_ref().and_then(|slot| self.by_slot.get(slot)) else {
            return self.said_version_at(id, at);
        };
        let mut begun = versions.iter().take_while(|((from, _), _)| *from <= at);
        let Some(mut holding) = begun.next() else {
            return versions.first_key_value().map(|((_, id), _)| *id);
        };
        for version in begun {
            let ends = version.1.is_over(at) && !holding.1.is_over(at);
            if version.1.may_supersede(*holding.1) && !ends {
                holding = version;
            }
        }
        Some(holding.0.1)
    }

    /// What was told after `memory` and until `at` about something that changed and may be it, the
    /// newest first.
    pub(super) fn changes_after(&self, memory: &Memory, at: Timestamp) -> impl Iterator<Item = MemoryId> {
        /// Older ones are hardly what a question is about.
        const LOOKED_AT: usize = 32;
        let own = Standing {
            trust: memory.trust,
            until: None,
        };
        let after = memory.learned_at;
        let known = self.changes.iter().rev();
        let newer = known.skip_while(move |((told, _), _)| at < *told).take(LOOKED_AT);
        newer
            .take_while(move |((at, _), _)| after < *at)
            .filter(move |(_, change)| change.may_supersede(own))
            .map(|((_, id), _)| *id)
    }

    /// Tells whether what was told about a change has one of `words`.
    pub(super) fn tells_of(&self, id: MemoryId, words: &[String]) -> bool {
        let told = self.told.get(&id);
        told.is_some_and(|told| told.words.iter().any(|word| words.contains(word)))
    }

    /// Follows what was said to have taken its place, as long as that had begun.
    fn said_version_at(&self, id: MemoryId, at: Timestamp) -> Option<MemoryId> {
        // A ring cannot be said by the rules, but an import may bring one.
        const STEPS_MAX: usize = 64;
        let mut found = id;
        for _ in 0..STEPS_MAX {
            let newer = self.members.get(&found)?.period.superseded_by;
            let begun = |newer: &MemoryId| self.members.get(newer).is_some_and(|newer| newer.from <= at);
            match newer.filter(begun) {
                Some(newer) => found = newer,
                None => return Some(found),
            }
        }
        Some(id)
    }
}

/// The version that took the place of `own` with its beginning, and the one whose place it took.
fn neighbours(
    versions: &Versions,
    own: (Timestamp, MemoryId),
) -> (Option<(Timestamp, MemoryId)>, Option<MemoryId>) {
    let Some(standing) = versions.get(&own).copied() else {
        return (None, None);
    };
    let mut after = versions.range(own..).skip(1);
    let mut before = versions.range(..own).rev();
    // What was over when it began has taken nobody's place.
    let next = after.find(|((from, _), newer)| newer.may_supersede(standing) && !newer.is_over(*from));
    let before = before.find(|(_, older)| standing.may_supersede(**older));
    (next.map(|(next, _)| *next), before.map(|((_, id), _)| *id))
}
