//! Finds memories by their key and by what they say, in a project or in none.

use std::sync::Arc;

use jiff::Timestamp;

use super::SpaceView;
use crate::lens::Lens;
use crate::memory::{Key, Memory, Project};
use crate::policy::duplicates::Fingerprint;

impl SpaceView {
    /// Finds the memory that is shown under `key`: that of the project before that of none.
    pub fn by_key(&self, key: &str, lens: Lens<'_>) -> Option<&Arc<Memory>> {
        let own = lens.project.and_then(|_| self.keyed(key, lens.project, lens.now));
        own.or_else(|| self.keyed(key, None, lens.now))
    }

    /// Finds the memory that is shown at `now` under `key` and belongs to just this project, or to
    /// none.
    pub fn keyed(&self, key: &str, project: Option<&Project>, now: Timestamp) -> Option<&Arc<Memory>> {
        let id = self.by_key.get(&named_in(project, Key::fold(key)))?;
        self.memories.get(id).filter(|memory| memory.is_current(now))
    }

    /// Finds the memory that is shown and says the same, in the project or in none.
    pub fn by_statement(&self, statement: &Fingerprint, lens: Lens<'_>) -> Option<&Arc<Memory>> {
        let said = |statement| {
            let id = self.by_statement.find(&statement, &self.memories)?;
            self.memories
                .get(&id)
                .filter(|memory| memory.is_current(lens.now))
        };
        let own = lens.project.and_then(|_| said(statement.within(lens.project)));
        own.or_else(|| said(*statement))
    }
}

/// The name of a key in a project, apart from those of all others: no project holds a colon.
pub(crate) fn named_in(project: Option<&Project>, folded: String) -> String {
    match project {
        Some(project) => format!("{project}:{folded}"),
        None => format!(":{folded}"),
    }
}

/// What a memory says, in its project.
pub(crate) fn fingerprints(memory: &Memory) -> impl Iterator<Item = Fingerprint> {
    let all = Fingerprint::all(memory.content.as_str());
    all.map(|said| said.within(memory.project.as_ref()))
}
