//! `recalld add`: remembers one statement.

use clap::Args;
use clap::builder::PossibleValuesParser;
use recalld_index::text::tokens;
use recalld_memory::memory::{Category, Confidence, Content, Key, Origin, Source, Tier};
use recalld_memory::remember::{Likeness, Remembered, Statement, remember};
use recalld_wire::Memory;
use serde::Serialize;

use crate::arguments::{Occasion, examples, quoted_key};
use crate::engine::Place;
use crate::failure::Failure;
use crate::input;
use crate::memory_name::{memory_name, short_id};
use crate::output::{CAUTION, FAINT, GOOD, NAME, Page, Show, escaped};
use crate::session::Session;
use crate::suggest;

/// Remembers one statement
///
/// What is known already is not stored again: the answer names the memory that says the same or has
/// the same key.
#[derive(Debug, Args)]
#[command(after_help = examples!(
    "recalld add \"I prefer window seats\" --category preference",
    "recalld add \"Staff engineer at Acme\" --key role --category work_context",
    "recalld add \"Reading about Rust today\" --tier daily",
    "pbpaste | recalld add -",
))]
pub(crate) struct Arguments {
    /// What to remember; `-` reads it from standard input
    content: String,

    /// Short name by which it can be read and updated
    #[arg(short, long)]
    key: Option<String>,

    /// What it is about: preference, work_context, personal_context, reading_history, or another
    /// word
    #[arg(short, long)]
    category: Option<String>,

    /// How long it lasts: until it is changed, or as a note that expires after 90 days
    #[arg(short, long, default_value = "durable",
        value_parser = [Tier::Durable.as_str(), Tier::Daily.as_str()])]
    tier: String,

    /// How sure it is, from 0 to 1; below 0.7 it becomes a daily note
    #[arg(long, default_value_t = 1.0)]
    confidence: f64,

    /// Who says so
    #[arg(long, default_value = "user",
        value_parser = PossibleValuesParser::new(Origin::ALL.map(Origin::as_str)))]
    origin: String,

    /// Where it comes from, such as `discussion:42`
    #[arg(long)]
    source: Option<String>,

    #[command(flatten)]
    occasion: Occasion,
}

impl Arguments {
    /// Remembers it.
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        let place = Place::try_from(self.occasion.clone())?;
        let slip = self.category.as_deref().and_then(mistyped);
        let statement = self.statement()?;
        tokens::warm_up();
        let engine = session.write()?;
        let scope = engine.scope_in(&place);
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
            Remembered::Duplicate { of, likeness } => Outcome::Duplicate {
                duplicate_of: Memory::at(of, scope.now),
                reason: match likeness {
                    Likeness::SameStatement => "same_statement",
                    Likeness::SameKey => "same_key",
                },
            },
        };
        session.output.answer(&outcome)?;
        if let (Outcome::Stored { memory, .. }, Some(meant)) = (&outcome, slip) {
            let (category, id) = (&memory.category, short_id(memory.id));
            session.output.note(&format!(
                "the category {category} is a new one; if you meant {meant}: `recalld update {id} --category {meant}`"
            ));
        }
        Ok(())
    }

    fn statement(self) -> Result<Statement, Failure> {
        let category = self.category.as_deref().map(Category::new).transpose()?;
        Ok(Statement {
            key: self.key.as_deref().map(Key::new).transpose()?,
            category: category.unwrap_or_else(Category::unsorted),
            tier: Tier::parse(&self.tier)?,
            confidence: Confidence::new(self.confidence)?,
            origin: Origin::parse(&self.origin)?,
            source: self.source.as_deref().map(Source::new).transpose()?,
            // The last one: standard input is read only when the rest is right.
            content: Content::new(&input::text(self.content)?)?,
        })
    }
}

/// Gives the usual category that a new word may have been meant for.
pub(crate) fn mistyped(category: &str) -> Option<&'static str> {
    suggest::nearest(category, Category::KNOWN).filter(|known| *known != category.trim().to_lowercase())
}

/// What became of it.
#[derive(Debug, Serialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
enum Outcome {
    Stored {
        memory: Memory,
        /// Whether it became a daily note because its confidence is too low.
        demoted: bool,
        /// How many facts left the memory document to make room.
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
                    "{GOOD}Remembered{GOOD:#} {NAME}{name}{NAME:#} ({category}, {tier})"
                ));
                page.quote(memory.content.as_str(), 2);
                if *demoted {
                    let confidence = memory.confidence.value();
                    page.line(format_args!(
                        "{CAUTION}A daily note and not durable:{CAUTION:#} confidence {confidence} is too low"
                    ));
                }
                if 0 < *evicted {
                    let facts = if *evicted == 1 { "fact" } else { "facts" };
                    page.line(format_args!(
                        "{FAINT}{evicted} {facts} left the memory document to make room{FAINT:#}"
                    ));
                }
            }
            Outcome::Duplicate { duplicate_of, reason } => {
                let why = match *reason {
                    "same_key" => "that key is taken",
                    _ => "it is remembered already",
                };
                let name = memory_name(duplicate_of);
                page.line(format_args!(
                    "{CAUTION}Nothing stored:{CAUTION:#} {why}, by {NAME}{name}{NAME:#}"
                ));
                page.quote(duplicate_of.content.as_str(), 2);
                let pointer = match &duplicate_of.key {
                    Some(key) => quoted_key(key.as_str()),
                    None => short_id(duplicate_of.id),
                };
                let change = page.bearing.command(&format!("update {pointer} \"…\""));
                page.line(format_args!("Change it with: {}", escaped(&change)));
            }
        }
    }

    fn bare(&self) -> String {
        let (Outcome::Stored { memory, .. }
        | Outcome::Duplicate {
            duplicate_of: memory, ..
        }) = self;
        format!("{}\n", memory.id)
    }
}
