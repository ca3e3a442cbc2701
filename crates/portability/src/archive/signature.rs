//! The signature of an archive: proof that this deployment wrote it and nobody has changed it.
//!
//! The manifest holds the checksum of every file, so it is enough to sign the manifest. An archive
//! of another deployment, or one that somebody edited, can still be imported, but what it says
//! about the origin of its memories is not believed.

use recalld_memory::change::Effect;
use recalld_memory::entity::Entity;
use recalld_memory::id::UserId;
use recalld_memory::memory::{Memory, Origin};
use recalld_memory::ports::TombstoneError;
use recalld_memory::record::{Record, RecordKind};

use crate::erase::Eraser;
use crate::keyed_hash::{from_hex, hex, keyed_hash, same};

/// Signs archives and checks their signatures with the secret of this deployment.
#[derive(Clone)]
pub struct Signer {
    key: [u8; 32],
    /// Whose archives alone are believed; none: those of every user.
    user: Option<String>,
}

impl std::fmt::Debug for Signer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Signer(..)")
    }
}

/// What the signature of an archive says about who wrote it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Signature {
    /// This deployment wrote the archive, and it is unchanged.
    Valid,
    /// Anybody may have written the archive: the signature is missing, of another deployment, or
    /// does not fit.
    #[default]
    Unverified,
}

impl Signer {
    /// Derives the key for archives from the secret of the deployment.
    pub fn new(secret: &[u8; 32]) -> Signer {
        Signer {
            key: keyed_hash(secret, b"recalld key of archive signatures 1"),
            user: None,
        }
    }

    /// Believes archives of `user` alone: what one user said must not pass for what another said.
    pub fn limited_to(self, user: &UserId) -> Signer {
        Signer {
            user: Some(user.as_str().to_owned()),
            ..self
        }
    }

    /// Signs a manifest.
    pub(super) fn sign(&self, manifest: &[u8]) -> String {
        hex(&keyed_hash(&self.key, manifest))
    }

    /// Checks the signature of the manifest of `user`.
    pub(super) fn check(&self, user: &str, manifest: &[u8], signature: &str) -> Signature {
        let expected = keyed_hash(&self.key, manifest);
        let is_believed = self.user.as_deref().is_none_or(|only| only == user);
        match from_hex(signature) {
            Some(given) if is_believed && same(&given, &expected) => Signature::Valid,
            _ => Signature::Unverified,
        }
    }
}

impl Signature {
    /// Lowers what a memory says about its origin to what can be believed: unless this deployment
    /// vouches for it, a memory of an archive was imported.
    pub(super) fn lower(self, memory: &mut Memory) {
        if self == Signature::Unverified {
            memory.origin = memory.origin.least_trusted(Origin::Import);
            memory.trust = memory.trust.least_trusted(memory.origin);
        }
    }

    /// Lowers the origin of an entity in the same way.
    pub(super) fn lower_entity(self, entity: &mut Entity) {
        if self == Signature::Unverified {
            entity.trust = entity.trust.least_trusted(Origin::Import);
        }
    }

    /// Gives the mark that must be stored with a category of a profile for which nobody vouches.
    pub(super) fn mark(self, record: &Record) -> Option<Effect> {
        let is_marked = self == Signature::Unverified && record.kind == RecordKind::Profile;
        is_marked.then(|| {
            Effect::Record(Record {
                kind: RecordKind::ImportedProfile,
                name: record.name.clone(),
                value: serde_json::json!({ "origin": Origin::Import.as_str() }),
                version: 1,
                written_at: record.written_at,
            })
        })
    }
}

/// Makes the signer of the deployment that `eraser` belongs to. A deployment that has no place for
/// a secret has none, and its archives are not signed.
pub fn signer(eraser: &Eraser) -> Option<Signer> {
    let secret: Result<[u8; 32], TombstoneError> = eraser.tombstones.secret();
    match secret {
        Ok(secret) => Some(Signer::new(&secret)),
        Err(error) => {
            tracing::warn!(%error, "archives are neither signed nor verified");
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_signature_of_the_same_secret_and_text_is_valid() {
        let signer = Signer::new(&[7; 32]);
        let signature = signer.sign(b"manifest");
        let check =
            |signer: &Signer, manifest: &[u8], signature: &str| signer.check("ana", manifest, signature);
        assert_eq!(check(&signer, b"manifest", &signature), Signature::Valid);
        assert_eq!(check(&signer, b"manifesT", &signature), Signature::Unverified);
        let other = Signer::new(&[8; 32]);
        assert_eq!(check(&other, b"manifest", &signature), Signature::Unverified);
        for odd in ["", "00", &"0".repeat(64)] {
            assert_eq!(check(&signer, b"manifest", odd), Signature::Unverified);
        }
        for (user, expected) in [("ana", Signature::Valid), ("bo", Signature::Unverified)] {
            let limited = signer.clone().limited_to(&UserId::new(user).unwrap());
            assert_eq!(check(&limited, b"manifest", &signature), expected);
        }
    }
}
