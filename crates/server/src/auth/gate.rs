//! Checks keys, and remembers for a second what it found, so that a busy caller does not ask the
//! store each time.
//!
//! While the store cannot be reached, a key that was good a while ago is let through as *unproven*:
//! whoever has it may talk, and gets nothing that is stored.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use recalld_memory::ports::{Keyring, StoreError};
use subtle::ConstantTimeEq;
use tokio::time::Instant;

use super::keys;
use super::proof::Identity;

/// A key that is let through.
#[derive(Clone, Debug)]
pub(crate) struct Checked {
    pub(crate) identity: Arc<Identity>,
    /// Whether the store said so within the last second.
    pub(crate) proven: bool,
}

/// The checked keys of the last while.
#[derive(Debug)]
pub(crate) struct Gate {
    keyring: Arc<dyn Keyring>,
    seen: Mutex<SeenKeys>,
}

type SeenKeys = HashMap<[u8; 32], Seen, BuildHasherDefault<OwnBits>>;

#[derive(Clone, Debug)]
struct Seen {
    identity: Arc<Identity>,
    checked: Instant,
    noted: Instant,
}

/// Takes the first bits of a digest for its hash. Only digests of keys that are good are kept, so
/// nobody can choose them.
#[derive(Debug, Default)]
struct OwnBits(u64);

impl Hasher for OwnBits {
    fn write(&mut self, bytes: &[u8]) {
        if let Some(first) = bytes.first_chunk() {
            self.0 = u64::from_ne_bytes(*first);
        }
    }

    /// An array writes its length too, which tells nothing.
    fn write_usize(&mut self, _length: usize) {}

    fn finish(&self) -> u64 {
        self.0
    }
}

/// A revoked key is refused everywhere after this time.
const TRUSTED: Duration = Duration::from_millis(900);

/// A key is let through as unproven for so long after the store last knew it.
const EXCUSED: Duration = Duration::from_secs(15 * 60);

/// How often the use of a key is written down.
const NOTED_EVERY: Duration = Duration::from_secs(60);

/// How many keys are remembered at the most.
const SEEN_MAX: usize = 10_000;

impl Gate {
    pub(crate) fn new(keyring: Arc<dyn Keyring>) -> Gate {
        Gate {
            keyring,
            seen: Mutex::default(),
        }
    }

    /// Finds the key that `presented` is, unless it was revoked.
    pub(crate) async fn check(&self, presented: &str, now: Timestamp) -> Result<Option<Checked>, StoreError> {
        let digest = keys::digest(presented);
        let seen = self.seen().get(&digest).cloned();
        let let_through = |identity: &Arc<Identity>, proven| {
            let identity = Arc::clone(identity);
            Ok(Some(Checked { identity, proven }))
        };
        if let Some(seen) = seen.as_ref().filter(|seen| seen.checked.elapsed() < TRUSTED) {
            return let_through(&seen.identity, true);
        }
        // What the store says may be as old as the question.
        let asked = Instant::now();
        let found = match self.keyring.key(&digest).await {
            Ok(found) => found,
            Err(error @ StoreError::Unavailable { .. }) => {
                let excused = seen.filter(|seen| seen.checked.elapsed() < EXCUSED);
                return excused.map_or(Err(error), |seen| let_through(&seen.identity, false));
            }
            Err(error) => return Err(error),
        };
        let valid = found.filter(|key| bool::from(key.digest.ct_eq(&digest)) && key.revoked_at.is_none());
        let Some(key) = valid else {
            self.seen().remove(&digest);
            return Ok(None);
        };
        let mut noted = seen.map(|seen| seen.noted);
        if noted.is_none_or(|noted| NOTED_EVERY <= noted.elapsed()) {
            noted = Some(Instant::now());
            self.note_use(key.id.clone(), now);
        }
        let mut all = self.seen();
        if SEEN_MAX <= all.len() {
            all.retain(|_, seen| seen.checked.elapsed() < TRUSTED);
        }
        let identity = Arc::new(Identity::from(key));
        let checked = let_through(&identity, true);
        let seen = Seen {
            identity,
            checked: asked,
            noted: noted.unwrap_or_else(Instant::now),
        };
        all.insert(digest, seen);
        checked
    }

    /// Forgets what was checked, so that the next use of every key asks the store.
    pub(crate) fn forget(&self) {
        self.seen().clear();
    }

    /// Written down beside the request, which does not wait for it.
    fn note_use(&self, id: String, now: Timestamp) {
        let keyring = Arc::clone(&self.keyring);
        tokio::spawn(async move {
            if let Err(error) = keyring.key_used(&id, now).await {
                tracing::warn!(key = id, %error, "the use of a key could not be noted");
            }
        });
    }

    fn seen(&self) -> MutexGuard<'_, SeenKeys> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
