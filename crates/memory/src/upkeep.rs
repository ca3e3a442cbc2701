//! What recalld does for itself in the background: one file a job, and one line in [`round`].
//! Each job is bounded, can stop at any moment, and changes nothing that an answer could show.

mod expired;
mod recall_counts;
mod receipts;
mod vectors;

use jiff::Timestamp;
use thiserror::Error;

use crate::ports::{Administration, StoreError};
use crate::space::SpaceError;
use crate::wiring::Ports;

/// How much one round may do.
#[derive(Clone, Copy, Debug)]
pub struct RoundLimits {
    /// In how many spaces expired memories are retired.
    pub spaces_max: usize,
    /// How many rows of a kind are removed.
    pub rows_max: usize,
}

impl Default for RoundLimits {
    fn default() -> RoundLimits {
        RoundLimits {
            spaces_max: 200,
            rows_max: 5_000,
        }
    }
}

/// What a round did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tidied {
    pub expired_memories: usize,
    pub receipts: usize,
    pub vectors: usize,
    /// Spaces whose recall counts were stored.
    pub recalled_spaces: usize,
    /// Whether there may be more to do at once.
    pub is_partial: bool,
}

/// Why a round could not be finished. What was done stays done.
#[derive(Debug, Error)]
pub enum UpkeepError {
    #[error("the store failed during upkeep")]
    Store(#[from] StoreError),
    #[error("maintenance of a space failed")]
    Space(#[from] SpaceError),
}

/// Does all jobs once.
pub async fn round(
    ports: &Ports,
    administration: &dyn Administration,
    now: Timestamp,
    limits: &RoundLimits,
) -> Result<Tidied, UpkeepError> {
    let (spaces, expired_memories) = expired::retire(ports, administration, now, limits.spaces_max).await?;
    let receipts = receipts::drop_old(administration, now, limits.rows_max).await?;
    let vectors = vectors::drop_unused(ports, administration, limits.rows_max).await?;
    let recalled_spaces = recall_counts::flush_some(ports, now, limits.spaces_max).await?;
    Ok(Tidied {
        recalled_spaces,
        expired_memories,
        receipts,
        vectors,
        is_partial: limits.spaces_max <= spaces
            || limits.spaces_max <= recalled_spaces
            || limits.rows_max <= receipts
            || limits.rows_max <= vectors,
    })
}
