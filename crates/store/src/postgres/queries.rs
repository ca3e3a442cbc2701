//! Queries for memories, their history and the audit log, and for the space as a whole.

use recalld_memory::change::Revision;
use recalld_memory::id::{MemoryId, SpaceId};
use recalld_memory::ports::{Changed, EventPage};
use tokio_postgres::Row;

use super::error::DbResult;
use super::pipeline::ResultSets;
use super::rows::{self, each, get};
use super::rows::{event_columns, memory_columns, version_columns};
use super::statement::{Statement, limit, number};
use super::{conversations, entities, erase, records};

/// Returns the query for the revision of a space.
pub(super) fn revision(space: &SpaceId) -> Statement {
    Statement::new("SELECT revision FROM recalld.spaces WHERE space = $1").with(space.as_str())
}

/// Decodes the result of [`revision`].
pub(super) fn read_revision(rows: &[Row]) -> DbResult<Revision> {
    rows.first().map_or(Ok(Revision(0)), |row| rows::revision(row, 0))
}

/// Returns the query for the revision of a space and the era in which it would begin now.
pub(super) fn revision_and_era(space: &SpaceId) -> Statement {
    Statement::new(REVISION_AND_ERA).with(space.as_str())
}

/// Decodes the result of [`revision_and_era`].
pub(super) fn read_revision_and_era(rows: &[Row]) -> DbResult<(Revision, u64)> {
    match rows.first() {
        Some(row) => Ok((rows::revision(row, 0)?, erase::read_era(row, 1)?)),
        None => Ok((Revision(0), 0)),
    }
}

/// Returns the query for what changed after `since`.
pub(super) fn changed_since(space: &SpaceId, since: Revision) -> Vec<Statement> {
    let after = |sql| Statement::new(sql).with(space.as_str()).with(number(since.0));
    let mut statements = vec![revision(space), after(MEMORIES), after(ERASED_MEMORIES)];
    statements.extend(entities::changed(space, since));
    statements.extend(records::changed(space, since));
    statements.extend(conversations::changed(space, since));
    statements
}

/// Decodes the result of [`changed_since`].
pub(super) fn read_changed(found: &ResultSets, since: Revision) -> DbResult<Changed> {
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
        erased_memories: each(&found[2], |row| rows::memory_id(row, "erased"))?,
        entities: entities::read_changed(&found[3], &found[4])?,
        erased_entities: entities::read_erased(&found[5])?,
        records: each(&found[6], records::record)?,
        erased_records: records::read_erased(&found[7])?,
        conversations: each(&found[8], conversations::conversation)?,
        erased_conversations: each(&found[9], |row| rows::conversation_id(get(row, 0)?))?,
    })
}

/// Returns the query for every version of a memory, the oldest first.
pub(super) fn history(space: &SpaceId, memory: MemoryId) -> Statement {
    Statement::new(HISTORY)
        .with(space.as_str())
        .with(memory.as_uuid())
}

/// Returns the query for every version of the memories after `after`, at most `most` memories.
pub(super) fn histories(space: &SpaceId, after: Option<MemoryId>, most: usize) -> Statement {
    let ask = |sql| Statement::new(sql).with(space.as_str()).with(limit(most));
    match after {
        Some(id) => ask(HISTORIES_AFTER).with(id.as_uuid()),
        None => ask(HISTORIES),
    }
}

/// Returns the query for the audit log, newest first; none if its subject cannot exist.
pub(super) fn events(space: &SpaceId, page: &EventPage) -> Option<Statement> {
    let (revision, ordinal) = match page.before {
        Some((revision, ordinal)) => (number(revision.0), i64::from(ordinal)),
        None => (i64::MAX, 0),
    };
    let ask = |sql| {
        Statement::new(sql)
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

const REVISION_AND_ERA: &str = "
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

const HISTORY: &str = concat!(
    "SELECT ",
    version_columns!(),
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
            version_columns!(),
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
