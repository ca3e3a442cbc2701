//! The port for the keys by which callers prove who they are. A key itself is never stored, only
//! its digest.

use std::fmt::Debug;

use async_trait::async_trait;
use jiff::Timestamp;

use super::{KeyScopes, StoreError};
use crate::id::{Namespace, UserId};

/// What the holder of a key may do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyKind {
    /// Act as one user.
    User { user: UserId },
    /// Act for any user that a request names, inside the namespace if there is one.
    Service,
    /// Administer: keys, knowledge, erasure, and whatever a service may.
    Admin,
}

/// A key as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyRecord {
    /// Names the key in lists and logs; no secret.
    pub id: String,
    /// SHA-256 of the key.
    pub digest: [u8; 32],
    pub kind: KeyKind,
    /// Users of this namespace only, apart from all others.
    pub namespace: Option<Namespace>,
    /// What its owner calls it.
    pub name: Option<String>,
    /// What it may do, within what its kind allows.
    pub scopes: KeyScopes,
    pub created_at: Timestamp,
    pub last_used_at: Option<Timestamp>,
    /// From when on it is refused.
    pub expires_at: Option<Timestamp>,
    pub revoked_at: Option<Timestamp>,
}

/// Where keys are stored.
#[async_trait]
pub trait Keyring: Debug + Send + Sync {
    /// Keeps a new key.
    async fn put_key(&self, key: &KeyRecord) -> Result<(), StoreError>;

    /// Finds the key with that digest, revoked or not.
    async fn key(&self, digest: &[u8; 32]) -> Result<Option<KeyRecord>, StoreError>;

    /// Lists all keys, the oldest first.
    async fn keys(&self) -> Result<Vec<KeyRecord>, StoreError>;

    /// Revokes the key with that id from `at` on. Tells whether there is such a key that was not
    /// revoked before.
    async fn revoke_key(&self, id: &str, at: Timestamp) -> Result<bool, StoreError>;

    /// Lets the key with that id expire at `at`, unless it does so earlier. Tells whether there is
    /// such a key that was not revoked.
    async fn expire_key(&self, id: &str, at: Timestamp) -> Result<bool, StoreError>;

    /// Notes that the key was used at `at`. It may be noted late, and only the latest use counts.
    async fn key_used(&self, id: &str, at: Timestamp) -> Result<(), StoreError>;
}
