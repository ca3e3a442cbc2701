//! Answers what people say on chat platforms.

use recalld_channels::Worker;

use super::{Job, JobContext};

pub(super) const JOB: Job = Job {
    name: "channels",
    run: |context| Box::pin(run(context)),
};

async fn run(context: JobContext) {
    let Some(inbox) = context.inbox else {
        return;
    };
    let worker = Worker {
        agent: context.engine.agent,
        administration: context.engine.administration,
        inbox,
        name: context.server_name,
    };
    worker.run().await;
}
