//! `recalld entity add`: remembers a place, account or person, or brings it up to date.

use clap::Args;
use recalld_index::text::tokens;
use recalld_memory::entities::{self, Added, NewEntity};
use recalld_memory::entity::{EntityKind, EntityName};
use recalld_memory::id::EntityId;
use recalld_memory::memory::Content;
use recalld_wire::Entity;
use serde::Serialize;

use crate::arguments::{Occasion, examples};
use crate::engine::Place;
use crate::failure::Failure;
use crate::input;
use crate::output::{GOOD, NAME, Page, Show, escaped, plural};
use crate::session::Session;

/// Remembers a place, account or person, or brings it up to date
///
/// With --conversation and --message, that message counts as a mention.
#[derive(Debug, Args)]
#[command(after_help = examples!(
    "recalld entity add cafe-1 \"Café Central\" --notes \"good for working\"",
    "recalld entity add acme \"Acme Corp\" --kind account",
))]
pub(super) struct Arguments {
    /// Its id, such as a place id
    id: String,

    /// Its name
    name: String,

    /// What it is
    #[arg(short, long, default_value = "place",
        value_parser = [EntityKind::Place.as_str(), EntityKind::Account.as_str(), EntityKind::Person.as_str()])]
    kind: String,

    /// What is known about it; `-` reads it from standard input
    #[arg(long)]
    notes: Option<String>,

    #[command(flatten)]
    occasion: Occasion,
}

impl Arguments {
    pub(super) async fn run(self, session: &Session) -> Result<(), Failure> {
        let place = Place::try_from(self.occasion)?;
        let new = NewEntity {
            id: EntityId::new(self.id)?,
            kind: EntityKind::parse(&self.kind)?,
            name: EntityName::new(&self.name)?,
            notes: match self.notes {
                Some(notes) => Some(Content::new(&input::text(notes)?)?),
                None => None,
            },
        };
        tokens::warm_up();
        let engine = session.write()?;
        let added = entities::add(&engine.ports, &engine.scope_in(&place), new).await?;
        let outcome = match &added {
            Added::New(_) => "added",
            Added::Revised(_) => "revised",
            Added::Unchanged(_) => "unchanged",
        };
        let entity = Entity::from(&**added.entity());
        session.output.answer(&Outcome { outcome, entity })
    }
}

/// What became of it.
#[derive(Debug, Serialize)]
pub(super) struct Outcome {
    pub(super) outcome: &'static str,
    pub(super) entity: Entity,
}

impl Show for Outcome {
    fn show(&self, page: &mut Page) {
        let word = match self.outcome {
            "added" => "Added",
            "revised" => "Revised",
            "mentioned" => "Mentioned",
            _ => "Unchanged:",
        };
        let Entity {
            name,
            id,
            kind,
            conversations,
            ..
        } = &self.entity;
        let s = plural(*conversations as u64);
        page.line(format_args!(
            "{GOOD}{word}{GOOD:#} {NAME}{}{NAME:#} ({kind} {}), mentioned in {conversations} conversation{s}",
            escaped(name),
            escaped(id),
        ));
    }

    fn bare(&self) -> String {
        format!("{}\n", self.entity.id)
    }
}
