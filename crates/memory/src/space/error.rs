//! Why a space could not be read or written.

use std::sync::Arc;

use thiserror::Error;

use crate::ports::StoreError;
use crate::quota::OverQuota;

/// Why a space could not be read or written. Shared, because all writers of one commit meet the
/// same fate.
#[derive(Clone, Debug, Error)]
pub enum SpaceError {
    /// The store failed.
    #[error("{0}")]
    Store(#[source] Arc<StoreError>),
    /// Other servers kept writing to the same space, so that no decision could be made at its
    /// revision.
    #[error("too many others are writing to this space")]
    Contended,
    /// The user would store more than is allowed. Nothing was changed.
    #[error(transparent)]
    OverQuota(#[from] OverQuota),
    /// The process is stopping.
    #[error("the server is stopping")]
    Stopping,
}

impl SpaceError {
    /// Tells whether the store, or the part of it that has the space, cannot be reached now.
    pub fn is_unavailable(&self) -> bool {
        matches!(self, SpaceError::Store(error) if matches!(**error, StoreError::Unavailable { .. }))
    }
}

impl From<StoreError> for SpaceError {
    fn from(error: StoreError) -> SpaceError {
        SpaceError::Store(Arc::new(error))
    }
}
