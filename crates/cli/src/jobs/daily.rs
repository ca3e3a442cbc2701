//! Runs the daily extraction on schedule, for every user with new interactions.

use std::time::{Duration, Instant};

use croner::Cron;
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use recalld_agent::daily::{self, Selection};
use recalld_memory::change::Actor;
use recalld_memory::id::SpaceId;
use recalld_memory::ports::Claim;
use recalld_memory::record::RecordKind;
use recalld_memory::scope::Scope;

use super::{Job, JobContext};
use crate::engine::Engine;

pub(super) const JOB: Job = Job {
    name: "daily",
    run: |context| Box::pin(run(context)),
};

/// How many spaces are claimed at a time: few, so that several servers share the work.
const SPACES_MAX: usize = 8;

/// How long a claim lasts. After this time the claims of a dead server are free, and servers that
/// have finished their own share look again.
const CLAIM_LASTS: Duration = Duration::from_secs(1800);

/// How often to check whether a run is due: a machine may sleep, and clocks may be set.
const CHECK_EVERY: Duration = Duration::from_secs(30);

/// Makes up at the start for a run that was due while no server ran.
async fn run(context: JobContext) {
    let JobContext {
        engine,
        server_name: name,
        schedule: Some(schedule),
        ..
    } = context
    else {
        return;
    };
    let mut done: Option<Timestamp> = None;
    let mut again: Option<Instant> = None;
    loop {
        let now = engine.ports.clock.now();
        if let Some(due) = last_due(&schedule, now) {
            if done != Some(due) {
                run_all(&engine, due, &name).await;
                done = Some(due);
                again = Some(Instant::now() + CLAIM_LASTS);
            } else if again.is_some_and(|again| again <= Instant::now()) {
                // Takes over what a dead server had claimed; finished users are skipped.
                run_all(&engine, due, &name).await;
                again = None;
            }
        }
        tokio::time::sleep(CHECK_EVERY).await;
    }
}

/// Returns the last time at which a run was due.
fn last_due(schedule: &Cron, now: Timestamp) -> Option<Timestamp> {
    let now: Zoned = now.to_zoned(TimeZone::UTC);
    let due = schedule.find_previous_occurrence(&now, true).ok()?;
    Some(due.timestamp())
}

/// Processes all users whom no other server processes.
async fn run_all(engine: &Engine, due: Timestamp, name: &str) {
    let claim = Claim {
        job: "daily",
        work: RecordKind::Interaction,
        holder: name,
        lasts: CLAIM_LASTS,
    };
    loop {
        let spaces = match engine.administration.claim_spaces(&claim, SPACES_MAX).await {
            Ok(spaces) => spaces,
            Err(error) => {
                tracing::warn!(%error, "the daily extraction cannot claim users");
                break;
            }
        };
        if spaces.is_empty() {
            break;
        }
        for space in &spaces {
            run_one(engine, space, due).await;
        }
    }
    if let Err(error) = engine.administration.release_spaces(&claim).await {
        tracing::warn!(%error, "cannot release the claims of the daily extraction; they expire by themselves");
    }
}

async fn run_one(engine: &Engine, space: &SpaceId, due: Timestamp) {
    let now = engine.ports.clock.now();
    let Some(scope) = Scope::of_job(space.clone(), Actor::new("job:daily"), now) else {
        return;
    };
    let name = format!("{due:.0}");
    let run = daily::run(&engine.agent, &scope, &name, Selection::Unread).await;
    if let Err(error) = run {
        tracing::warn!(%space, %error, "the daily extraction of a user failed");
    }
}

#[cfg(test)]
mod tests {
    use std::str::FromStr;

    use super::*;

    #[test]
    fn the_last_due_time_is_at_or_before_now() {
        let schedule = Cron::from_str("0 23 * * *").unwrap();
        let due = |now: &str| last_due(&schedule, now.parse().unwrap()).unwrap().to_string();
        assert_eq!(due("2026-03-01T10:00:00Z"), "2026-02-28T23:00:00Z");
        assert_eq!(due("2026-03-01T23:00:00Z"), "2026-03-01T23:00:00Z");
    }
}
