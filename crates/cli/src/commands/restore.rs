//! `recalld restore`: restores a hidden memory, an earlier version of one, or a backup.

mod backup;

use std::path::Path;

use clap::Args;
use recalld_index::text::tokens;
use recalld_memory::as_of::version_at;
use recalld_memory::browse;
use recalld_memory::retire::{Restored, restore, restore_version};
use recalld_memory::scope::Scope;
use recalld_memory::target::Target;
use recalld_wire::Memory;
use serde::Serialize;

use super::RunCommand;
use super::memory_ref::MemoryRef;
use super::update::taken;
use crate::arguments::{ConversationArgs, examples, number, quoted};
use crate::engine::{ConversationIds, Engine};
use crate::failure::Failure;
use crate::input;
use crate::memory_name::memory_name;
use crate::output::{GOOD, NAME, Page, Show, escaped};
use crate::session::Session;

/// Restores a hidden memory, an earlier version of one, or a backup
///
/// The name refers to a memory, unless it looks like a path or names a file that `recalld backup`
/// created.
#[derive(Debug, Args)]
#[command(after_help = examples!(
    "recalld restore role",
    "recalld restore role --version 1      (see `recalld history role`)",
    "recalld restore ./memories.db         (created by `recalld backup`)",
))]
pub(crate) struct Arguments {
    /// Key or id of a memory, or the end of its id; or the file of a backup
    #[arg(value_name = "MEMORY|FILE")]
    memory: String,

    /// Replaces all existing memories with the backup
    #[arg(long, conflicts_with = "version")]
    replace: bool,

    /// Restores this version of the memory
    #[arg(long, value_name = "N", value_parser = number::at_least::<u32>(1))]
    version: Option<u32>,

    /// Restores the version of this time: a date (its end, UTC), or a date and time
    #[arg(long, value_name = "TIME", conflicts_with_all = ["version", "replace"])]
    at: Option<String>,

    #[command(flatten)]
    conversation: ConversationArgs,
}

impl RunCommand for Arguments {
    async fn run(self, session: &Session) -> Result<(), Failure> {
        if backup::is_meant(session, &self.memory) {
            return backup::run(session, Path::new(&self.memory), self.replace).await;
        }
        let memory_ref = MemoryRef::new(&self.memory)?;
        let ids = ConversationIds::try_from(self.conversation)?;
        tokens::warm_up();
        let engine = session.write().await?;
        let scope = engine.scope_in(&ids);
        let target = memory_ref.target(&engine, &scope).await?;
        let version = match &self.at {
            Some(at) => Some(version_then(&engine, &scope, &target, at).await?),
            None => self.version,
        };
        let restored = match version {
            Some(version) => restore_version(&engine.ports, &scope, target, version).await?,
            None => restore(&engine.ports, &scope, target).await?,
        };
        match (restored, version) {
            (Restored::Shown { memory, evicted }, _) => session.output.answer(&Outcome::Restored {
                memory: Memory::at(memory, scope.now),
                evicted,
            }),
            (Restored::Duplicate { of }, _) => Err(taken(&Memory::at(of, scope.now))),
            (Restored::NotFound, Some(version)) => Err(Failure::not_found(format!(
                "the memory has no version {version}"
            ))
            .hint(format!(
                "`recalld history {}` lists the versions",
                quoted(&self.memory)
            ))),
            (Restored::NotFound, None) => Err(Failure::not_found("the memory is not hidden")
                .hint("add --version N to restore an earlier version")),
        }
    }
}

/// Returns the version that the memory had at that time.
async fn version_then(engine: &Engine, scope: &Scope, target: &Target, at: &str) -> Result<u32, Failure> {
    let moment = input::time(at)?;
    let versions = browse::history(&engine.ports, scope, target)
        .await?
        .unwrap_or_default();
    let then = version_at(&versions, moment).map(|version| version.memory.version);
    then.ok_or_else(|| Failure::not_found(format!("the memory did not exist at {}", escaped(at))))
}

/// What was done.
#[derive(Debug, Serialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
enum Outcome {
    Restored { memory: Memory, evicted: usize },
}

impl Show for Outcome {
    fn show(&self, page: &mut Page) {
        let Outcome::Restored { memory, .. } = self;
        let (name, version) = (memory_name(memory), memory.version);
        page.line(format_args!(
            "{GOOD}Restored{GOOD:#} {NAME}{name}{NAME:#}, now at version {version}"
        ));
        page.quote(memory.content.as_str(), 2);
    }

    fn quiet(&self) -> String {
        let Outcome::Restored { memory, .. } = self;
        format!("{}\n", memory.id)
    }
}
