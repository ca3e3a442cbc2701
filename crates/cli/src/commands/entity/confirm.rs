//! `recalld entity confirm`: makes an entity count as the user's own.

use clap::Args;
use recalld_index::text::tokens;
use recalld_memory::entities;
use recalld_memory::id::EntityId;
use recalld_wire::Entity;

use super::add::Outcome;
use super::unknown;
use crate::arguments::examples;
use crate::failure::Failure;
use crate::session::Session;

/// Confirms an entity that an agent or an import noted: it counts as your own from then on
#[derive(Debug, Args)]
#[command(after_help = examples!("recalld entity confirm cafe-1"))]
pub(super) struct Arguments {
    /// Id of the entity
    id: String,
}

impl Arguments {
    pub(super) async fn run(self, session: &Session) -> Result<(), Failure> {
        let id = EntityId::new(self.id)?;
        tokens::warm_up();
        let engine = session.write().await?;
        match entities::confirm(&engine.ports, &engine.scope(), id.clone()).await? {
            Some(entity) => session.output.answer(&Outcome {
                outcome: "confirmed",
                entity: Entity::from(&*entity),
            }),
            None => Err(unknown(&engine, &id).await?),
        }
    }
}
