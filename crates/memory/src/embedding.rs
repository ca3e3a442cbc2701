//! Keeps the vectors of a model that takes its time in step with what they stand for.
//!
//! A write never waits for such a model: what was written is found by its words at once, and by its
//! meaning a moment later. What the model made is stored, so that a change of model or a crash
//! costs no more than what was not yet done.

mod keep_up;
mod step;
mod stored;

pub use keep_up::keep_up;
pub use step::{EmbeddingError, Refused, Step, step};
pub use stored::backfill;

use std::time::Duration;

use crate::id::SpaceId;
use crate::wiring::Ports;

/// Embeds what a space still lacks, for at most `patience`. What is not done then is done later.
pub async fn settle(ports: &Ports, space: &SpaceId, patience: Duration) -> Result<(), EmbeddingError> {
    let mut refused = Refused::default();
    let all = async {
        while step(ports, space, &mut refused).await? == Step::More {}
        Ok(())
    };
    tokio::time::timeout(patience, all).await.unwrap_or(Ok(()))
}
