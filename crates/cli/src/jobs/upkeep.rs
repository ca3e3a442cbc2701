//! Removes expired memories, old receipts and unused vectors.

use std::time::Duration;

use recalld_memory::upkeep::{RoundLimits, round};

use super::{Job, JobContext};
use crate::failure::chain;

pub(super) const JOB: Job = Job {
    name: "upkeep",
    run: |context| Box::pin(run(context)),
};

/// The pause before the first round: a server that has just started has more urgent work.
const FIRST: Duration = Duration::from_secs(60);

/// The pause between two rounds.
const EVERY: Duration = Duration::from_secs(600);

/// The pause between two parts of a large round, so that requests come first.
const BETWEEN_PARTS: Duration = Duration::from_secs(2);

/// Logs how much was removed, never what.
async fn run(JobContext { engine, .. }: JobContext) {
    let mut pause = FIRST;
    loop {
        tokio::time::sleep(pause).await;
        pause = EVERY;
        let now = engine.ports.clock.now();
        match round(
            &engine.ports,
            &*engine.administration,
            now,
            &RoundLimits::default(),
        )
        .await
        {
            Ok(tidied) => {
                if tidied.is_partial {
                    pause = BETWEEN_PARTS;
                }
                tracing::info!(
                    expired_memories = tidied.expired_memories,
                    receipts = tidied.receipts,
                    vectors = tidied.vectors,
                    "upkeep finished"
                );
            }
            Err(error) => tracing::warn!(error = chain(&error), "upkeep failed and will be retried"),
        }
    }
}
