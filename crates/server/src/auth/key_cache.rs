//! Checks keys, and caches the result for a second, so that a busy caller does not query the store
//! for each request.
//!
//! While the store is unavailable, a key that was valid a while ago is accepted as *unproven*: its
//! holder may chat, and gets nothing that is stored.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use recalld_memory::ports::{Keyring, StoreError};
use subtle::ConstantTimeEq;
use tokio::time::Instant;

use super::identity::Identity;
use super::keys;

/// What became of a key.
#[derive(Clone, Debug)]
pub(crate) enum KeyCheck {
    Accepted(Checked),
    /// It was valid once.
    Expired,
    /// Nobody has such a key, or it was revoked.
    Unknown,
}

/// A key that is accepted.
#[derive(Clone, Debug)]
pub(crate) struct Checked {
    pub(crate) identity: Arc<Identity>,
    /// Whether the store confirmed it within the last second.
    pub(crate) proven: bool,
}

/// The keys that were checked lately.
#[derive(Debug)]
pub(crate) struct KeyCache {
    keyring: Arc<dyn Keyring>,
    seen: Mutex<SeenKeys>,
}

type SeenKeys = HashMap<[u8; 32], Seen, BuildHasherDefault<DigestPrefixHasher>>;

#[derive(Clone, Debug)]
struct Seen {
    identity: Arc<Identity>,
    checked: Instant,
    noted: Instant,
}

/// Uses the first bits of a digest as its hash. Only digests of valid keys are cached, so nobody
/// can choose them.
#[derive(Debug, Default)]
struct DigestPrefixHasher(u64);

impl Hasher for DigestPrefixHasher {
    fn write(&mut self, bytes: &[u8]) {
        if let Some(first) = bytes.first_chunk() {
            self.0 = u64::from_ne_bytes(*first);
        }
    }

    /// An array writes its length too, which is always the same.
    fn write_usize(&mut self, _length: usize) {}

    fn finish(&self) -> u64 {
        self.0
    }
}

/// A revoked key is refused everywhere after this time.
const FRESH_FOR: Duration = Duration::from_millis(900);

/// How long a key is accepted as unproven after the store last confirmed it.
const ACCEPTED_UNPROVEN_FOR: Duration = Duration::from_secs(15 * 60);

/// How often the use of a key is recorded.
const USE_NOTED_EVERY: Duration = Duration::from_secs(60);

/// How many keys are cached at the most.
const SEEN_MAX: usize = 10_000;

impl KeyCache {
    pub(crate) fn new(keyring: Arc<dyn Keyring>) -> KeyCache {
        KeyCache {
            keyring,
            seen: Mutex::default(),
        }
    }

    /// Finds the key that `presented` is, unless it was revoked or has expired.
    pub(crate) async fn check(&self, presented: &str, now: Timestamp) -> Result<KeyCheck, StoreError> {
        let digest = keys::digest(presented);
        let seen = self.seen().get(&digest).cloned();
        let accepted = |identity: &Arc<Identity>, proven| {
            let identity = Arc::clone(identity);
            Ok(match identity.expires_at.is_none_or(|end| now < end) {
                true => KeyCheck::Accepted(Checked { identity, proven }),
                false => KeyCheck::Expired,
            })
        };
        if let Some(seen) = seen.as_ref().filter(|seen| seen.checked.elapsed() < FRESH_FOR) {
            return accepted(&seen.identity, true);
        }
        // What the store says may be as old as the question.
        let asked = Instant::now();
        let found = match self.keyring.key(&digest).await {
            Ok(found) => found,
            Err(error @ StoreError::Unavailable { .. }) => {
                let unproven = seen.filter(|seen| seen.checked.elapsed() < ACCEPTED_UNPROVEN_FOR);
                return unproven.map_or(Err(error), |seen| accepted(&seen.identity, false));
            }
            Err(error) => return Err(error),
        };
        let valid = found.filter(|key| bool::from(key.digest.ct_eq(&digest)) && key.revoked_at.is_none());
        let Some(key) = valid else {
            self.seen().remove(&digest);
            return Ok(KeyCheck::Unknown);
        };
        if !keys::is_valid(&key, now) {
            self.seen().remove(&digest);
            return Ok(KeyCheck::Expired);
        }
        let mut noted = seen.map(|seen| seen.noted);
        if noted.is_none_or(|noted| USE_NOTED_EVERY <= noted.elapsed()) {
            noted = Some(Instant::now());
            self.note_use(key.id.clone(), now);
        }
        let mut all = self.seen();
        if SEEN_MAX <= all.len() {
            all.retain(|_, seen| seen.checked.elapsed() < FRESH_FOR);
        }
        let identity = Arc::new(Identity::from(key));
        let checked = accepted(&identity, true);
        let seen = Seen {
            identity,
            checked: asked,
            noted: noted.unwrap_or_else(Instant::now),
        };
        all.insert(digest, seen);
        checked
    }

    /// Empties the cache, so that the next use of every key queries the store.
    pub(crate) fn forget(&self) {
        self.seen().clear();
    }

    /// Records the use of a key in the background.
    fn note_use(&self, id: String, now: Timestamp) {
        let keyring = Arc::clone(&self.keyring);
        tokio::spawn(async move {
            if let Err(error) = keyring.key_used(&id, now).await {
                tracing::warn!(key = id, %error, "could not record the use of a key");
            }
        });
    }

    fn seen(&self) -> MutexGuard<'_, SeenKeys> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
