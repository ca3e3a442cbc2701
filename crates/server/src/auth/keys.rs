//! API keys: `rk_` and 32 random bytes in hexadecimal. Only a digest is stored.

use data_encoding::HEXLOWER;
use jiff::Timestamp;
use recalld_memory::id::Namespace;
use recalld_memory::ports::{KeyKind, KeyRecord, Keyring, StoreError};
use sha2::{Digest, Sha256};

/// A key that was just created: the only moment at which it can be read.
#[derive(Clone, Debug)]
pub struct KeyCreated {
    pub id: String,
    pub key: String,
}

/// Creates a key and stores its digest.
pub async fn create_key(
    keyring: &dyn Keyring,
    kind: KeyKind,
    namespace: Option<Namespace>,
    name: Option<String>,
    now: Timestamp,
) -> Result<KeyCreated, StoreError> {
    let key = random_key();
    // The id is random too, so that it tells nothing of the key.
    let id = format!("key_{}", HEXLOWER.encode(&random_bytes::<8>()));
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

/// Makes a key of 256 random bits from the operating system.
fn random_key() -> String {
    format!("rk_{}", HEXLOWER.encode(&random_bytes::<32>()))
}

/// Asks the operating system for random bytes.
pub(super) fn random_bytes<const LENGTH: usize>() -> [u8; LENGTH] {
    let mut bytes = [0; LENGTH];
    getrandom::fill(&mut bytes).expect("the operating system provides randomness");
    bytes
}
