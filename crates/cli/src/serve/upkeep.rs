//! Keeps the store tidy while the server runs.

use std::time::Duration;

use recalld_memory::upkeep::{RoundLimits, round};

use crate::engine::Engine;

/// Nothing of this is urgent: a server that has just started has better things to do.
const FIRST: Duration = Duration::from_secs(60);

const EVERY: Duration = Duration::from_secs(600);

/// The pause between two parts of a large job, so that requests come first.
const BREATH: Duration = Duration::from_secs(2);

/// Goes round until the task is stopped. Says how much was done, and never to what.
pub(crate) async fn run(engine: Engine) {
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
                    pause = BREATH;
                }
                tracing::info!(
                    expired_memories = tidied.expired_memories,
                    receipts = tidied.receipts,
                    vectors = tidied.vectors,
                    "upkeep is done"
                );
            }
            Err(error) => tracing::warn!(
                error = crate::failure::chain(&error),
                "upkeep failed; it is tried again later"
            ),
        }
    }
}
