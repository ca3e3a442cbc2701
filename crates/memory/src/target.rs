//! Which memory is meant: by its id, by its key, or by the end of its id.

use std::fmt;
use std::sync::Arc;

use jiff::Timestamp;

use crate::id::MemoryId;
use crate::lens::Lens;
use crate::memory::{Key, Memory, Standing};
use crate::space::SpaceView;

/// A reference to one memory of the space at hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    Id(MemoryId),
    /// A key, or else the end of an id (see [`MemoryId::short`]) if no other id ends so.
    Key(String),
}

impl Target {
    /// Reads `key:NAME`, an id, or else a key.
    pub fn parse(raw: &str) -> Target {
        match raw.strip_prefix("key:") {
            Some(key) => Target::Key(key.to_owned()),
            None => MemoryId::parse(raw).map_or_else(|_| Target::Key(raw.to_owned()), Target::Id),
        }
    }

    /// Finds what is seen and shown.
    pub fn current<'v>(&self, view: &'v SpaceView, lens: Lens<'_>) -> Option<&'v Arc<Memory>> {
        match self {
            Target::Id(id) => view.memory(*id).filter(|memory| lens.shows(memory)),
            Target::Key(key) => view
                .by_key(key, lens)
                .filter(|memory| lens.sees(memory))
                .or_else(|| by_short_id(view, key).filter(|memory| lens.shows(memory)))
                .or_else(|| in_any_project(view, key, lens)),
        }
    }

    /// Finds what is hidden: the retired or expired memory of that id, or the last one hidden of
    /// that key.
    pub fn hidden<'v>(&self, view: &'v SpaceView, lens: Lens<'_>) -> Option<&'v Arc<Memory>> {
        let is_hidden = |memory: &&Arc<Memory>| !memory.is_current(lens.now) && lens.sees(memory);
        match self {
            Target::Id(id) => view.memory(*id).filter(is_hidden),
            Target::Key(key) => {
                let folded = Key::fold(key);
                let of_key = |m: &&Arc<Memory>| m.key.as_ref().is_some_and(|key| key.folded() == folded);
                let hidden = view.memories().filter(is_hidden).filter(of_key);
                let last = hidden.max_by_key(|memory| (hidden_at(memory), memory.id));
                last.or_else(|| by_short_id(view, key).filter(is_hidden))
            }
        }
    }

    /// Finds it whatever its standing, the one that is shown first.
    pub fn any<'v>(&self, view: &'v SpaceView, lens: Lens<'_>) -> Option<&'v Arc<Memory>> {
        self.current(view, lens).or_else(|| self.hidden(view, lens))
    }
}

/// Finds the only memory whose id ends in `raw`.
fn by_short_id<'v>(view: &'v SpaceView, raw: &str) -> Option<&'v Arc<Memory>> {
    if !MemoryId::may_end_in(raw) {
        return None;
    }
    let mut found = view.memories().filter(|memory| memory.id.ends_in(raw));
    match (found.next(), found.next()) {
        (Some(only), None) => Some(only),
        _ => None,
    }
}

/// Finds the only memory of this key in any project, for who sees all of them.
fn in_any_project<'v>(view: &'v SpaceView, key: &str, lens: Lens<'_>) -> Option<&'v Arc<Memory>> {
    if lens.project.is_some() {
        return None;
    }
    let folded = Key::fold(key);
    let is_named = |memory: &&Arc<Memory>| {
        memory.project.is_some() && memory.key.as_ref().is_some_and(|key| key.folded() == folded)
    };
    let mut found = view
        .memories()
        .filter(|memory| lens.shows(memory))
        .filter(is_named);
    match (found.next(), found.next()) {
        (Some(only), None) => Some(only),
        _ => None,
    }
}

fn hidden_at(memory: &Memory) -> Timestamp {
    match memory.standing {
        Standing::Retired { at, .. } => at,
        Standing::Active => memory.expires_at.unwrap_or(memory.revised_at),
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Target::Id(id) => id.fmt(f),
            Target::Key(key) => key.fmt(f),
        }
    }
}
