//! Refreshes spaces in memory as soon as another server of the same database writes to them.

use super::{Job, JobContext};

pub(super) const JOB: Job = Job {
    name: "prefetch",
    run: |context| Box::pin(run(context)),
};

/// Without a database there are no other servers.
async fn run(JobContext { engine, .. }: JobContext) {
    let Some(database) = engine.postgres else { return };
    let mut listener = database.listener();
    loop {
        let notification = listener.next().await;
        let is_about = |space: &_| notification.is_about(space);
        engine.ports.spaces.prefetch(is_about).await;
    }
}
