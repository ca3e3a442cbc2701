//! One place, account or person as programs see it.

use jiff::Timestamp;
use recalld_memory::entity as domain;
use serde::Serialize;

/// One entity.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Entity {
    pub(crate) id: String,
    pub(crate) kind: &'static str,
    pub(crate) name: String,
    pub(crate) notes: Option<String>,
    pub(crate) added_at: Timestamp,
    pub(crate) revised_at: Timestamp,
    /// How many conversations mention it.
    pub(crate) conversations: usize,
    pub(crate) mentions: Vec<Mention>,
}

/// One message that mentions it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Mention {
    pub(crate) conversation: String,
    pub(crate) message: String,
    pub(crate) at: Timestamp,
}

impl From<&domain::Entity> for Entity {
    fn from(entity: &domain::Entity) -> Entity {
        let mention = |mention: &domain::Mention| Mention {
            conversation: mention.conversation.to_string(),
            message: mention.message.to_string(),
            at: mention.at,
        };
        Entity {
            id: entity.id.to_string(),
            kind: entity.kind.as_str(),
            name: entity.name.as_str().to_owned(),
            notes: entity.notes.as_ref().map(ToString::to_string),
            added_at: entity.added_at,
            revised_at: entity.revised_at,
            conversations: entity.conversations(),
            mentions: entity.mentions.iter().map(mention).collect(),
        }
    }
}
