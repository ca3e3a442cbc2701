//! `recalld forget`: hides a memory, or erases it for good.

use clap::Args;
use recalld_index::text::tokens;
use recalld_memory::retire::{Retired, erase, retire};
use recalld_wire::Memory;
use serde::Serialize;

use super::pointer::{self, Pointer};
use crate::arguments::{Occasion, examples, number};
use crate::engine::{Engine, Place};
use crate::failure::Failure;
use crate::memory_name::{memory_name, short_id};
use crate::output::{FAINT, GOOD, NAME, Output, Page, Show, escaped};
use crate::session::Session;
use recalld_memory::scope::Scope;

/// Hides a memory, which can be restored; with --erase it is gone for good
#[derive(Debug, Args)]
#[command(after_help = examples!(
    "recalld forget role",
    "recalld forget 4f2a91c7 --erase --yes",
))]
pub(crate) struct Arguments {
    /// Its key, its id, or the end of its id
    #[arg(value_name = "MEMORY")]
    pointer: String,

    /// Removes it with its history, for good
    #[arg(long)]
    erase: bool,

    /// Does not ask before erasing
    #[arg(short, long, requires = "erase")]
    yes: bool,

    /// Only if the memory is still at this version
    #[arg(long, value_name = "N", value_parser = number::at_least::<u32>(1), conflicts_with = "erase")]
    if_version: Option<u32>,

    #[command(flatten)]
    occasion: Occasion,
}

impl Arguments {
    /// Asks before it erases. That is before the memories are opened, so that nobody waits for an
    /// answer, and where the person is, wherever the memories are.
    pub(crate) fn consent(&self, output: &Output) -> Result<(), Failure> {
        Pointer::new(&self.pointer)?;
        Place::try_from(self.occasion.clone())?;
        match self.erase && !self.yes {
            true => consent(output, &self.pointer),
            false => Ok(()),
        }
    }

    /// Forgets it.
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        let pointer = Pointer::new(&self.pointer)?;
        let place = Place::try_from(self.occasion.clone())?;
        tokens::warm_up();
        let engine = session.write()?;
        let scope = engine.scope_in(&place);
        let outcome = match self.erase {
            true => erased(&engine, &scope, &pointer).await?,
            false => self.hidden(&engine, &scope, &pointer).await?,
        };
        session.output.answer(&outcome)
    }

    async fn hidden(&self, engine: &Engine, scope: &Scope, pointer: &Pointer) -> Result<Outcome, Failure> {
        let target = pointer.target(engine, scope).await?;
        match retire(&engine.ports, scope, target, self.if_version).await? {
            Retired::Hidden(memory) => Ok(Outcome::Retired {
                memory: Box::new(Memory::at(memory, scope.now)),
            }),
            Retired::NotFound => Err(pointer::hidden(&*pointer.find(engine, scope).await?)),
            Retired::Stale(memory) => {
                let message = format!("the memory is at version {} by now", memory.version);
                Err(Failure::failed("stale", message)
                    .hint(format!("look at it again with `recalld show {}`", memory.id)))
            }
        }
    }
}

async fn erased(engine: &Engine, scope: &Scope, pointer: &Pointer) -> Result<Outcome, Failure> {
    let target = pointer.target(engine, scope).await?;
    match erase(&engine.ports, scope, target).await? {
        Some(id) => Ok(Outcome::Erased { id: id.to_string() }),
        None => Err(Failure::not_found("the memory is gone already")),
    }
}

fn consent(output: &Output, pointer: &str) -> Result<(), Failure> {
    match output.ask(&format!("Erase {pointer} and its history for good?")) {
        Some(true) => Ok(()),
        Some(false) => Err(Failure::failed("declined", "nothing was erased")),
        None => Err(
            Failure::bad_input("consent", "erasing cannot be undone, and nobody is there to ask")
                .hint("add --yes to erase without being asked"),
        ),
    }
}

/// What became of it.
#[derive(Debug, Serialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
enum Outcome {
    Retired { memory: Box<Memory> },
    Erased { id: String },
}

impl Show for Outcome {
    fn show(&self, page: &mut Page) {
        match self {
            Outcome::Retired { memory } => {
                page.line(format_args!(
                    "{GOOD}Forgotten{GOOD:#} {NAME}{}{NAME:#}",
                    memory_name(memory)
                ));
                page.quote(memory.content.as_str(), 2);
                let back = page.bearing.command(&format!("restore {}", short_id(memory.id)));
                page.line(format_args!(
                    "{FAINT}Bring it back with: {}{FAINT:#}",
                    escaped(&back)
                ));
            }
            Outcome::Erased { id } => page.line(format_args!("{GOOD}Erased{GOOD:#} {id} and its history")),
        }
    }

    fn bare(&self) -> String {
        match self {
            Outcome::Retired { memory } => format!("{}\n", memory.id),
            Outcome::Erased { id } => format!("{id}\n"),
        }
    }
}
