//! The requests with a key that are being carried out now.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;

use crate::outcomes::RequestName;

/// The turns of requests, so that a second sender of the same key waits for the first.
#[derive(Debug, Default)]
pub(crate) struct InFlight(Mutex<HashMap<RequestName, Turn>>);

type Turn = Arc<tokio::sync::Mutex<()>>;

impl InFlight {
    /// Gives the lock that requests of this name take while they are carried out.
    pub(super) fn turn(&self, of: &RequestName) -> Turn {
        let mut all = self.0.lock();
        all.retain(|_, turn| 1 < Arc::strong_count(turn));
        Arc::clone(all.entry(of.clone()).or_default())
    }

    /// Tells whether a request of this name is being carried out.
    pub(super) fn contains(&self, name: &RequestName) -> bool {
        let all = self.0.lock();
        all.get(name).is_some_and(|turn| turn.try_lock().is_err())
    }
}
