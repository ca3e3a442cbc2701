//! Entities: places, accounts and people.

use recalld_memory::entity::{self, EntityKind};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::text::TimeText;

/// What sort of thing an entity is.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum WireEntityKind {
    /// A place.
    Place,
    /// An account, such as a company.
    Account,
    /// A person.
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
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Entity {
    /// The writer's own id, such as a place id.
    pub id: String,
    /// place, account or person.
    pub kind: &'static str,
    /// Its name.
    pub name: String,
    /// What is known about it.
    pub notes: Option<String>,
    /// Who said so: user, inferred, assistant, import, tool or document.
    pub origin: &'static str,
    /// `quarantined`: it reads like an instruction and waits for a person to confirm it.
    pub review: Option<&'static str>,
    /// When it was first added.
    #[schema(value_type = String)]
    pub added_at: TimeText,
    /// When it last changed.
    #[schema(value_type = String)]
    pub revised_at: TimeText,
    /// How many conversations mention it.
    pub conversations: usize,
    /// The messages that mention it.
    pub mentions: Vec<EntityMention>,
}

/// A message that mentions an entity.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct EntityMention {
    /// The conversation of the message.
    pub conversation: String,
    /// The message.
    pub message: String,
    /// When it was said.
    #[schema(value_type = String)]
    pub at: TimeText,
}

impl From<&entity::Entity> for Entity {
    fn from(entity: &entity::Entity) -> Entity {
        let mention = |mention: &entity::Mention| EntityMention {
            conversation: mention.conversation.to_string(),
            message: mention.message.to_string(),
            at: TimeText(mention.at),
        };
        Entity {
            id: entity.id.to_string(),
            kind: entity.kind.as_str(),
            name: entity.name.as_str().to_owned(),
            notes: entity.notes.as_ref().map(ToString::to_string),
            origin: entity.trust.as_str(),
            review: entity.quarantine().map(|_| "quarantined"),
            added_at: TimeText(entity.added_at),
            revised_at: TimeText(entity.revised_at),
            conversations: entity.conversations(),
            mentions: entity.mentions.iter().map(mention).collect(),
        }
    }
}

/// The entities of a user.
#[derive(Debug, Serialize, ToSchema)]
pub struct EntityList {
    /// The entities, in the order in which they were added.
    pub entities: Vec<Entity>,
}
