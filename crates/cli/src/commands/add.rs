//! `recalld add`: stores one statement.

use std::path::Path;

use clap::Args;
use clap::builder::PossibleValuesParser;
use recalld_index::text::tokens;
use recalld_memory::memory::{Category, Confidence, Content, Evidence, Key, Origin, Source, Tier};
use recalld_memory::remember::{Likeness, Reach, Remembered, Statement, remember};
use recalld_memory::validity::{Period, world_moment};
use recalld_wire::Memory;
use serde::Serialize;

use super::RunCommand;
use crate::arguments::{ConversationArgs, SharedArgs, examples, quoted_key};
use crate::coding::evidence;
use crate::coding::project::CodeProject;
use crate::engine::ConversationIds;
use crate::failure::{Failure, shortened};
use crate::input;
use crate::memory_name::{memory_name, short_id};
use crate::output::{CAUTION, FAINT, GOOD, NAME, Page, Show, escaped};
use crate::session::Session;
use crate::suggest;

/// Stores one statement as a memory
///
/// A statement that is already stored is not stored again: the answer names the existing memory. A
/// key that another memory has is an error.
#[derive(Debug, Args)]
#[command(after_help = examples!(
    "recalld add \"I prefer window seats\" --category preference",
    "recalld add \"Staff engineer at Acme\" --key role --category work_context",
    "recalld add \"Reading about Rust today\" --tier daily",
    "recalld add \"Lives in Lisbon\" --valid-from 2024-05-01 --valid-until 2026-10-01",
    "recalld add \"Tests need a running PostgreSQL\" --project .",
    "recalld add \"Retries three times\" --project . --evidence src/http.rs#retry",
    "recalld add --shared \"The office is closed on Fridays\"",
    "pbpaste | recalld add -",
))]
pub(crate) struct Arguments {
    /// What to remember; `-` reads it from standard input
    content: String,

    /// Short name for reading and updating the memory
    #[arg(short, long)]
    key: Option<String>,

    /// Topic: preference, work_context, personal_context, reading_history, or another word
    #[arg(short, long)]
    category: Option<String>,

    /// Lifetime: durable, or daily for a note that expires after 90 days
    #[arg(short, long, default_value = "durable",
        value_parser = [Tier::Durable.as_str(), Tier::Daily.as_str()])]
    tier: String,

    /// Confidence from 0 to 1; below 0.7 the memory becomes a daily note
    #[arg(long, default_value_t = 1.0)]
    confidence: f64,

    /// Who made the statement
    #[arg(long, default_value = "user",
        value_parser = PossibleValuesParser::new(Origin::ALL.map(Origin::as_str)))]
    origin: String,

    /// Where the statement comes from, such as `discussion:42`
    #[arg(long)]
    source: Option<String>,

    /// Since when it holds in the world: a date, or a date and time
    #[arg(long, value_name = "TIME")]
    valid_from: Option<String>,

    /// From when on it no longer holds
    #[arg(long, value_name = "TIME")]
    valid_until: Option<String>,

    /// File of the project that it rests on, such as `src/main.rs` or `src/main.rs#main`; repeat
    /// for more. If what is there changes, the memory is shown as maybe stale
    #[arg(long, value_name = "PATH[#SYMBOL]")]
    evidence: Vec<String>,

    #[command(flatten)]
    shared: SharedArgs,

    #[command(flatten)]
    conversation: ConversationArgs,
}

impl RunCommand for Arguments {
    async fn run(self, session: &Session) -> Result<(), Failure> {
        let ids = ConversationIds::try_from(self.conversation.clone())?;
        let typo = self.category.as_deref().and_then(mistyped);
        let shared = self.shared;
        let evidence = taken(&self.evidence, session)?;
        let mut statement = self.statement()?;
        statement.evidence = evidence;
        if let Some(project) = session.project() {
            statement.reach = Reach::Project(project.clone());
        }
        tokens::warm_up();
        let engine = session.write().await?;
        let scope = engine.selected_scope(shared, &ids);
        let outcome = match remember(&engine.ports, &scope, statement).await? {
            Remembered::Stored {
                memory,
                demoted,
                evicted,
            } => Outcome::Stored {
                memory: Memory::at(memory, scope.now),
                demoted,
                evicted,
            },
            Remembered::Duplicate {
                of,
                likeness: Likeness::SameStatement,
            } => Outcome::Duplicate {
                duplicate_of: Memory::at(of, scope.now),
                reason: "same_statement",
            },
            Remembered::Duplicate {
                of,
                likeness: Likeness::SameKey,
            } => return Err(key_taken(&Memory::at(of, scope.now))),
        };
        session.output.answer(&outcome)?;
        if let (Outcome::Stored { memory, .. }, Some(meant)) = (&outcome, typo) {
            let (category, id) = (&memory.category, short_id(memory.id));
            session.output.note(&format!(
                "{category} is a new category; if you meant {meant}: `recalld update {id} --category {meant}`"
            ));
        }
        Ok(())
    }
}

/// Takes down what the statement rests on, as it is now.
fn taken(named: &[String], session: &Session) -> Result<Vec<Evidence>, Failure> {
    if named.is_empty() {
        return Ok(Vec::new());
    }
    let invalid = |message: String| Failure::bad_input("evidence", message);
    if session.project().is_none() {
        return Err(
            invalid("evidence is part of a project".to_owned()).hint("add --project . to say which one")
        );
    }
    if Evidence::COUNT_MAX < named.len() {
        return Err(invalid(format!("at most {} files", Evidence::COUNT_MAX)));
    }
    let root = CodeProject::of(&session.path(Path::new("."))).root;
    let taken = named.iter().map(|named| evidence::taken(named, &root));
    taken.collect::<Result<_, _>>().map_err(invalid)
}

impl Arguments {
    fn statement(self) -> Result<Statement, Failure> {
        let category = self.category.as_deref().map(Category::new).transpose()?;
        let from = self.valid_from.as_deref().map(world_moment).transpose()?;
        let until = self.valid_until.as_deref().map(world_moment).transpose()?;
        Ok(Statement {
            period: Period::new(from, until)?,
            key: self.key.as_deref().map(Key::new).transpose()?,
            category: category.unwrap_or_else(Category::unsorted),
            tier: Tier::parse(&self.tier)?,
            confidence: Confidence::new(self.confidence)?,
            origin: Origin::parse(&self.origin)?,
            source: self.source.as_deref().map(Source::new).transpose()?,
            reach: Reach::WhereSaid,
            evidence: Vec::new(),
            // Last, so that standard input is read only if everything else is valid.
            content: Content::new(&input::text(self.content)?)?,
        })
    }
}

/// Returns the known category that a new word may be a typo of.
pub(crate) fn mistyped(category: &str) -> Option<&'static str> {
    suggest::nearest(category, Category::KNOWN).filter(|known| *known != category.trim().to_lowercase())
}

/// Reports that another memory has the key.
fn key_taken(holder: &Memory) -> Failure {
    let key = holder.key.as_ref().map_or("", Key::as_str);
    let message = format!(
        "nothing was stored: the memory {} already has the key {:?} and says something else: {:?}",
        holder.id,
        shortened(key),
        shortened(holder.content.as_str()),
    );
    let change = format!("`recalld update {} \"…\"`", quoted_key(key));
    Failure::failed("duplicate", message)
        .hint(format!("change that memory with {change}, or choose another key"))
}

/// What was done.
#[derive(Debug, Serialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
enum Outcome {
    Stored {
        memory: Memory,
        /// Whether it became a daily note because its confidence is too low.
        demoted: bool,
        /// How many facts were evicted from the memory document to make room.
        evicted: usize,
    },
    Duplicate {
        duplicate_of: Memory,
        reason: &'static str,
    },
}

impl Show for Outcome {
    fn show(&self, page: &mut Page) {
        match self {
            Outcome::Stored {
                memory,
                demoted,
                evicted,
            } => {
                let (name, category, tier) = (memory_name(memory), &memory.category, memory.tier.as_str());
                page.line(format_args!(
                    "{GOOD}Stored{GOOD:#} {NAME}{name}{NAME:#} ({category}, {tier})"
                ));
                page.quote(memory.content.as_str(), 2);
                if *demoted {
                    let confidence = memory.confidence.value();
                    page.line(format_args!(
                        "{CAUTION}Stored as a daily note:{CAUTION:#} confidence {confidence} is too low for a durable memory"
                    ));
                }
                if 0 < *evicted {
                    let facts = if *evicted == 1 { "fact" } else { "facts" };
                    page.line(format_args!(
                        "{FAINT}{evicted} {facts} evicted from the memory document to make room{FAINT:#}"
                    ));
                }
            }
            Outcome::Duplicate { duplicate_of, .. } => {
                let name = memory_name(duplicate_of);
                page.line(format_args!(
                    "{CAUTION}Nothing stored:{CAUTION:#} {NAME}{name}{NAME:#} already says this"
                ));
                page.quote(duplicate_of.content.as_str(), 2);
                let memory = match &duplicate_of.key {
                    Some(key) => quoted_key(key.as_str()),
                    None => short_id(duplicate_of.id),
                };
                let change = page.prefix.command(&format!("update {memory} \"…\""));
                page.line(format_args!("Change it with: {}", escaped(&change)));
            }
        }
    }

    fn quiet(&self) -> String {
        let (Outcome::Stored { memory, .. }
        | Outcome::Duplicate {
            duplicate_of: memory, ..
        }) = self;
        format!("{}\n", memory.id)
    }
}
