//! Runs the daily extraction when its time has come, for every user who did something.

use std::str::FromStr;
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

use crate::engine::Engine;
use crate::failure::Failure;

/// Reads a schedule; none if it is switched off.
pub(crate) fn schedule(text: &str) -> Result<Option<Cron>, Failure> {
    match text.trim() {
        "off" | "" => Ok(None),
        text => Cron::from_str(text).map(Some).map_err(|error| {
            Failure::bad_input("configuration", format!("is not a cron expression: {error}"))
                .hint("such as: 0 23 * * *")
        }),
    }
}

/// How many spaces are claimed at a time: few, so that several servers share them.
const SPACES_MAX: usize = 8;

/// After so long the spaces that a dead server was to go through are free. Whoever finished its own
/// share looks again then.
const LASTS: Duration = Duration::from_secs(1800);

/// How often it is looked whether the time has come: a machine may sleep, and clocks are set.
const LOOK_EVERY: Duration = Duration::from_secs(30);

/// Runs until it is dropped, as the server `name`. What was due while no server ran is made up for
/// at the start.
pub(crate) async fn run(engine: Engine, schedule: Option<Cron>, name: String) {
    let Some(schedule) = schedule else {
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
                again = Some(Instant::now() + LASTS);
            } else if again.is_some_and(|again| again <= Instant::now()) {
                // What another server died over. All else was done, and is passed by.
                run_all(&engine, due, &name).await;
                again = None;
            }
        }
        tokio::time::sleep(LOOK_EVERY).await;
    }
}

/// The last time at which a run was due.
fn last_due(schedule: &Cron, now: Timestamp) -> Option<Timestamp> {
    let now: Zoned = now.to_zoned(TimeZone::UTC);
    let due = schedule.find_previous_occurrence(&now, true).ok()?;
    Some(due.timestamp())
}

/// Goes through all users whom no other server is going through.
async fn run_all(engine: &Engine, due: Timestamp, name: &str) {
    let claim = Claim {
        job: "daily",
        work: RecordKind::Interaction,
        holder: name,
        lasts: LASTS,
    };
    loop {
        let spaces = match engine.administration.claim_spaces(&claim, SPACES_MAX).await {
            Ok(spaces) => spaces,
            Err(error) => {
                tracing::warn!(%error, "the daily extraction cannot list its users");
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
        tracing::warn!(%error, "the users of the daily extraction stay claimed until that lapses");
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
        tracing::warn!(%space, %error, "a daily extraction failed");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_time_is_at_eleven_in_the_evening() {
        let usual = schedule("0 23 * * *").unwrap().unwrap();
        let due = |now: &str| last_due(&usual, now.parse().unwrap()).unwrap().to_string();
        assert_eq!(due("2026-03-01T10:00:00Z"), "2026-02-28T23:00:00Z");
        assert_eq!(due("2026-03-01T23:00:00Z"), "2026-03-01T23:00:00Z");
        assert!(schedule("off").unwrap().is_none());
        assert!(schedule("at noon").is_err());
    }
}
