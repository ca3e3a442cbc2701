//! `recalld update`: changes the content or the properties of a memory.

use std::path::Path;

use clap::Args;
use jiff::Timestamp;
use recalld_index::text::tokens;
use recalld_memory::memory::{Category, Confidence, Content, Key, Origin, Source, Tier};
use recalld_memory::revise::{Edit, Relabel, Revised, revise};
use recalld_memory::validity::world_moment;
use recalld_wire::Memory;
use serde::Serialize;

use super::RunCommand;
use super::memory_ref::{self, MemoryRef};
use crate::arguments::{ConversationArgs, examples, number};
use crate::coding::project;
use crate::engine::ConversationIds;
use crate::failure::Failure;
use crate::input;
use crate::memory_name::memory_name;
use crate::output::{CAUTION, FAINT, GOOD, NAME, Page, Show, one_line};
use crate::session::Session;

/// Changes the content or the properties of a memory; its history records the earlier version
#[derive(Debug, Args)]
#[command(after_help = examples!(
    "recalld update role \"Principal engineer at Acme\"",
    "recalld update role --category work_context --confidence 0.9",
    "recalld update 4f2a91c7 --key seat",
    "recalld update employer --valid-until 2026-10-01",
    "recalld update 4f2a91c7 --everywhere",
    "recalld update 4f2a91c7 --in-project .",
))]
pub(crate) struct Arguments {
    /// Key or id of the memory, or the end of its id
    #[arg(value_name = "MEMORY")]
    memory: String,

    /// New content; `-` reads it from standard input
    content: Option<String>,

    /// New key
    #[arg(short, long)]
    key: Option<String>,

    /// Removes the key
    #[arg(long, conflicts_with = "key")]
    no_key: bool,

    /// New category
    #[arg(short, long)]
    category: Option<String>,

    /// New tier
    #[arg(short, long, value_parser = [Tier::Durable.as_str(), Tier::Daily.as_str()])]
    tier: Option<String>,

    /// New confidence, from 0 to 1
    #[arg(long)]
    confidence: Option<f64>,

    /// Where the change comes from
    #[arg(long)]
    source: Option<String>,

    /// Since when it holds in the world: a date, a date and time, or `unknown`
    #[arg(long, value_name = "TIME")]
    valid_from: Option<String>,

    /// From when on it no longer holds: a date, a date and time, or `never`
    #[arg(long, value_name = "TIME")]
    valid_until: Option<String>,

    /// Moves it into a project: a directory such as `.`, or a name
    #[arg(long, value_name = "PROJECT")]
    in_project: Option<String>,

    /// Takes it out of its project: it is seen everywhere
    #[arg(long, conflicts_with = "in_project")]
    everywhere: bool,

    /// Fails unless the memory is at this version
    #[arg(long, value_name = "N", value_parser = number::at_least::<u32>(1))]
    if_version: Option<u32>,

    #[command(flatten)]
    conversation: ConversationArgs,
}

impl RunCommand for Arguments {
    async fn run(self, session: &Session) -> Result<(), Failure> {
        let memory_ref = MemoryRef::new(&self.memory)?;
        let ids = ConversationIds::try_from(self.conversation.clone())?;
        let project = project::named(self.in_project.as_deref(), &session.path(Path::new(".")))?;
        let edit = Edit {
            project: match self.everywhere {
                true => Relabel::Remove,
                false => project.into(),
            },
            ..self.edit()?
        };
        tokens::warm_up();
        let engine = session.write().await?;
        let scope = engine.scope_in(&ids);
        let target = memory_ref.target(&engine, &scope).await?;
        let outcome = match revise(&engine.ports, &scope, target, edit).await? {
            Revised::Changed { memory, was, evicted }
            | Revised::Proposed {
                memory,
                of: was,
                evicted,
            } => Outcome::Updated {
                memory: Box::new(Memory::at(memory, scope.now)),
                was: Box::new(Memory::at(was, scope.now)),
                evicted,
            },
            Revised::Unchanged(memory) => Outcome::Unchanged {
                memory: Box::new(Memory::at(memory, scope.now)),
            },
            Revised::Duplicate { of } => return Err(taken(&Memory::at(of, scope.now))),
            Revised::Stale(memory) => {
                let message = format!("the memory is now at version {}", memory.version);
                let hint = format!("`recalld show {}` shows it", memory.id);
                return Err(Failure::failed("stale", message).hint(hint));
            }
            Revised::NotFound => return Err(memory_ref::hidden(&*memory_ref.find(&engine, &scope).await?)),
        };
        session.output.answer(&outcome)
    }
}

impl Arguments {
    fn edit(self) -> Result<Edit, Failure> {
        let labels = (&self.key, &self.category, &self.tier, &self.source);
        let has_time = self.valid_from.is_some() || self.valid_until.is_some();
        let has_reach = self.everywhere || self.in_project.is_some();
        let has_label = self.no_key || has_time || has_reach || labels != (&None, &None, &None, &None);
        if self.content.is_none() && self.confidence.is_none() && !has_label {
            return Err(Failure::bad_input("usage", "no change given").hint(
                "give the new content, or one of --key, --no-key, --category, --tier, --confidence, --source, \
                 --valid-from, --valid-until, --in-project, --everywhere",
            ));
        }
        Ok(Edit {
            key: match self.no_key {
                true => Relabel::Remove,
                false => self.key.as_deref().map(Key::new).transpose()?.into(),
            },
            category: self.category.as_deref().map(Category::new).transpose()?,
            tier: self.tier.as_deref().map(Tier::parse).transpose()?,
            confidence: self.confidence.map(Confidence::new).transpose()?,
            source: self.source.as_deref().map(Source::new).transpose()?.into(),
            valid_from: world_time(self.valid_from.as_deref(), "unknown")?,
            valid_until: world_time(self.valid_until.as_deref(), "never")?,
            version: self.if_version,
            content: match self.content {
                Some(content) => Some(Content::new(&input::text(content)?)?),
                None => None,
            },
            ..Edit::by(Origin::User)
        })
    }
}

/// Reads a time of the world, or the word that removes it.
fn world_time(raw: Option<&str>, none: &str) -> Result<Relabel<Timestamp>, Failure> {
    Ok(match raw {
        None => Relabel::Keep,
        Some(raw) if raw == none => Relabel::Remove,
        Some(raw) => Relabel::Set(world_moment(raw)?),
    })
}

/// Reports that another memory has the same content or key.
pub(crate) fn taken(of: &Memory) -> Failure {
    let message = format!(
        "nothing changed: another memory says the same or has that key: {} ({})",
        memory_name(of),
        of.id
    );
    Failure::failed("duplicate", message).hint("nothing was changed; update or forget the other memory")
}

/// What was done.
#[derive(Debug, Serialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
enum Outcome {
    Updated {
        memory: Box<Memory>,
        was: Box<Memory>,
        evicted: usize,
    },
    Unchanged {
        memory: Box<Memory>,
    },
}

fn project_of(memory: &Memory) -> &str {
    memory.project.as_ref().map_or("none", |project| project.as_str())
}

impl Show for Outcome {
    fn show(&self, page: &mut Page) {
        match self {
            Outcome::Updated { memory, was, .. } => {
                let (name, version) = (memory_name(memory), memory.version);
                page.line(format_args!(
                    "{GOOD}Updated{GOOD:#} {NAME}{name}{NAME:#}, now at version {version}"
                ));
                page.quote(memory.content.as_str(), 2);
                for (label, now, before) in [
                    ("was", memory.content.as_str(), was.content.as_str()),
                    ("category was", memory.category.as_str(), was.category.as_str()),
                    ("tier was", memory.tier.as_str(), was.tier.as_str()),
                    ("project was", project_of(memory), project_of(was)),
                ] {
                    if now != before {
                        page.line(format_args!("  {FAINT}({label}: {}){FAINT:#}", one_line(before)));
                    }
                }
            }
            Outcome::Unchanged { memory } => {
                page.line(format_args!(
                    "{CAUTION}Unchanged:{CAUTION:#} {NAME}{}{NAME:#} is like that already",
                    memory_name(memory)
                ));
            }
        }
    }

    fn quiet(&self) -> String {
        let (Outcome::Updated { memory, .. } | Outcome::Unchanged { memory }) = self;
        format!("{}\n", memory.id)
    }
}
