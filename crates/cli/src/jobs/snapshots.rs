//! Keeps what was worked out of memories, so that the next start need not work it out again.

use std::time::Duration;

use super::{Job, JobContext};

pub(super) const JOB: Job = Job {
    name: "snapshots",
    run: |context| Box::pin(run(context)),
};

/// The pause before the first round, by when the first requests have read their spaces.
const FIRST: Duration = Duration::from_secs(60);

/// The pause between two rounds.
const EVERY: Duration = Duration::from_secs(600);

/// Whatever a round misses is kept when the server stops.
async fn run(JobContext { engine, .. }: JobContext) {
    let mut pause = FIRST;
    loop {
        tokio::time::sleep(pause).await;
        pause = EVERY;
        engine.ports.spaces.keep_snapshots().await;
    }
}
