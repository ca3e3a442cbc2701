//! Entities and their mentions.

use std::collections::HashMap;
use std::fmt::Display;

use recalld_memory::change::Revision;
use recalld_memory::entity::{Entity, EntityKind, EntityName, Mention};
use recalld_memory::id::{EntityId, SpaceId};
use recalld_memory::memory::{Content, Origin};
use tokio_postgres::Row;

use super::error::DbResult;
use super::rows::{self, each, get};
use super::statement::{Statement, number};
use super::write::Write;
use crate::checksum;

impl Write<'_> {
    pub(super) fn put_entity(self, entity: &Entity) -> Statement {
        Statement::new(PUT)
            .with(self.space)
            .with(entity.id.as_str())
            .with(self.revision)
            .with(entity.kind.as_str())
            .with(entity.name.as_str())
            .with(entity.notes.as_ref().map(|notes| notes.as_str()))
            .with(entity.added_at.as_microsecond())
            .with(entity.revised_at.as_microsecond())
            .with(entity.retired)
            .with(entity.in_document)
            .with(entity.trust.as_str())
            .with(checksum::entity(self.space, entity))
    }

    pub(super) fn add_mention(
        self,
        ordinal: i64,
        entity: &EntityId,
        mention: &Mention,
        statements: &mut Vec<Statement>,
    ) {
        let add = Statement::new(ADD_MENTION)
            .with(self.space)
            .with(entity.as_str())
            .with(self.revision)
            .with(ordinal)
            .with(mention.conversation.as_str())
            .with(mention.message.as_str())
            .with(mention.at.as_microsecond())
            .with(checksum::mention(self.space, entity, mention));
        let touch = Statement::new("UPDATE recalld.entities SET revision = $3 WHERE space = $1 AND id = $2")
            .with(self.space)
            .with(entity.as_str())
            .with(self.revision);
        statements.extend([add, touch]);
    }

    pub(super) fn erase_entity(self, ordinal: i64, id: &EntityId, statements: &mut Vec<Statement>) {
        // Its mentions go with it.
        statements.push(
            Statement::new("DELETE FROM recalld.entities WHERE space = $1 AND id = $2")
                .with(self.space)
                .with(id.as_str()),
        );
        statements.push(self.forget_circumstances(ordinal, "entity", id.as_str()));
    }
}

/// Returns the statements that find the entities that changed after `since`, their mentions, and
/// the entities that were erased.
pub(super) fn changed(space: &SpaceId, since: Revision) -> [Statement; 3] {
    [CHANGED, CHANGED_MENTIONS, ERASED]
        .map(|sql| Statement::new(sql).with(space.as_str()).with(number(since.0)))
}

/// Decodes the first two results of [`changed`].
pub(super) fn read_changed(entities: &[Row], mentions: &[Row]) -> DbResult<Vec<Entity>> {
    let mut by_entity: HashMap<String, Vec<Mention>> = HashMap::new();
    for row in mentions {
        let mentions = by_entity.entry(get(row, "entity")?).or_default();
        mentions.push(mention(row)?);
    }
    let mut entities = each(entities, entity)?;
    for entity in &mut entities {
        entity.mentions = by_entity.remove(entity.id.as_str()).unwrap_or_default();
    }
    Ok(entities)
}

/// Decodes the last result of [`changed`].
pub(super) fn read_erased(rows: &[Row]) -> DbResult<Vec<EntityId>> {
    each(rows, |row| entity_id(get(row, "subject")?))
}

/// Decodes an entity without its mentions.
fn entity(row: &Row) -> DbResult<Entity> {
    let id = entity_id(get(row, "id")?)?;
    let bad =
        |column: &str, error: &dyn Display| rows::unreadable(&format!("{column} of entity {id}"), error);
    let entity = Entity {
        kind: EntityKind::parse(get(row, "kind")?).map_err(|e| bad("kind", &e))?,
        name: EntityName::new(get(row, "name")?).map_err(|e| bad("name", &e))?,
        notes: get::<Option<&str>>(row, "notes")?
            .map(Content::new)
            .transpose()
            .map_err(|e| bad("notes", &e))?,
        added_at: rows::time(get(row, "added_at")?)?,
        revised_at: rows::time(get(row, "revised_at")?)?,
        retired: get(row, "retired")?,
        in_document: get(row, "in_document")?,
        trust: Origin::parse(get(row, "trust")?).map_err(|e| bad("trust", &e))?,
        mentions: Vec::new(),
        id: id.clone(),
    };
    let sum = checksum::entity(get(row, "space")?, &entity);
    checksum::verify("entities", &id, get(row, "checksum")?, sum)?;
    Ok(entity)
}

fn mention(row: &Row) -> DbResult<Mention> {
    let entity = entity_id(get(row, "entity")?)?;
    let mention = Mention {
        conversation: rows::conversation_id(get(row, "conversation")?)?,
        message: rows::message_id(get(row, "message")?)?,
        at: rows::time(get(row, "at")?)?,
    };
    let sum = checksum::mention(get(row, "space")?, &entity, &mention);
    checksum::verify("mentions", &entity, get(row, "checksum")?, sum)?;
    Ok(mention)
}

fn entity_id(raw: String) -> DbResult<EntityId> {
    EntityId::new(raw).map_err(|e| rows::unreadable("the id of an entity", &e))
}

const PUT: &str = "
    INSERT INTO recalld.entities
        (space, id, revision, kind, name, notes, added_at, revised_at, retired, in_document, trust, checksum)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
    ON CONFLICT (space, id) DO UPDATE SET
        revision = excluded.revision, kind = excluded.kind, name = excluded.name, notes = excluded.notes,
        added_at = excluded.added_at, revised_at = excluded.revised_at, retired = excluded.retired,
        in_document = excluded.in_document, trust = excluded.trust, checksum = excluded.checksum";

const ADD_MENTION: &str = "
    INSERT INTO recalld.mentions (space, entity, revision, ordinal, conversation, message, at, checksum)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";

const CHANGED: &str = "
    SELECT id, kind, name, notes, added_at, revised_at, retired, in_document, trust, space, checksum
    FROM recalld.entities
    WHERE space = $1 AND revision > $2 ORDER BY added_at, id";

const CHANGED_MENTIONS: &str = "
    SELECT m.entity, m.conversation, m.message, m.at, m.space, m.checksum FROM recalld.entities e
    JOIN recalld.mentions m ON m.space = $1 AND m.entity = e.id
    WHERE e.space = $1 AND e.revision > $2 ORDER BY m.entity, m.revision, m.ordinal";

const ERASED: &str = "
    SELECT DISTINCT e.subject FROM recalld.events e
    WHERE e.space = $1 AND e.revision > $2 AND e.verb = 'erase' AND e.kind = 'entity'
      AND NOT EXISTS (SELECT FROM recalld.entities m WHERE m.space = $1 AND m.id = e.subject)
    ORDER BY e.subject";
