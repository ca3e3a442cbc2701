//! `recalld entity list`: lists places, accounts and people.

use clap::Args;
use recalld_memory::entities;
use recalld_memory::entity::EntityKind;
use recalld_wire::{Entity, EntityList};

use super::super::document::write_entities;
use crate::arguments::examples;
use crate::failure::Failure;
use crate::output::{Page, Show};
use crate::session::Session;

/// Lists places, accounts and people
#[derive(Debug, Args)]
#[command(after_help = examples!("recalld entity list", "recalld entity list --kind account --json"))]
pub(super) struct Arguments {
    /// Only entities of this kind
    #[arg(short, long, value_parser = [EntityKind::Place.as_str(), EntityKind::Account.as_str(), EntityKind::Person.as_str()])]
    kind: Option<String>,
}

impl Arguments {
    pub(super) async fn run(self, session: &Session) -> Result<(), Failure> {
        let kind = self.kind.as_deref().map(EntityKind::parse).transpose()?;
        let engine = session.read().await?;
        let found = entities::list(&engine.ports, &engine.scope(), kind).await?;
        let entities = found.iter().map(|entity| Entity::from(&**entity)).collect();
        session.output.answer(&EntityList { entities })
    }
}

impl Show for EntityList {
    fn show(&self, page: &mut Page) {
        match self.entities.is_empty() {
            true => page.line("No entities."),
            false => write_entities(page, &self.entities),
        }
    }

    fn quiet(&self) -> String {
        self.entities
            .iter()
            .map(|entity| format!("{}\n", entity.id))
            .collect()
    }
}
