//! `recalld entity add`: adds or updates a place, account or person.

use clap::Args;
use recalld_index::text::tokens;
use recalld_memory::entities::{self, Added, NewEntity};
use recalld_memory::entity::{EntityKind, EntityName};
use recalld_memory::id::EntityId;
use recalld_memory::memory::{Content, Origin};
use recalld_wire::Entity;
use serde::Serialize;

use crate::arguments::{ConversationArgs, examples};
use crate::engine::ConversationIds;
use crate::failure::Failure;
use crate::input;
use crate::output::{GOOD, NAME, Page, Show, escaped, plural};
use crate::session::Session;

/// Adds or updates a place, account or person
///
/// With --conversation and --message, that message counts as a mention.
#[derive(Debug, Args)]
#[command(after_help = examples!(
    "recalld entity add cafe-1 \"Café Central\" --notes \"good for working\"",
    "recalld entity add acme \"Acme Corp\" --kind account",
))]
pub(super) struct Arguments {
    /// Id of the entity, such as a place id
    id: String,

    /// Name of the entity
    name: String,

    /// Kind of entity
    #[arg(short, long, default_value = "place",
        value_parser = [EntityKind::Place.as_str(), EntityKind::Account.as_str(), EntityKind::Person.as_str()])]
    kind: String,

    /// Notes about the entity; `-` reads them from standard input
    #[arg(long)]
    notes: Option<String>,

    #[command(flatten)]
    conversation: ConversationArgs,
}

impl Arguments {
    pub(super) async fn run(self, session: &Session) -> Result<(), Failure> {
        let ids = ConversationIds::try_from(self.conversation)?;
        let new = NewEntity {
            id: EntityId::new(self.id)?,
            kind: EntityKind::parse(&self.kind)?,
            name: EntityName::new(&self.name)?,
            notes: match self.notes {
                Some(notes) => Some(Content::new(&input::text(notes)?)?),
                None => None,
            },
            origin: Origin::User,
        };
        tokens::warm_up();
        let engine = session.write().await?;
        let added = entities::add(&engine.ports, &engine.scope_in(&ids), new).await?;
        let outcome = match &added {
            Added::New(_) => "added",
            Added::Revised(_) => "revised",
            Added::Unchanged(_) | Added::Kept(_) => "unchanged",
        };
        let entity = Entity::from(&**added.entity());
        session.output.answer(&Outcome { outcome, entity })
    }
}

/// What was done.
#[derive(Debug, Serialize)]
pub(super) struct Outcome {
    pub(super) outcome: &'static str,
    pub(super) entity: Entity,
}

impl Show for Outcome {
    fn show(&self, page: &mut Page) {
        let word = match self.outcome {
            "added" => "Added",
            "revised" => "Updated",
            "mentioned" => "Mentioned",
            "confirmed" => "Confirmed",
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

    fn quiet(&self) -> String {
        format!("{}\n", self.entity.id)
    }
}
