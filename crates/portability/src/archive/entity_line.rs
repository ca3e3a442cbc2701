//! One entity with its mentions as a line of an archive.

use jiff::Timestamp;
use recalld_memory::entity::{Entity, EntityKind, EntityName, Mention};
use recalld_memory::id::{ConversationId, EntityId, MessageId};
use recalld_memory::memory::{Content, Origin};
use serde::{Deserialize, Serialize};

use super::lines::{Invalid, invalid};

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EntityLine {
    id: String,
    kind: String,
    name: String,
    notes: Option<String>,
    added_at: Timestamp,
    revised_at: Timestamp,
    retired: bool,
    in_document: bool,
    /// Archives of earlier versions do not tell it.
    #[serde(default = "noted_by_agent")]
    trust: String,
    mentions: Vec<MentionLine>,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct MentionLine {
    conversation: String,
    message: String,
    at: Timestamp,
}

fn noted_by_agent() -> String {
    Origin::Assistant.as_str().to_owned()
}

impl From<&Entity> for EntityLine {
    fn from(entity: &Entity) -> EntityLine {
        let mention = |mention: &Mention| MentionLine {
            conversation: mention.conversation.to_string(),
            message: mention.message.to_string(),
            at: mention.at,
        };
        EntityLine {
            id: entity.id.to_string(),
            kind: entity.kind.as_str().to_owned(),
            name: entity.name.as_str().to_owned(),
            notes: entity.notes.as_ref().map(ToString::to_string),
            added_at: entity.added_at,
            revised_at: entity.revised_at,
            retired: entity.retired,
            in_document: entity.in_document,
            trust: entity.trust.as_str().to_owned(),
            mentions: entity.mentions.iter().map(mention).collect(),
        }
    }
}

impl TryFrom<EntityLine> for Entity {
    type Error = Invalid;

    fn try_from(line: EntityLine) -> Result<Entity, Invalid> {
        let mention = |line: MentionLine| -> Result<Mention, Invalid> {
            Ok(Mention {
                conversation: ConversationId::new(line.conversation).map_err(invalid)?,
                message: MessageId::new(line.message).map_err(invalid)?,
                at: line.at,
            })
        };
        Ok(Entity {
            id: EntityId::new(line.id).map_err(invalid)?,
            kind: EntityKind::parse(&line.kind).map_err(invalid)?,
            name: EntityName::new(&line.name).map_err(invalid)?,
            notes: line
                .notes
                .as_deref()
                .map(Content::new)
                .transpose()
                .map_err(invalid)?,
            added_at: line.added_at,
            revised_at: line.revised_at,
            retired: line.retired,
            in_document: line.in_document,
            trust: Origin::parse(&line.trust).map_err(invalid)?,
            mentions: line.mentions.into_iter().map(mention).collect::<Result<_, _>>()?,
        })
    }
}
