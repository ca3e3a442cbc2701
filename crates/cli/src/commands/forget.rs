//! `recalld forget`: hides a memory, or erases it permanently.

use clap::Args;
use recalld_index::text::tokens;
use recalld_memory::retire::{Retired, erase, retire};
use recalld_wire::Memory;
use serde::Serialize;

use super::RunCommand;
use super::memory_ref::{self, MemoryRef};
use crate::arguments::{ConversationArgs, SharedArgs, examples, number};
use crate::engine::{ConversationIds, Engine};
use crate::failure::Failure;
use crate::memory_name::{memory_name, short_id};
use crate::output::{FAINT, GOOD, NAME, Output, Page, Show, escaped};
use crate::session::Session;
use recalld_memory::scope::Scope;

/// Hides a memory, which can be restored; with --erase, removes it permanently
#[derive(Debug, Args)]
#[command(after_help = examples!(
    "recalld forget role",
    "recalld forget 4f2a91c7 --erase --yes",
))]
pub(crate) struct Arguments {
    /// Key or id of the memory, or the end of its id
    #[arg(value_name = "MEMORY")]
    memory: String,

    /// Removes the memory and its history permanently
    #[arg(long)]
    erase: bool,

    /// Erases without asking for confirmation
    #[arg(short, long, requires = "erase")]
    yes: bool,

    /// Fails unless the memory is at this version
    #[arg(long, value_name = "N", value_parser = number::at_least::<u32>(1), conflicts_with = "erase")]
    if_version: Option<u32>,

    #[command(flatten)]
    shared: SharedArgs,

    #[command(flatten)]
    conversation: ConversationArgs,
}

impl RunCommand for Arguments {
    fn confirm(&self, output: &Output) -> Result<(), Failure> {
        MemoryRef::new(&self.memory)?;
        ConversationIds::try_from(self.conversation.clone())?;
        match self.erase && !self.yes {
            true => confirm(output, &self.memory),
            false => Ok(()),
        }
    }

    async fn run(self, session: &Session) -> Result<(), Failure> {
        let memory_ref = MemoryRef::new(&self.memory)?;
        let ids = ConversationIds::try_from(self.conversation.clone())?;
        tokens::warm_up();
        let engine = session.write().await?;
        let scope = engine.selected_scope(self.shared, &ids);
        let outcome = match self.erase {
            true => erased(&engine, &scope, &memory_ref).await?,
            false => self.hidden(&engine, &scope, &memory_ref).await?,
        };
        session.output.answer(&outcome)
    }
}

impl Arguments {
    async fn hidden(
        &self,
        engine: &Engine,
        scope: &Scope,
        memory_ref: &MemoryRef,
    ) -> Result<Outcome, Failure> {
        let target = memory_ref.target(engine, scope).await?;
        match retire(&engine.ports, scope, target, self.if_version).await? {
            Retired::Hidden(memory) => Ok(Outcome::Retired {
                memory: Box::new(Memory::at(memory, scope.now)),
            }),
            Retired::NotFound => Err(memory_ref::hidden(&*memory_ref.find(engine, scope).await?)),
            Retired::Stale(memory) => {
                let message = format!("the memory is now at version {}", memory.version);
                Err(Failure::failed("stale", message).hint(format!("`recalld show {}` shows it", memory.id)))
            }
        }
    }
}

async fn erased(engine: &Engine, scope: &Scope, memory_ref: &MemoryRef) -> Result<Outcome, Failure> {
    let target = memory_ref.target(engine, scope).await?;
    match erase(&engine.ports, scope, target).await? {
        Some(id) => Ok(Outcome::Erased { id: id.to_string() }),
        None => Err(Failure::not_found("the memory is already gone")),
    }
}

fn confirm(output: &Output, memory: &str) -> Result<(), Failure> {
    match output.ask(&format!("Erase {memory} and its history permanently?")) {
        Some(true) => Ok(()),
        Some(false) => Err(Failure::failed("declined", "nothing was erased")),
        None => Err(
            Failure::bad_input("consent", "refusing to erase without confirmation (no terminal)")
                .hint("add --yes to erase without confirmation"),
        ),
    }
}

/// What was done.
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
                let back = page.prefix.command(&format!("restore {}", short_id(memory.id)));
                page.line(format_args!(
                    "{FAINT}Restore it with: {}{FAINT:#}",
                    escaped(&back)
                ));
            }
            Outcome::Erased { id } => page.line(format_args!("{GOOD}Erased{GOOD:#} {id} and its history")),
        }
    }

    fn quiet(&self) -> String {
        match self {
            Outcome::Retired { memory } => format!("{}\n", memory.id),
            Outcome::Erased { id } => format!("{id}\n"),
        }
    }
}
