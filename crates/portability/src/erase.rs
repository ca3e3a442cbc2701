//! Removes everything a user has, for good, and sees that no backup brings it back.
//!
//! The tombstone is set first. Should the process die before the rows are gone, the next start
//! finds that the store has not reached the tombstone's era, and finishes the erasure; the same
//! happens when an old backup takes the store's place.

mod receipt;
mod subject;

use std::collections::HashMap;
use std::sync::Arc;

use thiserror::Error;

pub use crate::keyed_hash::{from_hex, hex, keyed_hash};
pub use receipt::{ErasedKind, Receipt};

use recalld_memory::id::SpaceId;
use recalld_memory::ports::{Administration, ErasedRows, StoreError, TombstoneError, Tombstones};
use recalld_memory::scope::Scope;
use recalld_memory::trace;
use recalld_memory::wiring::Ports;
pub use subject::subject;

/// What an erasure works with, beside the ports of every use case. Clones share everything.
#[derive(Clone, Debug)]
pub struct Eraser {
    pub administration: Arc<dyn Administration>,
    pub tombstones: Arc<dyn Tombstones>,
}

/// Why nothing, or not all, was erased.
#[derive(Debug, Error)]
pub enum EraseError {
    /// The tombstone could not be set. Nothing was erased.
    #[error(transparent)]
    Tombstone(#[from] TombstoneError),
    /// The store failed. If the tombstone was set by then, the next start finishes what was begun.
    #[error("the erasure is not finished: {0}")]
    Store(#[from] StoreError),
}

/// How many spaces are looked at together.
const PAGE: usize = 1000;

/// Counts what [`erase`] would remove.
pub async fn preview(eraser: &Eraser, scope: &Scope) -> Result<ErasedRows, StoreError> {
    eraser.administration.count_space(scope.space()).await
}

/// Removes everything the user of `scope` has. Later writes start from an empty space.
pub async fn erase(ports: &Ports, eraser: &Eraser, scope: &Scope) -> Result<Receipt, EraseError> {
    let work = erase_all(ports, eraser, scope);
    trace::operation("delete_memory_store", scope, work, |receipt, span| {
        span.set("gen_ai.memory.record.count", receipt.rows() as i64);
    })
    .await
}

async fn erase_all(ports: &Ports, eraser: &Eraser, scope: &Scope) -> Result<Receipt, EraseError> {
    let secret = eraser.tombstones.secret()?;
    let subject = subject(&secret, scope.space());
    let tombstones = eraser.tombstones.all()?;
    let latest = tombstones.iter().map(|tombstone| tombstone.era).max();
    let era = latest.unwrap_or(0).max(eraser.administration.era().await?) + 1;
    eraser.tombstones.set(&recalld_memory::ports::Tombstone {
        subject,
        era,
        at: scope.now,
    })?;
    let erased = eraser.administration.erase_space(scope.space(), era).await;
    // Whether or not it succeeded: what is held may be of a space that is gone.
    ports.spaces.forget(scope.space());
    ports.recall_counts.forget(scope.space());
    let receipt = Receipt::sealed(&secret, &subject, scope.now, &erased?);
    tracing::info!(
        subject = receipt.subject,
        rows = receipt.rows(),
        "a user was erased"
    );
    Ok(receipt)
}

/// Tells whether a space was erased once, whatever was written to it since.
pub fn was_erased(eraser: &Eraser, space: &SpaceId) -> Result<bool, TombstoneError> {
    let tombstones = eraser.tombstones.all()?;
    if tombstones.is_empty() {
        return Ok(false);
    }
    let subject = subject(&eraser.tombstones.secret()?, space);
    Ok(tombstones.iter().any(|tombstone| tombstone.subject == subject))
}

/// Erases again who was erased before: those whom a backup has brought back, or whose erasure was
/// cut short. Gives how many that were. It costs one question when the store is as late as the
/// tombstones, which is nearly always.
pub async fn enforce(ports: &Ports, eraser: &Eraser) -> Result<usize, EraseError> {
    let tombstones = eraser.tombstones.all()?;
    let Some(latest) = tombstones.iter().map(|tombstone| tombstone.era).max() else {
        return Ok(0);
    };
    if latest <= eraser.administration.era().await? {
        return Ok(0);
    }
    let secret = eraser.tombstones.secret()?;
    let mut eras: HashMap<[u8; 32], u64> = HashMap::new();
    for tombstone in &tombstones {
        let era = eras.entry(tombstone.subject).or_default();
        *era = tombstone.era.max(*era);
    }
    let mut count = 0;
    let mut after: Option<SpaceId> = None;
    loop {
        let page = eraser.administration.spaces(after.as_ref(), PAGE).await?;
        let Some(last) = page.last().cloned() else {
            break;
        };
        for space in page {
            let Some(&era) = eras.get(&subject(&secret, &space)) else {
                continue;
            };
            if ports.store.revision(&space).await?.era() < era {
                // The store is late until the very end: cut short once more, this begins again.
                eraser.administration.erase_space(&space, 0).await?;
                ports.spaces.forget(&space);
                ports.recall_counts.forget(&space);
                count += 1;
            }
        }
        after = Some(last);
    }
    eraser.administration.begin_era(latest).await?;
    Ok(count)
}
