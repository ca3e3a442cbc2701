//! `recalld extract`: runs the daily extraction now, for one user.

use clap::Args;
use jiff::SignedDuration;
use recalld_agent::daily::{self, Planned, Selection};
use recalld_wire::ExtractionRun;
use serde::Serialize;

use super::RunCommand;
use super::runs::run_line;
use crate::arguments::examples;
use crate::failure::Failure;
use crate::output::{GOOD, NAME, Page, Show};
use crate::session::Session;

/// Updates the user's memories from their recent interactions
///
/// The server does the same once a day. With --dry-run, shows what would change and changes
/// nothing.
#[derive(Debug, Args)]
#[command(after_help = examples!(
    "recalld extract --user ana --dry-run",
    "recalld extract --user ana --hours 72",
))]
pub(crate) struct Arguments {
    /// Shows what would change, and changes nothing
    #[arg(long)]
    dry_run: bool,

    /// Reads the interactions of the last N hours again, instead of the unread ones
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=24 * 366))]
    hours: Option<u32>,
}

impl RunCommand for Arguments {
    async fn run(self, session: &Session) -> Result<(), Failure> {
        let engine = session.write().await?;
        let scope = engine.scope();
        let selection = match self.hours {
            None => Selection::Unread,
            Some(hours) => {
                let back = SignedDuration::from_hours(i64::from(hours));
                Selection::Between {
                    since: scope.now.saturating_sub(back).unwrap_or(scope.now),
                    until: scope.now,
                }
            }
        };
        if self.dry_run {
            let planned = daily::rehearse(&engine.agent, &scope, selection).await?;
            return session.output.answer(&Plan {
                changes: planned.into_iter().map(Change::from).collect(),
            });
        }
        let name = format!("{:.0}", scope.now);
        let run = daily::run(&engine.agent, &scope, &name, selection).await?;
        session.output.answer(&Outcome {
            run: run.map(ExtractionRun::from),
        })
    }
}

/// What would change.
#[derive(Debug, Serialize)]
struct Plan {
    changes: Vec<Change>,
}

#[derive(Debug, Serialize)]
struct Change {
    act: &'static str,
    key: Option<String>,
    content: String,
}

impl From<Planned> for Change {
    fn from(planned: Planned) -> Change {
        Change {
            act: planned.act,
            key: planned.key,
            content: planned.content,
        }
    }
}

impl Show for Plan {
    fn show(&self, page: &mut Page) {
        if self.changes.is_empty() {
            page.line("Nothing would change.");
        }
        for change in &self.changes {
            let key = change.key.as_deref().unwrap_or("-");
            page.line(format_args!(
                "{GOOD}{}{GOOD:#} {NAME}{}{NAME:#}",
                change.act,
                crate::output::one_line(key)
            ));
            page.quote(&change.content, 2);
        }
    }

    fn quiet(&self) -> String {
        let line = |change: &Change| format!("{} {}\n", change.act, crate::output::one_line(&change.content));
        self.changes.iter().map(line).collect()
    }
}

/// The finished run, if there was one.
#[derive(Debug, Serialize)]
struct Outcome {
    run: Option<ExtractionRun>,
}

impl Show for Outcome {
    fn show(&self, page: &mut Page) {
        match &self.run {
            Some(run) => page.line(run_line(run)),
            None => page.line("Nothing to do: there are no new interactions, or another run is in progress."),
        }
    }

    fn quiet(&self) -> String {
        self.run
            .iter()
            .map(|run| format!("{}\n", run_line(run)))
            .collect()
    }
}
