//! The revision of each space, known without asking SQLite.
//!
//! One process owns the database, so what its writer committed last is the truth. Every search asks
//! for it.

use std::collections::HashMap;

use parking_lot::RwLock;
use recalld_memory::change::Revision;
use recalld_memory::id::SpaceId;

/// How many spaces are known at once: about 20 MB.
const SPACES_MAX: usize = 100_000;

/// The revisions that are known now.
#[derive(Debug, Default)]
pub(super) struct Revisions(RwLock<Known>);

#[derive(Debug, Default)]
struct Known {
    by_space: HashMap<SpaceId, Revision>,
    /// Counts how often all was forgotten.
    forgotten: u64,
}

/// The moment before a revision was read from the database.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moment(u64);

impl Revisions {
    /// Returns the revision of a space, where it is known.
    pub(super) fn get(&self, space: &SpaceId) -> Option<Revision> {
        let known = self.0.read();
        known.by_space.get(space).copied()
    }

    /// Returns the moment, before the database is asked.
    pub(super) fn moment(&self) -> Moment {
        Moment(self.0.read().forgotten)
    }

    /// Notes what was committed.
    pub(super) fn committed(&self, space: &SpaceId, revision: Revision) {
        let mut known = self.0.write();
        known.note(space, revision, SPACES_MAX);
    }

    /// Forgets a space that was erased. Who read its revision before notes nothing any more.
    pub(super) fn erased(&self, space: &SpaceId) {
        let mut known = self.0.write();
        known.by_space.remove(space);
        known.forgotten += 1;
    }

    /// Notes what was read since `moment`. It may be older than what was committed meanwhile: the
    /// higher one stays, and when that may have been forgotten in between, nothing is noted.
    pub(super) fn read(&self, moment: Moment, space: &SpaceId, revision: Revision) {
        let mut known = self.0.write();
        if known.forgotten == moment.0 {
            known.note(space, revision, SPACES_MAX);
        }
    }
}

impl Known {
    fn note(&mut self, space: &SpaceId, revision: Revision, spaces_max: usize) {
        if let Some(at) = self.by_space.get_mut(space) {
            *at = revision.max(*at);
            return;
        }
        if spaces_max <= self.by_space.len() {
            self.by_space.clear();
            self.forgotten += 1;
        }
        self.by_space.insert(space.clone(), revision);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn space(name: &str) -> SpaceId {
        SpaceId::from_stored(name.to_owned())
    }

    #[test]
    fn a_slow_reader_never_sets_a_space_back() {
        let revisions = Revisions::default();
        let moment = revisions.moment();
        revisions.committed(&space("a"), Revision(6));
        revisions.read(moment, &space("a"), Revision(5));
        assert_eq!(revisions.get(&space("a")), Some(Revision(6)));
    }

    #[test]
    fn a_reader_from_before_the_forgetting_notes_nothing() {
        let revisions = Revisions::default();
        let moment = revisions.moment();
        revisions.0.write().note(&space("a"), Revision(6), 1);
        revisions.0.write().note(&space("b"), Revision(1), 1);
        revisions.read(moment, &space("a"), Revision(5));
        assert_eq!(revisions.get(&space("a")), None);
        assert_eq!(revisions.get(&space("b")), Some(Revision(1)));
    }
}
