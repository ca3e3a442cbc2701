//! `recalld demo`: a walk through the program on memories that are thrown away.

mod stage;
mod steps;

use clap::Args;
use serde::Serialize;

use super::{Execution, RunCommand};
use crate::arguments::examples;
use crate::failure::Failure;
use crate::output::{FAINT, GOOD, Page, STRONG, Show, escaped, painted};
use crate::session::Session;
use crate::signals;

use stage::Stage;
use steps::{STEPS, Step};

/// Shows in under a minute what the program does, on memories that are thrown away
///
/// Fills a temporary directory with a made-up person in three languages, and runs the commands that
/// you would type: add, search, show, update, undo, context. In the end the console is open until
/// you press Enter. Your own memories and settings are not touched.
#[derive(Debug, Args)]
#[command(after_help = examples!(
    "recalld demo",
    "recalld demo --no-console",
))]
pub(crate) struct Arguments {
    /// Leaves the console out
    #[arg(long)]
    no_console: bool,
}

impl RunCommand for Arguments {
    fn execution(&self) -> Execution {
        Execution::Unconfigured
    }

    async fn run(self, session: &Session) -> Result<(), Failure> {
        let stage = Stage::new()?;
        let done = tokio::select! {
            done = walk(session, &stage, self.no_console) => done,
            () = signals::shutdown() => Err(Failure::failed("stopped", "the demo was stopped")),
        };
        // Also after a failure: nothing may stay behind.
        let left = stage.remove();
        let commands = done?;
        left?;
        session.output.answer(&Done { commands })
    }
}

async fn walk(session: &Session, stage: &Stage, no_console: bool) -> Result<usize, Failure> {
    let output = &session.output;
    let mut commands = 0;
    for Step { title, lines } in STEPS {
        if output.is_text() {
            output.styled(&format!("\n{}\n", painted(STRONG, title)))?;
        }
        for line in *lines {
            let run = stage.run(line).await?;
            commands += 1;
            if output.is_text() {
                output.styled(&format!("{} recalld {}\n", painted(FAINT, "$"), escaped(line)))?;
                output.styled(&run.shown)?;
            }
            if run.is_success == line.starts_with(steps::REFUSED) {
                let message = format!(
                    "`recalld {line}` did not do what the demo shows: {}",
                    run.shown.trim()
                );
                return Err(Failure::failed("demo", message));
            }
        }
    }
    if !no_console {
        stage.console(output).await?;
    }
    Ok(commands)
}

#[derive(Debug, Serialize)]
struct Done {
    /// How many commands were run.
    commands: usize,
}

impl Show for Done {
    fn show(&self, page: &mut Page) {
        page.line(format_args!(
            "\n{GOOD}Done.{GOOD:#} The memories of this demo are gone; yours were not touched."
        ));
        page.line("Next: `recalld add \"…\"`, or `recalld connect` to give your agent a memory.");
    }
}
