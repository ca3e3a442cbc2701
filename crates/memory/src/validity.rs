//! When a memory holds in the world, apart from when it was stored.

use jiff::Timestamp;

use crate::id::MemoryId;

/// The time in which a memory holds, and its neighbours among the versions of the same fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Validity {
    pub from: Timestamp,
    /// None: it still holds.
    pub until: Option<Timestamp>,
    /// The version that took its place.
    pub superseded_by: Option<MemoryId>,
    /// The version whose place it took.
    pub replaces: Option<MemoryId>,
}

impl Validity {
    /// Tells whether it holds at `at`.
    pub fn holds(&self, at: Timestamp) -> bool {
        self.from <= at && self.until.is_none_or(|until| at < until)
    }
}
