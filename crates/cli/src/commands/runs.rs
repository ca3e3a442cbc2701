//! `recalld runs`: the daily extractions of a user.

use clap::Args;
use recalld_agent::daily;
use serde::Serialize;

use crate::arguments::{examples, number};
use crate::failure::Failure;
use crate::output::{BAD, Cell, GOOD, NAME, Page, Show, Table};
use crate::session::Session;

/// Lists the runs of the daily extraction, the latest first
#[derive(Debug, Args)]
#[command(after_help = examples!(
    "recalld runs",
    "recalld runs --user ana --limit 5",
    "recalld runs --json | jq '.runs[] | select(.status == \"failed\")'",
))]
pub(crate) struct Arguments {
    /// The most runs
    #[arg(short = 'n', long, default_value_t = 30, value_name = "N", value_parser = number::at_least::<usize>(1))]
    limit: usize,
}

impl Arguments {
    /// Lists them.
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        let engine = session.read()?;
        let runs = daily::runs(&engine.ports, &engine.scope(), self.limit).await?;
        session.output.answer(&Runs {
            runs: runs.into_iter().map(RunLine::from).collect(),
        })
    }
}

/// Runs, as they are shown.
#[derive(Debug, Serialize)]
struct Runs {
    runs: Vec<RunLine>,
}

/// One run, as it is shown.
#[derive(Debug, Serialize)]
pub(super) struct RunLine {
    name: String,
    status: &'static str,
    started_at: String,
    finished_at: Option<String>,
    interactions: usize,
    tool_calls: usize,
    tokens_in: u64,
    tokens_out: u64,
    error: Option<String>,
}

impl From<daily::Run> for RunLine {
    fn from(run: daily::Run) -> RunLine {
        RunLine {
            name: run.name,
            status: run.status.as_str(),
            started_at: run.started_at.to_string(),
            finished_at: run.finished_at.map(|at| at.to_string()),
            interactions: run.interactions,
            tool_calls: run.tool_calls,
            tokens_in: run.tokens_in,
            tokens_out: run.tokens_out,
            error: run.error,
        }
    }
}

impl Show for Runs {
    fn show(&self, page: &mut Page) {
        if self.runs.is_empty() {
            page.line("No run yet.");
            return;
        }
        let mut table = Table::new(["RUN", "STATUS", "DID", "CALLS", "TOKENS", "ERROR"]);
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

    fn bare(&self) -> String {
        self.runs.iter().map(|run| format!("{}\n", run.name)).collect()
    }
}

impl std::fmt::Display for RunLine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{}: {}, {} interactions, {} calls",
            self.name, self.status, self.interactions, self.tool_calls
        )?;
        match &self.error {
            Some(error) => write!(f, ", {}", crate::output::one_line(error)),
            None => Ok(()),
        }
    }
}
