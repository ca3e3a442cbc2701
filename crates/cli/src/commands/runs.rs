//! `recalld runs`: the runs of the daily extraction for a user.

use clap::Args;
use recalld_agent::daily;
use recalld_wire::{ExtractionRun, ExtractionRunList};

use super::RunCommand;
use crate::arguments::{examples, number};
use crate::failure::Failure;
use crate::output::{BAD, Cell, GOOD, NAME, Page, Show, Table, one_line};
use crate::session::Session;

/// Lists the runs of the daily extraction, latest first
#[derive(Debug, Args)]
#[command(after_help = examples!(
    "recalld runs",
    "recalld runs --user ana --limit 5",
    "recalld runs --json | jq '.runs[] | select(.status == \"failed\")'",
))]
pub(crate) struct Arguments {
    /// Maximum number of runs
    #[arg(short = 'n', long, default_value_t = 30, value_name = "N", value_parser = number::at_least::<usize>(1))]
    limit: usize,
}

impl RunCommand for Arguments {
    async fn run(self, session: &Session) -> Result<(), Failure> {
        let engine = session.read().await?;
        let runs = daily::runs(&engine.ports, &engine.scope(), self.limit).await?;
        session.output.answer(&ExtractionRunList::from(runs))
    }
}

impl Show for ExtractionRunList {
    fn show(&self, page: &mut Page) {
        if self.runs.is_empty() {
            page.line("No runs yet.");
            return;
        }
        let mut table = Table::new(["RUN", "STATUS", "INTERACTIONS", "CALLS", "TOKENS", "ERROR"]);
        for run in &self.runs {
            let style = if run.status == "failed" { BAD } else { GOOD };
            table.row([
                Cell::styled(NAME, &run.name),
                Cell::styled(style, run.status),
                Cell::plain(&run.interactions.to_string()),
                Cell::plain(&run.tool_calls.to_string()),
                Cell::plain(&(run.tokens_in + run.tokens_out).to_string()),
                Cell::plain(run.error.as_deref().unwrap_or("")),
            ]);
        }
        table.write(page);
    }

    fn quiet(&self) -> String {
        self.runs.iter().map(|run| format!("{}\n", run.name)).collect()
    }
}

/// Writes a run on one line.
pub(super) fn run_line(run: &ExtractionRun) -> String {
    let error = run.error.as_deref().map(|error| format!(", {}", one_line(error)));
    format!(
        "{}: {}, {} interactions, {} calls{}",
        run.name,
        run.status,
        run.interactions,
        run.tool_calls,
        error.unwrap_or_default()
    )
}
