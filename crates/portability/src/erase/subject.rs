//! The name of an erased user, which only this deployment can attribute.

use recalld_memory::id::SpaceId;

use crate::keyed_hash::keyed_hash;

/// The keyed hash of a space, as tombstones and receipts have it.
pub fn subject(secret: &[u8; 32], space: &SpaceId) -> [u8; 32] {
    keyed_hash(secret, format!("recalld subject\n{space}").as_bytes())
}
