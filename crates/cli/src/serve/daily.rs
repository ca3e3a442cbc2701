//! Runs the daily extraction when its time has come, for every user who did something.

use std::str::FromStr;
use std::time::Duration;

use croner::Cron;
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use recalld_memory::change::Actor;
use recalld_memory::daily::{self, Window};
use recalld_memory::id::SpaceId;
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

/// How many spaces are listed at a time.
const PAGE: usize = 500;

/// How often it is looked whether the time has come: a machine may sleep, and clocks are set.
const LOOK_EVERY: Duration = Duration::from_secs(30);

/// Runs until it is dropped. What was due while no server ran is made up for at the start.
pub(crate) async fn run(engine: Engine, schedule: Option<Cron>) {
    let Some(schedule) = schedule else {
        return;
    };
    let mut done: Option<Timestamp> = None;
    loop {
        let now = engine.ports.clock.now();
        if let Some(due) = last_due(&schedule, now).filter(|due| done != Some(*due)) {
            run_all(&engine, due).await;
            done = Some(due);
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

async fn run_all(engine: &Engine, due: Timestamp) {
    let server = format!("server-{}", std::process::id());
    let mut after: Option<SpaceId> = None;
    loop {
        let page = engine
            .administration
            .spaces_with_records(RecordKind::Interaction, after.as_ref(), PAGE)
            .await;
        let spaces = match page {
            Ok(spaces) => spaces,
            Err(error) => {
                tracing::warn!(%error, "the daily extraction cannot list its users");
                return;
            }
        };
        for space in &spaces {
            run_one(engine, space, due, &server).await;
        }
        match spaces.last() {
            Some(last) if spaces.len() == PAGE => after = Some(last.clone()),
            _ => return,
        }
    }
}

async fn run_one(engine: &Engine, space: &SpaceId, due: Timestamp, server: &str) {
    let now = engine.ports.clock.now();
    let Some(scope) = Scope::of_job(space.clone(), Actor::new("job:daily"), now) else {
        return;
    };
    let name = format!("{due:.0}");
    let run = daily::run(&engine.ports, &scope, &name, Window::day_before(due), server).await;
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
