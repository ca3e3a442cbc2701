//! API keys: `rk_`, 32 random bytes and a checksum, in hexadecimal. Only a digest is stored.
//!
//! The prefix and the checksum let anybody recognise a key in the wrong place, and a typing mistake
//! in the right one.

use data_encoding::HEXLOWER;
use jiff::Timestamp;
use recalld_memory::id::Namespace;
use recalld_memory::ports::{KeyKind, KeyRecord, KeyScopes, Keyring, StoreError};
use sha2::{Digest, Sha256};

/// A key that was just created: the only moment at which it can be read.
#[derive(Clone, Debug)]
pub struct KeyCreated {
    pub id: String,
    pub key: String,
}

/// A key to create.
#[derive(Clone, Debug)]
pub struct NewKey {
    pub kind: KeyKind,
    /// Users of this namespace only.
    pub namespace: Option<Namespace>,
    pub name: Option<String>,
    pub scopes: KeyScopes,
    pub expires_at: Option<Timestamp>,
}

impl NewKey {
    /// A key that may do whatever its kind allows, for as long as it is not revoked.
    pub fn unrestricted(kind: KeyKind) -> NewKey {
        NewKey {
            kind,
            namespace: None,
            name: None,
            scopes: KeyScopes::default(),
            expires_at: None,
        }
    }

    /// The same key once more.
    fn like(old: &KeyRecord) -> NewKey {
        NewKey {
            kind: old.kind.clone(),
            namespace: old.namespace.clone(),
            name: old.name.clone(),
            scopes: old.scopes.clone(),
            // A key that had an end has one again, as far away.
            expires_at: None,
        }
    }

    /// Creates the key and stores its digest.
    pub async fn create(self, keyring: &dyn Keyring, now: Timestamp) -> Result<KeyCreated, StoreError> {
        let key = random_key();
        let id = self.store(keyring, &key, now).await?;
        Ok(KeyCreated { id, key })
    }

    /// Stores the digest of `secret` as a key, and gives its id.
    pub(crate) async fn store(
        self,
        keyring: &dyn Keyring,
        secret: &str,
        now: Timestamp,
    ) -> Result<String, StoreError> {
        // The id is random too, so that it tells nothing of the key.
        let id = format!("key_{}", HEXLOWER.encode(&random_bytes::<8>()));
        let record = KeyRecord {
            id: id.clone(),
            digest: digest(secret),
            kind: self.kind,
            namespace: self.namespace,
            name: self.name,
            scopes: self.scopes,
            created_at: now,
            last_used_at: None,
            expires_at: self.expires_at,
            revoked_at: None,
        };
        keyring.put_key(&record).await?;
        Ok(id)
    }
}

/// Creates a key that may do whatever its kind allows.
pub async fn create_key(
    keyring: &dyn Keyring,
    kind: KeyKind,
    namespace: Option<Namespace>,
    name: Option<String>,
    now: Timestamp,
) -> Result<KeyCreated, StoreError> {
    let new = NewKey {
        namespace,
        name,
        ..NewKey::unrestricted(kind)
    };
    new.create(keyring, now).await
}

/// Stores the digest of a key that exists already, in another store.
pub async fn adopt_key(
    keyring: &dyn Keyring,
    key: &str,
    kind: KeyKind,
    name: Option<String>,
    now: Timestamp,
) -> Result<(), StoreError> {
    let known = NewKey {
        name,
        ..NewKey::unrestricted(kind)
    };
    known.store(keyring, key, now).await.map(|_| ())
}

/// Replaces the key with that id by a new one of the same rights. The old one works until
/// `overlap_ends`, so that its users can change over. None if there is no such key, or it is
/// refused already.
pub async fn rotate_key(
    keyring: &dyn Keyring,
    id: &str,
    overlap_ends: Timestamp,
    now: Timestamp,
) -> Result<Option<KeyCreated>, StoreError> {
    let keys = keyring.keys().await?;
    let Some(old) = keys.iter().find(|key| key.id == id && is_valid(key, now)) else {
        return Ok(None);
    };
    let expires_at = old
        .expires_at
        .and_then(|end| now.checked_add(end.duration_since(old.created_at)).ok());
    let new = NewKey {
        expires_at,
        ..NewKey::like(old)
    };
    // The new key comes first: whoever is interrupted here has two keys, not none.
    let made = new.create(keyring, now).await?;
    keyring.expire_key(id, overlap_ends).await?;
    Ok(Some(made))
}

/// Tells whether a key is accepted at `now`.
pub(super) fn is_valid(key: &KeyRecord, now: Timestamp) -> bool {
    key.revoked_at.is_none() && key.expires_at.is_none_or(|end| now < end)
}

/// Digests a key. Keys have 256 bits of randomness, so a plain digest cannot be turned back.
pub(super) fn digest(key: &str) -> [u8; 32] {
    Sha256::digest(key.as_bytes()).into()
}

/// What every key begins with.
const PREFIX: &str = "rk_";

/// The digits of the random part.
const RANDOM_DIGITS: usize = 64;

/// The digits of the checksum. Keys of earlier versions have none.
const CHECK_DIGITS: usize = 8;

/// Makes a key of 256 random bits from the operating system.
fn random_key() -> String {
    let random = HEXLOWER.encode(&random_bytes::<32>());
    format!("{PREFIX}{random}{}", checksum(&random))
}

/// The first digits of the digest of the random part.
fn checksum(random: &str) -> String {
    HEXLOWER.encode(&digest(random)[..CHECK_DIGITS / 2])
}

/// Tells whether `presented` looks like a key that was typed or copied wrongly: it has the prefix
/// and is long enough, but its digits do not fit together.
pub(super) fn is_mistyped(presented: &str) -> bool {
    let Some(digits) = presented.strip_prefix(PREFIX) else {
        return false;
    };
    if digits.len() <= RANDOM_DIGITS {
        return false;
    }
    let random = digits.get(..RANDOM_DIGITS).unwrap_or("");
    digits.get(RANDOM_DIGITS..) != Some(&checksum(random))
}

/// Tells whether `text` contains a key. A key in an address or a log is known to more than its
/// holder.
pub(crate) fn holds_key(text: &str) -> bool {
    text.match_indices(PREFIX).any(|(at, _)| {
        let digits = text.as_bytes()[at + PREFIX.len()..].iter();
        RANDOM_DIGITS <= digits.take_while(|byte| byte.is_ascii_hexdigit()).count()
    })
}

/// Asks the operating system for random bytes.
pub(crate) fn random_bytes<const LENGTH: usize>() -> [u8; LENGTH] {
    let mut bytes = [0; LENGTH];
    getrandom::fill(&mut bytes).expect("the operating system provides randomness");
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_carries_its_checksum_and_a_mistake_shows() {
        let key = random_key();
        assert_eq!(key.len(), PREFIX.len() + RANDOM_DIGITS + CHECK_DIGITS);
        assert!(!is_mistyped(&key));
        for at in PREFIX.len()..key.len() {
            let mut wrong = key.clone().into_bytes();
            wrong[at] = if wrong[at] == b'0' { b'1' } else { b'0' };
            assert!(is_mistyped(&String::from_utf8(wrong).unwrap()), "digit {at}");
        }
        assert!(is_mistyped(&key[..key.len() - 1]), "one digit is missing");
        // Keys of earlier versions have no checksum; anything else is unknown, not mistyped.
        for other in [&key[..PREFIX.len() + RANDOM_DIGITS], "rk_wrong", "", "a.b.c"] {
            assert!(!is_mistyped(other), "{other}");
        }
        assert!(is_mistyped(&format!("rk_{}", "é".repeat(60))));
    }

    #[test]
    fn a_key_is_found_wherever_it_stands() {
        let key = random_key();
        assert!(holds_key(&format!("/v1/memories?key={key}&limit=1")));
        assert!(holds_key(&format!("rk_rk_{}", &key[3..])));
        for text in ["/v1/memories", "rk_", "rk_abc", "work_0123"] {
            assert!(!holds_key(text), "{text}");
        }
    }
}
