//! Entities on the wire.

use recalld_memory::entity::{self, EntityKind};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What sort of thing an entity is.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum WireEntityKind {
    Place,
    Account,
    Person,
}

impl From<WireEntityKind> for EntityKind {
    fn from(kind: WireEntityKind) -> EntityKind {
        match kind {
            WireEntityKind::Place => EntityKind::Place,
            WireEntityKind::Account => EntityKind::Account,
            WireEntityKind::Person => EntityKind::Person,
        }
    }
}

/// A place, account or person.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Entity {
    id: String,
    kind: &'static str,
    name: String,
    notes: Option<String>,
    added_at: String,
    revised_at: String,
    /// How many conversations mention it.
    conversations: usize,
    mentions: Vec<Mention>,
}

#[derive(Debug, Serialize, ToSchema)]
struct Mention {
    conversation: String,
    message: String,
    at: String,
}

impl From<&entity::Entity> for Entity {
    fn from(entity: &entity::Entity) -> Entity {
        let mention = |mention: &entity::Mention| Mention {
            conversation: mention.conversation.to_string(),
            message: mention.message.to_string(),
            at: mention.at.to_string(),
        };
        Entity {
            id: entity.id.to_string(),
            kind: entity.kind.as_str(),
            name: entity.name.as_str().to_owned(),
            notes: entity.notes.as_ref().map(ToString::to_string),
            added_at: entity.added_at.to_string(),
            revised_at: entity.revised_at.to_string(),
            conversations: entity.conversations(),
            mentions: entity.mentions.iter().map(mention).collect(),
        }
    }
}

/// The entities of a user.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct EntityList {
    pub(crate) entities: Vec<Entity>,
}
