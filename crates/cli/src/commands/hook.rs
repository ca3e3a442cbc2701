//! `recalld hook`: what coding agents run at the turns of a session.

mod events;

use clap::{Args, ValueEnum};

use super::{RunCommand, Waiting};
use crate::arguments::examples;
use crate::coding::agent::Agent;
use crate::coding::event::HookInput;
use crate::failure::Failure;
use crate::input;
use crate::session::Session;

/// Runs at the turns of a coding agent's session; `recalld connect --hooks` sets it up
///
/// Reads the event from standard input and prints what the agent should know, or nothing. It
/// answers within 150 ms or gives up, and never fails: whatever is wrong with the memories, the
/// session goes on. `recalld doctor` shows what went wrong.
#[derive(Debug, Args)]
#[command(after_help = examples!(
    "recalld hook session-start -",
    "recalld hook prompt -",
    "recalld hook session-end -",
    "recalld hook status -",
))]
pub(crate) struct Arguments {
    /// What happens in the session
    event: Event,

    /// Where the event is described: `-` reads standard input
    input: String,

    /// Agent that runs the hook, whose form the answer has
    #[arg(long, value_enum, default_value_t = Agent::ClaudeCode)]
    agent: Agent,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Event {
    /// A session begins: says what is known about the project
    SessionStart,
    /// The user says something: says what bears on it, and keeps what was said for learning
    Prompt,
    /// The session is about to forget: learns from what was said
    PreCompact,
    /// The session ends: learns from what was said
    SessionEnd,
    /// Prints one line about the session, for a status line
    Status,
}

impl RunCommand for Arguments {
    fn never_fails(&self) -> Option<Waiting> {
        Some(match self.event {
            Event::SessionStart | Event::Prompt | Event::Status => Waiting::User,
            Event::PreCompact | Event::SessionEnd => Waiting::Nobody,
        })
    }

    async fn run(self, session: &Session) -> Result<(), Failure> {
        let text = input::json(self.input)?;
        let Some(input) = HookInput::parse(&text) else {
            return Err(Failure::bad_input(
                "hook",
                "the event is not described as expected",
            ));
        };
        match self.event {
            Event::SessionStart => events::session_start(session, &input, self.agent).await,
            Event::Prompt => events::prompt(session, &input, self.agent).await,
            Event::PreCompact | Event::SessionEnd => events::capture(session, &input).await,
            Event::Status => events::status(session, &input),
        }
    }
}
