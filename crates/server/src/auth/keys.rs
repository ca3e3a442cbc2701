//! API keys: `rk_` and 32 random bytes. Only a digest is kept.

use jiff::Timestamp;
use recalld_memory::id::Namespace;
use recalld_memory::ports::{KeyKind, KeyRecord, Keyring, StoreError};
use sha2::{Digest, Sha256};
use uuid::Uuid;

/// A key that was just made: the only moment at which it can be read.
#[derive(Clone, Debug)]
pub struct KeyCreated {
    pub id: String,
    pub key: String,
}

/// Makes a key and keeps its digest.
pub async fn create_key(
    keyring: &dyn Keyring,
    kind: KeyKind,
    namespace: Option<Namespace>,
    name: Option<String>,
    now: Timestamp,
) -> Result<KeyCreated, StoreError> {
    let key = random_key();
    // The id is random too, so that it tells nothing of the key.
    let id = format!("key_{}", &Uuid::new_v4().simple().to_string()[..16]);
    let record = KeyRecord {
        id: id.clone(),
        digest: digest(&key),
        kind,
        namespace,
        name,
        created_at: now,
        last_used_at: None,
        revoked_at: None,
    };
    keyring.put_key(&record).await?;
    Ok(KeyCreated { id, key })
}

/// Digests a key. Keys have 256 bits of randomness, so a plain digest cannot be turned back.
pub(super) fn digest(key: &str) -> [u8; 32] {
    Sha256::digest(key.as_bytes()).into()
}

/// Two random uuids hold 244 random bits.
fn random_key() -> String {
    format!("rk_{}{}", Uuid::new_v4().simple(), Uuid::new_v4().simple())
}
