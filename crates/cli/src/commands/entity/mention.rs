//! `recalld entity mention`: records that a message mentions an entity.

use clap::Args;
use recalld_index::text::tokens;
use recalld_memory::entities;
use recalld_memory::id::{ConversationId, EntityId, MessageId};
use recalld_wire::Entity;

use super::add::Outcome;
use super::unknown;
use crate::arguments::examples;
use crate::failure::Failure;
use crate::session::Session;

/// Records that a message mentions an entity
#[derive(Debug, Args)]
#[command(after_help = examples!("recalld entity mention cafe-1 --conversation c1 --message m7"))]
pub(super) struct Arguments {
    /// Id of the entity
    id: String,

    /// Conversation that mentions it
    #[arg(long, value_name = "ID")]
    conversation: String,

    /// Message that mentions it
    #[arg(long, value_name = "ID")]
    message: String,
}

impl Arguments {
    pub(super) async fn run(self, session: &Session) -> Result<(), Failure> {
        let id = EntityId::new(self.id)?;
        let conversation = ConversationId::new(self.conversation)?;
        let message = MessageId::new(self.message)?;
        tokens::warm_up();
        let engine = session.write().await?;
        let scope = engine.scope();
        match entities::mention(&engine.ports, &scope, id.clone(), conversation, message).await? {
            Some(entity) => session.output.answer(&Outcome {
                outcome: "mentioned",
                entity: Entity::from(&*entity),
            }),
            None => Err(unknown(&engine, &id).await?),
        }
    }
}
