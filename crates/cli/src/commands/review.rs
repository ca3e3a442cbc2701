//! `recalld review`: what waits for a person, and their answer.

use std::path::Path;

use clap::{Args, Subcommand};
use recalld_memory::entities;
use recalld_memory::retire::{Retired, retire};
use recalld_memory::review::{self, Confirmed};
use recalld_wire::{Memory, Review, ReviewItem};
use serde::Serialize;

use super::RunCommand;
use super::memory_ref::MemoryRef;
use crate::arguments::{examples, number};
use crate::coding::evidence::{self, Freshness};
use crate::coding::project::CodeProject;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::memory_name::{memory_name, short_id};
use crate::output::{CAUTION, FAINT, GOOD, NAME, Page, Show, escaped, one_line};
use crate::session::Session;

/// Lists memories that wait for review; confirms or forgets them
///
/// Listed are memories and entities that read like instructions and did not come from you, changes
/// that agents propose to what you said, and what they hid of it; in a repository also memories
/// whose files say something else now. Confirming a proposed change applies it.
#[derive(Debug, Args)]
#[command(after_help = examples!(
    "recalld review",
    "recalld review confirm 4f2a91c7",
    "recalld review forget 4f2a91c7",
    "recalld entity confirm place-1        (confirms a place, account or person)",
    "recalld restore role --version 1      (takes back a change)",
))]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Option<Action>,

    /// How many to list
    #[arg(short = 'n', long, default_value_t = 50, value_parser = number::at_least::<usize>(1))]
    limit: usize,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Lists what waits for review
    List,
    /// Confirms a memory: it counts as your own words from then on
    Confirm {
        /// Key or id of the memory, or the end of its id
        #[arg(value_name = "MEMORY")]
        memory: String,
    },
    /// Hides a memory; it can be restored
    Forget {
        /// Key or id of the memory, or the end of its id
        #[arg(value_name = "MEMORY")]
        memory: String,
    },
}

impl RunCommand for Arguments {
    async fn run(self, session: &Session) -> Result<(), Failure> {
        match self.action {
            None | Some(Action::List) => {
                let engine = session.read().await?;
                let scope = engine.scope();
                let items = review::list(&engine.ports, &scope, self.limit).await?;
                let mut entities = entities::quarantined(&engine.ports, &scope).await?;
                entities.truncate(self.limit);
                let mut review = Review::new(items, &entities, scope.now);
                review.items.extend(stale(session, &engine).await?);
                review.items.truncate(self.limit);
                session.output.answer(&review)
            }
            Some(Action::Confirm { memory: named }) => {
                let engine = session.write().await?;
                let scope = engine.scope();
                let target = MemoryRef::new(&named)?.target(&engine, &scope).await?;
                match review::confirm(&engine.ports, &scope, target).await? {
                    Confirmed::Confirmed(memory) | Confirmed::Unchanged(memory) => {
                        let memory = Memory::at(memory, scope.now);
                        session.output.answer(&Outcome::Confirmed { memory })
                    }
                    Confirmed::NotFound => Err(Failure::not_found("memory not found")),
                }
            }
            Some(Action::Forget { memory: named }) => {
                let engine = session.write().await?;
                let scope = engine.scope();
                let target = MemoryRef::new(&named)?.target(&engine, &scope).await?;
                match retire(&engine.ports, &scope, target, None).await? {
                    Retired::Hidden(memory) | Retired::Stale(memory) => {
                        let memory = Memory::at(memory, scope.now);
                        session.output.answer(&Outcome::Forgotten { memory })
                    }
                    Retired::NotFound => Err(Failure::not_found("the memory is already hidden")),
                }
            }
        }
    }
}

/// Lists memories of the project at hand whose files say something else now.
async fn stale(session: &Session, engine: &Engine) -> Result<Vec<ReviewItem>, Failure> {
    let Some(project) = CodeProject::of_repository(&session.path(Path::new("."))) else {
        return Ok(Vec::new());
    };
    let engine = engine.in_project(Some(project.label));
    let scope = engine.scope();
    let resting = evidence::resting(&engine, &scope).await?.into_iter();
    let stale = resting.filter(|memory| evidence::of_memory(memory, &project.root) != Freshness::Fresh);
    let item = |memory| ReviewItem {
        reason: "stale_evidence",
        reads_like: None,
        memory: Memory::at(memory, scope.now),
        was: None,
    };
    Ok(stale.map(item).collect())
}

/// What was done.
#[derive(Debug, Serialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
enum Outcome {
    Confirmed { memory: Memory },
    Forgotten { memory: Memory },
}

impl Outcome {
    fn memory(&self) -> &Memory {
        match self {
            Outcome::Confirmed { memory } | Outcome::Forgotten { memory } => memory,
        }
    }
}

impl Show for Outcome {
    fn show(&self, page: &mut Page) {
        let verb = match self {
            Outcome::Confirmed { .. } => "Confirmed",
            Outcome::Forgotten { .. } => "Forgotten",
        };
        let name = memory_name(self.memory());
        page.line(format_args!("{GOOD}{verb}{GOOD:#} {NAME}{name}{NAME:#}"));
        page.quote(self.memory().content.as_str(), 2);
    }

    fn quiet(&self) -> String {
        format!("{}\n", self.memory().id)
    }
}

impl Show for Review {
    fn show(&self, page: &mut Page) {
        if self.items.is_empty() && self.entities.is_empty() {
            page.line(format_args!("{GOOD}Nothing to review.{GOOD:#}"));
        }
        for item in &self.items {
            let (id, said) = (short_id(item.memory.id), one_line(item.memory.content.as_str()));
            let reason = item.reason.replace('_', " ");
            let like = item.reads_like.map(|like| format!(", reads like: {like}"));
            page.line(format_args!(
                "{NAME}{id}{NAME:#} {CAUTION}{reason}{}{CAUTION:#}, from {}",
                like.unwrap_or_default(),
                item.memory.origin.as_str()
            ));
            page.line(format_args!("  {said}"));
            if let Some(was) = &item.was {
                let said = one_line(was.content.as_str());
                let label = match item.reason {
                    "proposed_change" => "would replace".to_owned(),
                    _ => format!("was (version {})", was.version),
                };
                page.line(format_args!("  {FAINT}{label}: {said}{FAINT:#}"));
            }
        }
        for entity in &self.entities {
            let (id, name) = (escaped(&entity.id), escaped(&entity.name));
            page.line(format_args!(
                "{NAME}{id}{NAME:#} {CAUTION}quarantined {}{CAUTION:#}, from {}",
                entity.kind, entity.origin
            ));
            let notes = entity.notes.as_deref().unwrap_or_default();
            page.line(format_args!("  {name}: {}", one_line(notes)));
        }
    }

    fn quiet(&self) -> String {
        let memories = self.items.iter().map(|item| format!("{}\n", item.memory.id));
        let entities = self.entities.iter().map(|entity| format!("{}\n", entity.id));
        memories.chain(entities).collect()
    }
}
