//! Extracts facts from what users said, after the replies.

use recalld_agent::extract::{Worker, WorkerSettings};

use super::{Job, JobContext};

pub(super) const JOB: Job = Job {
    name: "extraction",
    run: |context| Box::pin(run(context)),
};

async fn run(context: JobContext) {
    let engine = context.engine;
    let worker = Worker {
        metrics: engine.agent.learning.clone(),
        agent: engine.agent,
        administration: engine.administration,
        settings: WorkerSettings {
            name: context.server_name,
            ..WorkerSettings::default()
        },
    };
    worker.run().await;
}
