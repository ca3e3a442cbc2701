//! The commands: one file each, with its arguments, its answer and how the answer is shown.

pub(crate) mod add;
pub(crate) mod audit;
pub(crate) mod backup;
pub(crate) mod channels;
pub(crate) mod chat;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod config;
pub(crate) mod connect;
pub(crate) mod console;
pub(crate) mod context;
pub(crate) mod demo;
pub(crate) mod doctor;
pub(crate) mod document;
pub(crate) mod entity;
pub(crate) mod erase;
pub(crate) mod eval;
pub(crate) mod export;
pub(crate) mod extract;
pub(crate) mod files;
pub(crate) mod forget;
pub(crate) mod handoff;
pub(crate) mod history;
pub(crate) mod hook;
pub(crate) mod import;
pub(crate) mod ingest;
pub(crate) mod keys;
mod known_user;
pub(crate) mod learn;
pub(crate) mod list;
pub(crate) mod mcp;
mod memory_ref;
pub(crate) mod migrate;
pub(crate) mod models;
pub(crate) mod pause;
pub(crate) mod prompt;
pub(crate) mod reindex;
pub(crate) mod restore;
pub(crate) mod review;
pub(crate) mod runs;
pub(crate) mod search;
pub(crate) mod serve;
pub(crate) mod show;
pub(crate) mod stats;
pub(crate) mod tool;
pub(crate) mod tools;
pub(crate) mod undo;
pub(crate) mod update;
pub(crate) mod users;
pub(crate) mod why;

use crate::failure::Failure;
use crate::output::Output;
use crate::session::Session;

/// How the program runs a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Execution {
    /// Works on memories. If a server holds the data directory, the server runs it.
    Forwarded,
    /// Runs in this process, and opens memories only by itself.
    Local,
    /// Runs in this process without a configuration.
    Unconfigured,
    /// Runs in this process, which waits for a user until it is stopped.
    Interactive,
    /// Runs in this process, which serves many requests at a time.
    Server,
}

/// Who waits for a command that never fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Waiting {
    /// A user, for a moment.
    User,
    Nobody,
}

/// A command, with its arguments.
pub(crate) trait RunCommand {
    /// Returns how the program runs it.
    fn execution(&self) -> Execution {
        Execution::Forwarded
    }

    /// Asks the user for confirmation, if the command needs one. This happens before the command is
    /// forwarded and before memories are opened.
    fn confirm(&self, _output: &Output) -> Result<(), Failure> {
        Ok(())
    }

    /// Returns who waits for it, if nothing that goes wrong may show: the program then ends with
    /// success, and in time.
    fn never_fails(&self) -> Option<Waiting> {
        None
    }

    /// Runs it.
    async fn run(self, session: &Session) -> Result<(), Failure>;
}
