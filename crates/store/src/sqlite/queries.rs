//! Queries for memories, their history and the audit log, and for the space as a whole.

use recalld_memory::change::{Event, Revision, Version};
use recalld_memory::id::{MemoryId, SpaceId};
use recalld_memory::ports::{Changed, EventPage};
use rusqlite::{Connection, params};

use super::error::SqlResult;
use super::query::{collect, collect_by_name, revision};
use super::rows::{self, event_columns, memory_columns};
use super::{conversations, entities, records};

/// Reads what changed after `since`, all as of one moment.
pub(super) fn changed_since(connection: &Connection, space: &SpaceId, since: Revision) -> SqlResult<Changed> {
    // The first question fixes what the others see.
    let moment = connection.unchecked_transaction()?;
    let revision = revision(&moment, space)?;
    if revision <= since {
        return Ok(Changed {
            revision,
            ..Changed::default()
        });
    }
    let memories = match since {
        Revision(0) => ALL_MEMORIES,
        _ => CHANGED_MEMORIES,
    };
    let after = params![space.as_str(), since.0];
    Ok(Changed {
        revision,
        memories: collect_by_name(&moment, memories, after, rows::memory)?,
        erased_memories: collect(&moment, ERASED_MEMORIES, after, |row| {
            rows::memory_id(&row.get::<_, Vec<u8>>(0)?)
        })?,
        entities: entities::changed(&moment, space, since)?,
        erased_entities: entities::erased(&moment, space, since)?,
        records: records::changed(&moment, space, since)?,
        erased_records: records::erased(&moment, space, since)?,
        conversations: conversations::changed(&moment, space, since)?,
        erased_conversations: conversations::erased(&moment, space, since)?,
    })
}

/// Reads every version of a memory, the oldest first.
pub(super) fn history(connection: &Connection, space: &SpaceId, memory: MemoryId) -> SqlResult<Vec<Version>> {
    let id = memory.as_uuid();
    collect_by_name(
        connection,
        HISTORY,
        params![space.as_str(), id.as_bytes()],
        rows::version,
    )
}

/// Reads every version of the memories after `after`, at most `limit` memories.
pub(super) fn histories(
    connection: &Connection,
    space: &SpaceId,
    after: Option<MemoryId>,
    limit: usize,
) -> SqlResult<Vec<Version>> {
    let after = after.map_or(Vec::new(), |id| id.as_uuid().as_bytes().to_vec());
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    // All as of one moment, although the two tables are read one after the other.
    let moment = connection.unchecked_transaction()?;
    collect_by_name(
        &moment,
        HISTORIES,
        params![space.as_str(), after, limit],
        rows::version,
    )
}

/// Reads the audit log, the newest first.
pub(super) fn events(connection: &Connection, space: &SpaceId, page: &EventPage) -> SqlResult<Vec<Event>> {
    let before = page.before.unwrap_or((Revision(u64::MAX), 0));
    let revision = i64::try_from(before.0.0).unwrap_or(i64::MAX);
    let limit = i64::try_from(page.limit).unwrap_or(i64::MAX);
    let Some((kind, id)) = &page.subject else {
        let asked = params![space.as_str(), revision, before.1, limit];
        return collect_by_name(connection, EVENTS, asked, rows::event);
    };
    let Some(subject) = rows::subject_bytes(kind, id) else {
        return Ok(Vec::new());
    };
    let sql = match kind.as_str() {
        "memory" if was_erased(connection, space, &subject)? => EVENTS_OF_ERASED_MEMORY,
        "memory" => EVENTS_OF_MEMORY,
        _ => EVENTS_OF_OTHERS,
    };
    let asked = params![space.as_str(), revision, before.1, limit, kind, subject];
    collect_by_name(connection, sql, asked, rows::event)
}

/// Returns whether the memory was erased ever, so that not all its events belong to states of it.
fn was_erased(connection: &Connection, space: &SpaceId, memory: &[u8]) -> SqlResult<bool> {
    let erased = connection
        .prepare_cached(
            "SELECT 1 FROM events INDEXED BY events_of_erasure
             WHERE space = ?1 AND kind = 'memory' AND subject = ?2 AND verb = 'erase' LIMIT 1",
        )?
        .exists(params![space.as_str(), memory])?;
    Ok(erased)
}

// Ids of memories grow with time: their order is the order of learning.
const ALL_MEMORIES: &str = concat!(
    "SELECT ",
    memory_columns!(),
    " FROM memories m WHERE m.space = ?1 AND ?2 = 0 ORDER BY m.id"
);

const CHANGED_MEMORIES: &str = concat!(
    "SELECT ",
    memory_columns!(),
    " FROM memories m WHERE m.space = ?1 AND m.id IN (
          SELECT subject FROM events WHERE space = ?1 AND revision > ?2 AND kind = 'memory')
      ORDER BY m.id"
);

// Left to itself, SQLite may read the whole log of the space for this.
const ERASED_MEMORIES: &str = "
    SELECT DISTINCT e.subject FROM events e INDEXED BY events_of_erasure
    WHERE e.space = ?1 AND e.revision > ?2 AND e.verb = 'erase' AND e.kind = 'memory'
      AND NOT EXISTS (SELECT 1 FROM memories m WHERE m.space = ?1 AND m.id = e.subject)
    ORDER BY e.subject";

const HISTORY: &str = concat!(
    "SELECT ",
    memory_columns!(),
    ", ",
    event_columns!(),
    " FROM (SELECT * FROM memory_versions WHERE space = ?1 AND id = ?2
            UNION ALL SELECT * FROM memories WHERE space = ?1 AND id = ?2) m
      JOIN events e ON e.space = ?1 AND e.revision = m.revision AND e.ordinal = m.ordinal
      ORDER BY m.revision, m.ordinal"
);

const HISTORIES: &str = concat!(
    "WITH page AS (SELECT id FROM memories WHERE space = ?1 AND id > ?2 ORDER BY id LIMIT ?3)
     SELECT ",
    memory_columns!(),
    ", ",
    event_columns!(),
    " FROM (SELECT * FROM memory_versions WHERE space = ?1 AND id IN (SELECT id FROM page)
            UNION ALL SELECT * FROM memories WHERE space = ?1 AND id IN (SELECT id FROM page)) m
      JOIN events e ON e.space = ?1 AND e.revision = m.revision AND e.ordinal = m.ordinal
      ORDER BY m.id, m.revision, m.ordinal"
);

const EVENTS: &str = concat!(
    "SELECT ",
    event_columns!(),
    " FROM events e WHERE e.space = ?1 AND (e.revision, e.ordinal) < (?2, ?3)
      ORDER BY e.revision DESC, e.ordinal DESC LIMIT ?4"
);

const EVENTS_OF_MEMORY: &str = concat!(
    "SELECT ",
    event_columns!(),
    " FROM (SELECT revision, ordinal FROM memory_versions WHERE space = ?1 AND id = ?6
            UNION ALL SELECT revision, ordinal FROM memories WHERE space = ?1 AND id = ?6) m
      JOIN events e ON e.space = ?1 AND e.revision = m.revision AND e.ordinal = m.ordinal AND e.kind = ?5
      WHERE (m.revision, m.ordinal) < (?2, ?3)
      ORDER BY m.revision DESC, m.ordinal DESC LIMIT ?4"
);

// This reads the whole log of the space. It is rare: the events of an erased memory.
const EVENTS_OF_ERASED_MEMORY: &str = concat!(
    "SELECT ",
    event_columns!(),
    " FROM events e WHERE e.space = ?1 AND (e.revision, e.ordinal) < (?2, ?3) AND e.kind = ?5 AND e.subject = ?6
      ORDER BY e.revision DESC, e.ordinal DESC LIMIT ?4"
);

const EVENTS_OF_OTHERS: &str = concat!(
    "SELECT ",
    event_columns!(),
    " FROM events e INDEXED BY events_of_others
      WHERE e.space = ?1 AND (e.revision, e.ordinal) < (?2, ?3) AND e.kind = ?5 AND e.subject = ?6
        AND e.kind <> 'memory'
      ORDER BY e.revision DESC, e.ordinal DESC LIMIT ?4"
);
