//! The background jobs of `recalld serve`: one file per job, and one line in the list.

mod channels;
mod daily;
mod embedding;
mod extraction;
mod prefetch;
mod snapshots;
mod upkeep;

use std::pin::Pin;

use croner::Cron;
use recalld_channels::Inbox;
use tokio::task::JoinSet;

use crate::engine::Engine;

/// A job that runs until the server stops.
struct Job {
    name: &'static str,
    run: fn(JobContext) -> JobRun,
}

type JobRun = Pin<Box<dyn Future<Output = ()> + Send>>;

/// All jobs.
const ALL: [Job; 7] = [
    embedding::JOB,
    upkeep::JOB,
    extraction::JOB,
    daily::JOB,
    prefetch::JOB,
    snapshots::JOB,
    channels::JOB,
];

/// What the jobs work with.
#[derive(Clone, Debug)]
pub(crate) struct JobContext {
    pub(crate) engine: Engine,
    /// Distinguishes this server from others on the same memories.
    pub(crate) server_name: String,
    /// When the daily run takes place; `None` if it is off.
    pub(crate) schedule: Option<Cron>,
    /// What chat platforms sent; `None` if none is configured.
    pub(crate) inbox: Option<Inbox>,
}

/// The running jobs. They are aborted when this is dropped.
#[derive(Debug)]
pub(crate) struct RunningJobs(JoinSet<()>);

impl RunningJobs {
    /// Starts all jobs.
    pub(crate) fn start(context: &JobContext) -> RunningJobs {
        let mut jobs = JoinSet::new();
        for Job { name, run } in ALL {
            let run = run(context.clone());
            jobs.spawn(async move {
                let _report = PanicReport(name);
                run.await;
            });
        }
        RunningJobs(jobs)
    }

    /// Aborts all jobs and waits until they have ended.
    pub(crate) async fn stop(mut self) {
        self.0.shutdown().await;
    }
}

/// Reports a job that panics, because the server goes on without it.
struct PanicReport(&'static str);

impl Drop for PanicReport {
    fn drop(&mut self) {
        if std::thread::panicking() {
            tracing::error!(
                job = self.0,
                "a background job panicked; restart the server to resume it"
            );
        }
    }
}
