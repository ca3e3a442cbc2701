//! Embeds what was written, for models that do not embed at once.

use recalld_memory::embedding::keep_up;

use super::{Job, JobContext};

pub(super) const JOB: Job = Job {
    name: "embedding",
    run: |context| Box::pin(run(context)),
};

async fn run(JobContext { engine, .. }: JobContext) {
    keep_up(&engine.ports, &*engine.administration).await;
}
