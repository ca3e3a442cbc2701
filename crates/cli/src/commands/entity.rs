//! `recalld entity`: places, accounts and people.

mod add;
mod confirm;
mod forget;
mod list;
mod mention;

use clap::{Args, Subcommand};
use recalld_memory::entities;
use recalld_memory::id::EntityId;

use super::RunCommand;
use crate::arguments::examples;
use crate::engine::Engine;
use crate::failure::{Failure, shortened};
use crate::session::Session;
use crate::suggest::did_you_mean;

/// Manages places, accounts and people, and the messages that mention them
#[derive(Debug, Args)]
#[command(arg_required_else_help = true, after_help = examples!(
    "recalld entity add cafe-1 \"Café Central\" --notes \"good for working\"",
    "recalld entity mention cafe-1 --conversation c1 --message m7",
    "recalld entity list --kind account",
    "recalld entity confirm cafe-1",
    "recalld entity forget cafe-1",
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
    Confirm(confirm::Arguments),
    Forget(forget::Arguments),
}

impl RunCommand for Arguments {
    async fn run(self, session: &Session) -> Result<(), Failure> {
        match self.action {
            Action::Add(arguments) => arguments.run(session).await,
            Action::Mention(arguments) => arguments.run(session).await,
            Action::List(arguments) => arguments.run(session).await,
            Action::Confirm(arguments) => arguments.run(session).await,
            Action::Forget(arguments) => arguments.run(session).await,
        }
    }
}

/// Reports an id that no visible entity has.
async fn unknown(engine: &Engine, id: &EntityId) -> Result<Failure, Failure> {
    let known = entities::list(&engine.ports, &engine.scope(), None).await?;
    let guess = did_you_mean(id.as_str(), known.iter().map(|entity| entity.id.as_str()));
    let hint = guess.unwrap_or_else(|| "`recalld entity list` shows all entities".to_owned());
    Ok(Failure::not_found(format!("entity not found: {:?}", shortened(id.as_str()))).hint(hint))
}
