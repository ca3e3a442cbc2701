//! Entities and their mentions.

use std::collections::HashMap;
use std::fmt::Display;

use recalld_memory::change::Revision;
use recalld_memory::entity::{Entity, EntityKind, EntityName, Mention};
use recalld_memory::id::{EntityId, SpaceId};
use recalld_memory::memory::{Content, Origin};
use rusqlite::{Connection, Row, params};

use super::apply::RowWriter;
use super::error::SqlResult;
use super::query::collect;
use super::rows::{self, text};
use crate::checksum;

impl RowWriter<'_> {
    pub(super) fn put_entity(self, entity: &Entity) -> SqlResult<()> {
        self.connection.prepare_cached(PUT)?.execute(params![
            self.space,
            entity.id.as_str(),
            entity.kind.as_str(),
            entity.name.as_str(),
            entity.notes.as_ref().map(|notes| notes.as_str()),
            entity.added_at.as_microsecond(),
            entity.revised_at.as_microsecond(),
            entity.retired,
            entity.in_document,
            entity.trust.as_str(),
            checksum::entity(self.space, entity),
        ])?;
        Ok(())
    }

    pub(super) fn add_mention(self, entity: &EntityId, mention: &Mention) -> SqlResult<()> {
        self.connection
            .prepare_cached(
                "INSERT INTO mentions (space, entity, revision, ordinal, conversation, message, at, checksum)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            )?
            .execute(params![
                self.space,
                entity.as_str(),
                self.revision,
                self.ordinal,
                mention.conversation.as_str(),
                mention.message.as_str(),
                mention.at.as_microsecond(),
                checksum::mention(self.space, entity, mention),
            ])?;
        Ok(())
    }

    pub(super) fn erase_entity(self, id: &EntityId) -> SqlResult<()> {
        // Its mentions go with it.
        self.connection
            .prepare_cached("DELETE FROM entities WHERE space = ?1 AND id = ?2")?
            .execute(params![self.space, id.as_str()])?;
        self.redact_events("entity", id.as_str().as_bytes())
    }
}

/// Reads the entities that changed after `since` with all their mentions, in the order in which
/// they were added.
pub(super) fn changed(connection: &Connection, space: &SpaceId, since: Revision) -> SqlResult<Vec<Entity>> {
    let (entities, mentions) = match since {
        Revision(0) => (ALL, ALL_MENTIONS),
        _ => (CHANGED, CHANGED_MENTIONS),
    };
    let after = params![space.as_str(), since.0];
    Ok(with_mentions(
        collect(connection, entities, after, entity)?,
        collect(connection, mentions, after, mention)?,
    ))
}

/// Names the entities that were erased after `since` and not added again.
pub(super) fn erased(connection: &Connection, space: &SpaceId, since: Revision) -> SqlResult<Vec<EntityId>> {
    let after = params![space.as_str(), since.0];
    collect(connection, ERASED, after, |row| entity_id(row.get(0)?))
}

fn with_mentions(mut entities: Vec<Entity>, mentions: Vec<(EntityId, Mention)>) -> Vec<Entity> {
    let mut by_entity: HashMap<EntityId, Vec<Mention>> = HashMap::new();
    for (entity, mention) in mentions {
        by_entity.entry(entity).or_default().push(mention);
    }
    for entity in &mut entities {
        entity.mentions = by_entity.remove(&entity.id).unwrap_or_default();
    }
    entities
}

/// Reads an entity without its mentions from `id, kind, name, notes, added_at, revised_at, retired,
/// in_document, trust, space, checksum`.
fn entity(row: &Row<'_>) -> SqlResult<Entity> {
    let id = entity_id(row.get(0)?)?;
    let bad =
        |column: &str, error: &dyn Display| rows::unreadable(&format!("{column} of entity {id}"), error);
    let notes = row.get_ref(3)?.as_str_or_null().map_err(rusqlite::Error::from)?;
    let entity = Entity {
        kind: EntityKind::parse(text(row, 1)?).map_err(|e| bad("kind", &e))?,
        name: EntityName::new(text(row, 2)?).map_err(|e| bad("name", &e))?,
        notes: notes
            .map(Content::new)
            .transpose()
            .map_err(|e| bad("notes", &e))?,
        added_at: rows::time(row.get(4)?)?,
        revised_at: rows::time(row.get(5)?)?,
        retired: row.get(6)?,
        in_document: row.get(7)?,
        trust: Origin::parse(text(row, 8)?).map_err(|e| bad("trust", &e))?,
        mentions: Vec::new(),
        id: id.clone(),
    };
    let sum = checksum::entity(text(row, 9)?, &entity);
    checksum::verify("entities", &id, row.get(10)?, sum)?;
    Ok(entity)
}

/// Reads a mention and its entity from `entity, conversation, message, at, space, checksum`.
fn mention(row: &Row<'_>) -> SqlResult<(EntityId, Mention)> {
    let entity = entity_id(row.get(0)?)?;
    let mention = Mention {
        conversation: rows::conversation_id(row.get(1)?)?,
        message: rows::message_id(row.get(2)?)?,
        at: rows::time(row.get(3)?)?,
    };
    let sum = checksum::mention(text(row, 4)?, &entity, &mention);
    checksum::verify("mentions", &entity, row.get(5)?, sum)?;
    Ok((entity, mention))
}

/// Reads the id of an entity.
fn entity_id(raw: String) -> SqlResult<EntityId> {
    EntityId::new(raw).map_err(|e| rows::unreadable("the id of an entity", &e))
}

const PUT: &str = "
    INSERT INTO entities
        (space, id, kind, name, notes, added_at, revised_at, retired, in_document, trust, checksum)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
    ON CONFLICT (space, id) DO UPDATE SET
        kind = excluded.kind, name = excluded.name, notes = excluded.notes, added_at = excluded.added_at,
        revised_at = excluded.revised_at, retired = excluded.retired, in_document = excluded.in_document,
        trust = excluded.trust, checksum = excluded.checksum";

const ALL: &str = "
    SELECT id, kind, name, notes, added_at, revised_at, retired, in_document, trust, space, checksum
    FROM entities
    WHERE space = ?1 AND ?2 = 0 ORDER BY added_at, id";

const CHANGED: &str = "
    SELECT id, kind, name, notes, added_at, revised_at, retired, in_document, trust, space, checksum
    FROM entities
    WHERE space = ?1 AND id IN (
        SELECT CAST(subject AS TEXT) FROM events WHERE space = ?1 AND revision > ?2 AND kind = 'entity')
    ORDER BY added_at, id";

const ALL_MENTIONS: &str = "
    SELECT entity, conversation, message, at, space, checksum FROM mentions
    WHERE space = ?1 AND ?2 = 0 ORDER BY entity, revision, ordinal";

const CHANGED_MENTIONS: &str = "
    SELECT entity, conversation, message, at, space, checksum FROM mentions
    WHERE space = ?1 AND entity IN (
        SELECT CAST(subject AS TEXT) FROM events WHERE space = ?1 AND revision > ?2 AND kind = 'entity')
    ORDER BY entity, revision, ordinal";

const ERASED: &str = "
    SELECT DISTINCT CAST(e.subject AS TEXT) AS erased FROM events e INDEXED BY events_of_erasure
    WHERE e.space = ?1 AND e.revision > ?2 AND e.verb = 'erase' AND e.kind = 'entity'
      AND NOT EXISTS (SELECT 1 FROM entities n WHERE n.space = ?1 AND n.id = CAST(e.subject AS TEXT))
    ORDER BY erased";
