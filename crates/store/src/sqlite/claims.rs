//! Claims of jobs on spaces. One process locks the directory, so they can be in its memory.

use std::collections::HashMap;
use std::time::Instant;

use parking_lot::Mutex;
use recalld_memory::id::SpaceId;
use recalld_memory::ports::Claim;

/// The claims of this process.
#[derive(Debug, Default)]
pub(super) struct Claims(Mutex<HashMap<(String, SpaceId), Held>>);

#[derive(Debug)]
struct Held {
    by: String,
    /// None: longer than can be counted.
    until: Option<Instant>,
}

impl Claims {
    /// Claims a space, unless it is claimed already.
    pub(super) fn take(&self, claim: &Claim<'_>, space: &SpaceId) -> bool {
        let now = Instant::now();
        let mut held = self.0.lock();
        let name = (claim.job.to_owned(), space.clone());
        let is_free = |held: &Held| held.until.is_some_and(|until| until <= now);
        if !held.get(&name).is_none_or(is_free) {
            return false;
        }
        let mine = Held {
            by: claim.holder.to_owned(),
            until: now.checked_add(claim.lasts),
        };
        held.insert(name, mine);
        true
    }

    /// Releases what the holder has claimed for the job.
    pub(super) fn release(&self, claim: &Claim<'_>) {
        let mut held = self.0.lock();
        held.retain(|(job, _), held| job != claim.job || held.by != claim.holder);
    }
}
