//! `recalld pause`: coding agents get no memories and leave none, until `recalld pause --off`.

use clap::Args;
use serde::Serialize;

use super::{Execution, RunCommand};
use crate::arguments::examples;
use crate::coding::session_state;
use crate::failure::Failure;
use crate::output::{GOOD, Page, Show};
use crate::session::Session;

/// Pauses the hooks in coding agents: nothing is injected and nothing is captured
///
/// Commands, tools and the server work as before.
#[derive(Debug, Args)]
#[command(after_help = examples!(
    "recalld pause",
    "recalld pause --off",
))]
pub(crate) struct Arguments {
    /// Lets the hooks go on
    #[arg(long)]
    off: bool,
}

impl RunCommand for Arguments {
    fn execution(&self) -> Execution {
        Execution::Local
    }

    async fn run(self, session: &Session) -> Result<(), Failure> {
        let data = session.config()?.data()?;
        let paused = !self.off;
        session_state::set_paused(data, paused).map_err(|error| {
            let message = format!("cannot write to {}: {error}", data.display());
            Failure::failed("data_directory", message)
        })?;
        session.output.answer(&Paused { paused })
    }
}

#[derive(Debug, Serialize)]
struct Paused {
    paused: bool,
}

impl Show for Paused {
    fn show(&self, page: &mut Page) {
        match self.paused {
            true => page.line(format_args!(
                "{GOOD}Paused.{GOOD:#} Coding agents get no memories and leave none; `recalld pause --off` ends it."
            )),
            false => page.line(format_args!("{GOOD}Hooks are on again.{GOOD:#}")),
        }
    }
}
