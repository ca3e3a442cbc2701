//! The list of commands.

use clap::Subcommand;

use crate::commands::{self, Execution, RunCommand, Waiting};
use crate::failure::Failure;
use crate::output::Output;
use crate::session::Session;

/// Declares [`Command`] and passes its methods on to the commands.
macro_rules! commands {
    ($($name:ident: $module:ident),+ $(,)?) => {
        /// A command, with its arguments.
        #[derive(Debug, Subcommand)]
        pub(crate) enum Command {
            $($name(commands::$module::Arguments),)+
        }

        impl Command {
            /// Returns how the program runs it.
            pub(crate) fn execution(&self) -> Execution {
                match self {
                    $(Command::$name(arguments) => arguments.execution(),)+
                }
            }

            /// Asks the user for confirmation, if the command needs one.
            pub(crate) fn confirm(&self, output: &Output) -> Result<(), Failure> {
                match self {
                    $(Command::$name(arguments) => arguments.confirm(output),)+
                }
            }

            /// Returns who waits for it, if nothing that goes wrong may show.
            pub(crate) fn never_fails(&self) -> Option<Waiting> {
                match self {
                    $(Command::$name(arguments) => arguments.never_fails(),)+
                }
            }

            async fn run_on(self, session: &Session) -> Result<(), Failure> {
                match self {
                    $(Command::$name(arguments) => arguments.run(session).await,)+
                }
            }
        }
    };
}

// In the order in which help shows them.
commands! {
    Add: add,
    Search: search,
    List: list,
    Show: show,
    Update: update,
    Forget: forget,
    Restore: restore,
    History: history,
    Undo: undo,
    Review: review,
    Audit: audit,
    Context: context,
    Prompt: prompt,
    Document: document,
    Entity: entity,
    Chat: chat,
    Extract: extract,
    Runs: runs,
    Learn: learn,
    Files: files,
    Export: export,
    Import: import,
    Erase: erase,
    Backup: backup,
    Models: models,
    Serve: serve,
    Connect: connect,
    Hook: hook,
    Pause: pause,
    Why: why,
    Check: check,
    Handoff: handoff,
    Console: console,
    Mcp: mcp,
    Channels: channels,
    Ingest: ingest,
    Keys: keys,
    Users: users,
    Tools: tools,
    Tool: tool,
    Stats: stats,
    Migrate: migrate,
    Config: config,
    Doctor: doctor,
    Demo: demo,
    Reindex: reindex,
    Eval: eval,
    Completions: completions,
}

impl Command {
    /// Runs it, and then finishes what its answer did not wait for.
    pub(crate) async fn run(self, session: Session) -> Result<(), Failure> {
        let is_server = self.execution() == Execution::Server;
        let done = self.run_on(&session).await;
        if !is_server {
            session.settle().await;
        }
        done
    }
}
