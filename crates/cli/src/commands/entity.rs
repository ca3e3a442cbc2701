//! `recalld entity`: places, accounts and people.

mod add;
mod list;
mod mention;

use clap::{Args, Subcommand};

use crate::arguments::examples;
use crate::failure::Failure;
use crate::session::Session;

/// Remembers places, accounts and people, and the messages that mention them
#[derive(Debug, Args)]
#[command(arg_required_else_help = true, after_help = examples!(
    "recalld entity add cafe-1 \"Café Central\" --notes \"good for working\"",
    "recalld entity mention cafe-1 --conversation c1 --message m7",
    "recalld entity list --kind account",
))]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Add(add::Arguments),
    Mention(mention::Arguments),
    List(list::Arguments),
}

impl Arguments {
    /// Runs what is asked.
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        match self.action {
            Action::Add(arguments) => arguments.run(session).await,
            Action::Mention(arguments) => arguments.run(session).await,
            Action::List(arguments) => arguments.run(session).await,
        }
    }
}
