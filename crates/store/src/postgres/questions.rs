//! What is asked of memories, entities and the log, and the space as a whole.

use std::collections::HashMap;

use recalld_memory::change::Revision;
use recalld_memory::entity::{Entity, Mention};
use recalld_memory::id::{MemoryId, SpaceId};
use recalld_memory::ports::{Changed, EventPage};
use tokio_postgres::Row;

use super::ask::{Ask, limit, number};
use super::error::Answer;
use super::rows::{self, each, get};
use super::transaction::Found;
use super::{conversations, erase, records};
use crate::columns::{event_columns, memory_columns};

/// Asks for the revision of a space.
pub(super) fn revision(space: &SpaceId) -> Ask {
    Ask::new("SELECT revision FROM recalld.spaces WHERE space = $1").with(space.as_str())
}

/// Reads what [`revision`] found.
pub(super) fn read_revision(rows: &[Row]) -> Answer<Revision> {
    rows.first().map_or(Ok(Revision(0)), |row| rows::revision(row, 0))
}

/// Asks for the revision of a space, and for the era in which it would begin now.
pub(super) fn standing(space: &SpaceId) -> Ask {
    Ask::new(STANDING).with(space.as_str())
}

/// Reads what [`standing`] found.
pub(super) fn read_standing(rows: &[Row]) -> Answer<(Revision, u64)> {
    match rows.first() {
        Some(row) => Ok((rows::revision(row, 0)?, erase::read_era(row, 1)?)),
        None => Ok((Revision(0), 0)),
    }
}

/// Asks for what changed after `since`.
pub(super) fn changed_since(space: &SpaceId, since: Revision) -> Vec<Ask> {
    let after = |sql| Ask::new(sql).with(space.as_str()).with(number(since.0));
    let mut asks = vec![
        revision(space),
        after(MEMORIES),
        after(ERASED_MEMORIES),
        after(ENTITIES),
        after(MENTIONS),
        after(ERASED_ENTITIES),
    ];
    asks.extend(records::changed(space, since));
    asks.extend(conversations::changed(space, since));
    asks
}

/// Reads what [`changed_since`] found.
pub(super) fn read_changed(found: &Found, since: Revision) -> Answer<Changed> {
    let revision = read_revision(&found[0])?;
    if revision <= since {
        return Ok(Changed {
            revision,
            ..Changed::default()
        });
    }
    Ok(Changed {
        revision,
        memories: each(&found[1], rows::memory)?,
        erased_memories: each(&found[2], |row| rows::memory_id(row, 0))?,
        entities: with_mentions(
            each(&found[3], rows::entity)?,
            each(&found[4], |row| Ok((get(row, 0)?, rows::mention(row, 1)?)))?,
        ),
        erased_entities: each(&found[5], |row| rows::entity_id(get(row, 0)?))?,
        records: each(&found[6], records::record)?,
        erased_records: records::read_erased(&found[7])?,
        conversations: each(&found[8], conversations::conversation)?,
        erased_conversations: each(&found[9], |row| rows::conversation_id(get(row, 0)?))?,
    })
}

/// Asks for every version of a memory, the oldest first.
pub(super) fn history(space: &SpaceId, memory: MemoryId) -> Ask {
    Ask::new(HISTORY).with(space.as_str()).with(memory.as_uuid())
}

/// Asks for every version of the memories after `after`, at most `most` memories.
pub(super) fn histories(space: &SpaceId, after: Option<MemoryId>, most: usize) -> Ask {
    let ask = |sql| Ask::new(sql).with(space.as_str()).with(limit(most));
    match after {
        Some(id) => ask(HISTORIES_AFTER).with(id.as_uuid()),
        None => ask(HISTORIES),
    }
}

/// Asks for the audit log, the newest first; nothing when what it is asked about cannot be there.
pub(super) fn events(space: &SpaceId, page: &EventPage) -> Option<Ask> {
    let (revision, ordinal) = match page.before {
        Some((revision, ordinal)) => (number(revision.0), i64::from(ordinal)),
        None => (i64::MAX, 0),
    };
    let ask = |sql| {
        Ask::new(sql)
            .with(space.as_str())
            .with(revision)
            .with(ordinal)
            .with(limit(page.limit))
    };
    match &page.subject {
        None => Some(ask(EVENTS)),
        Some((kind, id)) if kind == "memory" => {
            let id = MemoryId::parse(id).ok()?.to_string();
            Some(ask(EVENTS_OF_SUBJECT).with(kind.as_str()).with(id.as_str()))
        }
        Some((kind, id)) => Some(ask(EVENTS_OF_SUBJECT).with(kind.as_str()).with(id.as_str())),
    }
}

fn with_mentions(mut entities: Vec<Entity>, mentions: Vec<(String, Mention)>) -> Vec<Entity> {
    let mut by_entity: HashMap<String, Vec<Mention>> = HashMap::new();
    for (entity, mention) in mentions {
        by_entity.entry(entity).or_default().push(mention);
    }
    for entity in &mut entities {
        entity.mentions = by_entity.remove(entity.id.as_str()).unwrap_or_default();
    }
    entities
}

const STANDING: &str = "
    SELECT coalesce((SELECT revision FROM recalld.spaces WHERE space = $1), 0), era FROM recalld.eras";

// Ids of memories grow with time: their order is the order of learning.
const MEMORIES: &str = concat!(
    "SELECT ",
    memory_columns!(),
    " FROM recalld.memories m WHERE m.space = $1 AND m.revision > $2 ORDER BY m.id"
);

const ERASED_MEMORIES: &str = "
    SELECT DISTINCT e.subject::uuid AS erased FROM recalld.events e
    WHERE e.space = $1 AND e.revision > $2 AND e.verb = 'erase' AND e.kind = 'memory'
      AND NOT EXISTS (SELECT FROM recalld.memories m WHERE m.space = $1 AND m.id = e.subject::uuid)
    ORDER BY erased";

const ENTITIES: &str = "
    SELECT id, kind, name, notes, added_at, revised_at, retired, in_document FROM recalld.entities
    WHERE space = $1 AND revision > $2 ORDER BY added_at, id";

const MENTIONS: &str = "
    SELECT m.entity, m.conversation, m.message, m.at FROM recalld.entities e
    JOIN recalld.mentions m ON m.space = $1 AND m.entity = e.id
    WHERE e.space = $1 AND e.revision > $2 ORDER BY m.entity, m.revision, m.ordinal";

const ERASED_ENTITIES: &str = "
    SELECT DISTINCT e.subject FROM recalld.events e
    WHERE e.space = $1 AND e.revision > $2 AND e.verb = 'erase' AND e.kind = 'entity'
      AND NOT EXISTS (SELECT FROM recalld.entities m WHERE m.space = $1 AND m.id = e.subject)
    ORDER BY e.subject";

const HISTORY: &str = concat!(
    "SELECT ",
    memory_columns!(),
    ", ",
    event_columns!(),
    " FROM (SELECT * FROM recalld.memory_versions WHERE space = $1 AND id = $2
            UNION ALL SELECT * FROM recalld.memories WHERE space = $1 AND id = $2) m
      JOIN recalld.events e ON e.space = $1 AND e.revision = m.revision AND e.ordinal = m.ordinal
      ORDER BY m.revision, m.ordinal"
);

macro_rules! histories {
    ($page:literal) => {
        concat!(
            "WITH page AS (",
            $page,
            ") SELECT ",
            memory_columns!(),
            ", ",
            event_columns!(),
            " FROM (SELECT * FROM recalld.memory_versions WHERE space = $1 AND id IN (SELECT id FROM page)
                    UNION ALL SELECT * FROM recalld.memories WHERE space = $1 AND id IN (SELECT id FROM page)) m
              JOIN recalld.events e ON e.space = $1 AND e.revision = m.revision AND e.ordinal = m.ordinal
              ORDER BY m.id, m.revision, m.ordinal"
        )
    };
}

const HISTORIES: &str = histories!("SELECT id FROM recalld.memories WHERE space = $1 ORDER BY id LIMIT $2");

const HISTORIES_AFTER: &str =
    histories!("SELECT id FROM recalld.memories WHERE space = $1 AND $3 < id ORDER BY id LIMIT $2");

const EVENTS: &str = concat!(
    "SELECT ",
    event_columns!(),
    " FROM recalld.events e WHERE e.space = $1 AND (e.revision, e.ordinal) < ($2, $3)
      ORDER BY e.revision DESC, e.ordinal DESC LIMIT $4"
);

const EVENTS_OF_SUBJECT: &str = concat!(
    "SELECT ",
    event_columns!(),
    " FROM recalld.events e
      WHERE e.space = $1 AND (e.revision, e.ordinal) < ($2, $3) AND e.kind = $5 AND e.subject = $6
      ORDER BY e.revision DESC, e.ordinal DESC LIMIT $4"
);
