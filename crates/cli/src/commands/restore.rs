//! `recalld restore`: shows a hidden memory again, makes one what it was, or puts a backup in
//! place.

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

use super::pointer::Pointer;
use super::update::taken;
use crate::arguments::{Occasion, examples, number, quoted};
use crate::engine::{Engine, Place};
use crate::failure::Failure;
use crate::input;
use crate::memory_name::memory_name;
use crate::output::{GOOD, NAME, Page, Show, escaped};
use crate::session::Session;

/// Brings back a hidden memory, an earlier version of one, or everything from a backup
///
/// A name is that of a memory, unless it is written as a path or is that of a file which `recalld
/// backup` made.
#[derive(Debug, Args)]
#[command(after_help = examples!(
    "recalld restore role",
    "recalld restore role --version 1      (see `recalld history role`)",
    "recalld restore ./memories.db         (made by `recalld backup`)",
))]
pub(crate) struct Arguments {
    /// A memory's key, its id, or the end of its id; or the file of a backup
    #[arg(value_name = "MEMORY|FILE")]
    pointer: String,

    /// Lets a backup take the place of all memories that are there
    #[arg(long, conflicts_with = "version")]
    replace: bool,

    /// Makes it what it was at this version
    #[arg(long, value_name = "N", value_parser = number::at_least::<u32>(1))]
    version: Option<u32>,

    /// Makes it what it was at this time: a date (its end, UTC), or a date and time
    #[arg(long, value_name = "TIME", conflicts_with_all = ["version", "replace"])]
    at: Option<String>,

    #[command(flatten)]
    occasion: Occasion,
}

impl Arguments {
    /// Restores it.
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        if backup::is_meant(session, &self.pointer) {
            return backup::run(session, Path::new(&self.pointer), self.replace).await;
        }
        let pointer = Pointer::new(&self.pointer)?;
        let place = Place::try_from(self.occasion)?;
        tokens::warm_up();
        let engine = session.write()?;
        let scope = engine.scope_in(&place);
        let target = pointer.target(&engine, &scope).await?;
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
            (Restored::NotFound, Some(version)) => {
                Err(Failure::not_found(format!("it has no version {version}"))
                    .hint(format!("`recalld history {}` lists them", quoted(&self.pointer))))
            }
            (Restored::NotFound, None) => Err(Failure::not_found("it is not hidden")
                .hint("to go back to an earlier version, add --version N")),
        }
    }
}

/// Finds the version that the memory had at that time.
async fn version_then(engine: &Engine, scope: &Scope, target: &Target, at: &str) -> Result<u32, Failure> {
    let moment = input::time(at)?;
    let versions = browse::history(&engine.ports, scope, target)
        .await?
        .unwrap_or_default();
    let then = version_at(&versions, moment).map(|version| version.memory.version);
    then.ok_or_else(|| Failure::not_found(format!("it was not known yet at {}", escaped(at))))
}

/// What became of it.
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

    fn bare(&self) -> String {
        let Outcome::Restored { memory, .. } = self;
        format!("{}\n", memory.id)
    }
}
