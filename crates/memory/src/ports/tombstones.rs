//! The port for what is stored of erased users: enough to know them again in an old backup, and
//! nothing else.

use std::fmt::Debug;

use jiff::Timestamp;
use thiserror::Error;

/// What remains of an erased user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tombstone {
    /// A keyed hash of the space's name. Who has not the key cannot tell whose it is.
    pub subject: [u8; 32],
    /// The era that the erasure began. A space of this subject from an earlier one came out of a
    /// backup.
    pub era: u64,
    pub at: Timestamp,
}

/// Where tombstones are stored. A backup that is put in place of the store must leave them as they
/// are.
pub trait Tombstones: Debug + Send + Sync {
    /// Gives the secret by which subjects are hashed and receipts sealed. It is made when it is
    /// first asked for.
    fn secret(&self) -> Result<[u8; 32], TombstoneError>;

    /// Gives all of them, in the order in which they were set.
    fn all(&self) -> Result<Vec<Tombstone>, TombstoneError>;

    /// Sets one more. When it returns, it is on disk.
    fn set(&self, tombstone: &Tombstone) -> Result<(), TombstoneError>;
}

/// Why tombstones could not be read or set.
#[derive(Debug, Error)]
#[error("the list of erased users cannot be {attempt}: {reason}")]
pub struct TombstoneError {
    /// `read` or `written`.
    pub attempt: &'static str,
    pub reason: String,
}
