//! `recalld pause`: coding agents get no memories and leave none, until `recalld pause --off`.

use std::path::Path;

use clap::Args;
use serde::Serialize;

use super::{Execution, RunCommand};
use crate::arguments::examples;
use crate::coding::project::CodeProject;
use crate::coding::session_state::{self, SessionState};
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
    "recalld pause --session",
))]
pub(crate) struct Arguments {
    /// Lets the hooks go on
    #[arg(long)]
    off: bool,

    /// Pauses one session only: the last one in this directory, or the one that is named
    #[arg(long, value_name = "ID", num_args = 0..=1, default_missing_value = "")]
    session: Option<String>,
}

impl RunCommand for Arguments {
    fn execution(&self) -> Execution {
        Execution::Local
    }

    async fn run(self, session: &Session) -> Result<(), Failure> {
        let data = session.config()?.data()?;
        let paused = !self.off;
        if let Some(named) = self.session {
            let named = Some(named.as_str()).filter(|named| !named.is_empty());
            return pause_session(session, data, named, paused);
        }
        session_state::set_paused(data, paused).map_err(|error| {
            let message = format!("cannot write to {}: {error}", data.display());
            Failure::failed("data_directory", message)
        })?;
        session.output.answer(&Paused { paused })
    }
}

/// Pauses one session: nothing more is injected into it or captured from it.
fn pause_session(session: &Session, data: &Path, named: Option<&str>, paused: bool) -> Result<(), Failure> {
    let project = CodeProject::of(&session.path(Path::new(".")));
    let found = SessionState::last(data, project.label.as_str(), named);
    let Some(mut state) = found else {
        return Err(Failure::not_found("there was no such session of a coding agent")
            .hint("run it in the directory of the session, or name the session"));
    };
    state.paused = paused;
    state.write(data, &state.session.clone());
    session.output.answer(&Paused { paused })
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
