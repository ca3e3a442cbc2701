//! The only write: applies changes to rows, in a transaction that the caller begins and commits.

use recalld_memory::change::{Change, Effect, Event, Revision, Stamp};
use recalld_memory::id::{MemoryId, SpaceId};
use recalld_memory::memory::{Evidence, Memory, Standing};
use recalld_memory::ports::StoreError;
use rusqlite::{Connection, OptionalExtension, params};

use super::error::SqlResult;
use super::{query, rows};
use crate::checksum;

/// Applies `changes` to the space if it is at `expected`, and returns its new revision. Without
/// changes nothing is written, and the revision stays the same.
pub(super) fn apply(
    connection: &Connection,
    space: &SpaceId,
    expected: Revision,
    changes: &[Change],
) -> SqlResult<Revision> {
    if changes.is_empty() {
        let at = query::revision(connection, space)?;
        return match at == expected {
            true => Ok(at),
            false => Err(StoreError::Conflict { expected, at }.into()),
        };
    }
    let next = advance(connection, space, expected)?;
    for (ordinal, change) in changes.iter().enumerate() {
        let place = RowWriter {
            connection,
            space: space.as_str(),
            revision: next.0,
            ordinal,
        };
        if change.effect.is_audited() {
            place.log(change)?;
        }
        place.put(&change.effect)?;
    }
    Ok(next)
}

/// Takes the space from `expected` to the next revision. Writes nothing when it is elsewhere.
fn advance(connection: &Connection, space: &SpaceId, expected: Revision) -> SqlResult<Revision> {
    let step = match expected {
        Revision(0) => BEGIN_SPACE,
        _ => "UPDATE spaces SET revision = ?2 + 1 WHERE space = ?1 AND revision = ?2 RETURNING revision",
    };
    // No space has been written to more often than SQLite can count.
    let at = i64::try_from(expected.0).unwrap_or(i64::MAX);
    let stepped = match at {
        i64::MAX => None,
        _ => connection
            .prepare_cached(step)?
            .query_row(params![space.as_str(), at], |row| row.get(0))
            .optional()?,
    };
    match stepped {
        Some(next) => Ok(Revision(next)),
        None => {
            let at = query::revision(connection, space)?;
            Err(StoreError::Conflict { expected, at }.into())
        }
    }
}

/// Where a change goes: its space, write, and place within that write.
#[derive(Clone, Copy)]
pub(super) struct RowWriter<'a> {
    pub(super) connection: &'a Connection,
    pub(super) space: &'a str,
    pub(super) revision: u64,
    pub(super) ordinal: usize,
}

impl RowWriter<'_> {
    fn log(self, change: &Change) -> SqlResult<()> {
        let (kind, id) = change.effect.subject().parts();
        let subject = rows::subject_bytes(kind, &id).expect("an id was made from this text");
        let event = Event {
            revision: Revision(self.revision),
            ordinal: u32::try_from(self.ordinal).unwrap_or(u32::MAX),
            verb: change.effect.verb().to_owned(),
            subject: (kind.to_owned(), id),
            stamp: change.stamp.clone(),
        };
        let Stamp {
            at,
            actor,
            conversation,
            message,
            source,
        } = &event.stamp;
        self.connection
            .prepare_cached(
                "INSERT INTO events (space, revision, ordinal, at, verb, kind, subject, actor, conversation,
                                     message, source, checksum)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
            )?
            .execute(params![
                self.space,
                self.revision,
                self.ordinal,
                at.as_microsecond(),
                event.verb,
                event.subject.0,
                subject,
                actor.as_str(),
                conversation.as_ref().map(|id| id.as_str()),
                message.as_ref().map(|id| id.as_str()),
                source.as_ref().map(|source| source.as_str()),
                checksum::event(self.space, &event),
            ])?;
        Ok(())
    }

    fn put(self, effect: &Effect) -> SqlResult<()> {
        match effect {
            Effect::Memory { memory, .. } => self.put_memory(memory),
            Effect::EraseMemory { id } => self.erase_memory(*id),
            Effect::Entity { entity, .. } => self.put_entity(entity),
            Effect::Mention { entity, mention } => self.add_mention(entity, mention),
            Effect::EraseEntity { id } => self.erase_entity(id),
            Effect::Record(record) => self.put_record(record),
            Effect::EraseRecord { kind, name } => self.erase_record(*kind, name),
            Effect::Conversation(conversation) => self.put_conversation(conversation),
            Effect::EraseConversation { id } => self.erase_conversation(id),
            Effect::Message(message) => self.put_message(message),
            Effect::EraseMessage { conversation, id } => self.erase_message(conversation, id),
            Effect::Document { document, chunks } => self.put_document(document, chunks),
            Effect::EraseDocument { id } => self.erase_document(id),
            Effect::Vector(vector) => self.put_vector(vector),
        }
    }

    fn put_memory(self, memory: &Memory) -> SqlResult<()> {
        // What has changed before is there, nearly always, and what has not is new.
        let is_new = memory.version == 1 || !self.keep_version(memory.id)?;
        if is_new && self.write_memory(INSERT_MEMORY, memory)? == 1 {
            return Ok(());
        }
        if is_new {
            self.keep_version(memory.id)?;
        }
        self.write_memory(UPDATE_MEMORY, memory)?;
        Ok(())
    }

    /// Copies the current state of a memory to its history. Returns whether there was one.
    fn keep_version(self, id: MemoryId) -> SqlResult<bool> {
        let id = id.as_uuid();
        let kept = self
            .connection
            .prepare_cached(
                "INSERT INTO memory_versions SELECT * FROM memories WHERE space = ?1 AND id = ?2",
            )?
            .execute(params![self.space, id.as_bytes()])?;
        Ok(kept == 1)
    }

    fn write_memory(self, sql: &str, memory: &Memory) -> SqlResult<usize> {
        let (retired_at, retired_why) = match memory.standing {
            Standing::Active => (None, None),
            Standing::Retired { at, why } => (Some(at.as_microsecond()), Some(why.as_str())),
        };
        let written = self.connection.prepare_cached(sql)?.execute(params![
            self.space,
            memory.id.as_uuid().as_bytes(),
            self.revision,
            self.ordinal,
            memory.version,
            memory.key.as_ref().map(|key| key.as_str()),
            memory.content.as_str(),
            memory.category.as_str(),
            memory.tier.as_str(),
            memory.confidence.value(),
            memory.origin.as_str(),
            memory.trust.as_str(),
            memory.source.as_ref().map(|source| source.as_str()),
            memory.conversation.as_ref().map(|id| id.as_str()),
            memory.message.as_ref().map(|id| id.as_str()),
            memory.learned_at.as_microsecond(),
            memory.revised_at.as_microsecond(),
            memory.expires_at.map(|at| at.as_microsecond()),
            retired_at,
            retired_why,
            memory.in_document,
            memory.amends.map(|id| id.as_uuid().into_bytes()),
            memory.period.from.map(|at| at.as_microsecond()),
            memory.period.until.map(|at| at.as_microsecond()),
            memory.period.superseded_by.map(|id| id.as_uuid().into_bytes()),
            memory.project.as_ref().map(|project| project.as_str()),
            Evidence::stored(&memory.evidence),
            checksum::memory(self.space, memory),
        ])?;
        Ok(written)
    }

    fn erase_memory(self, id: MemoryId) -> SqlResult<()> {
        let id = id.as_uuid();
        let which = params![self.space, id.as_bytes()];
        // That something was there, and when, remains; in which conversation, and why, does not.
        for sql in [REDACT_EVENTS_OF_VERSIONS, REDACT_EVENTS] {
            self.connection.prepare_cached(sql)?.execute(which)?;
        }
        // Its earlier versions and its vectors go with it.
        self.connection
            .prepare_cached("DELETE FROM memories WHERE space = ?1 AND id = ?2")?
            .execute(which)?;
        Ok(())
    }

    /// Removes from the earlier events of something erased, other than a memory, where it was said.
    pub(super) fn redact_events(self, kind: &str, subject: &[u8]) -> SqlResult<()> {
        self.connection
            .prepare_cached(
                "UPDATE events INDEXED BY events_of_others
                 SET conversation = NULL, message = NULL, source = NULL, checksum = NULL
                 WHERE space = ?1 AND kind = ?2 AND kind <> 'memory' AND subject = ?3
                   AND (revision, ordinal) < (?4, ?5)",
            )?
            .execute(params![self.space, kind, subject, self.revision, self.ordinal])?;
        Ok(())
    }
}

// The number of bits is that of `Revision::ERA_SHIFT`.
const BEGIN_SPACE: &str = "
    INSERT INTO spaces (space, revision) SELECT ?1, (era << 28) + ?2 + 1 FROM eras WHERE true
    ON CONFLICT DO NOTHING RETURNING revision";

const INSERT_MEMORY: &str = "
    INSERT INTO memories (space, id, revision, ordinal, version, key, content, category, tier, confidence, origin,
                          trust, source, conversation, message, learned_at, revised_at, expires_at, retired_at,
                          retired_why, in_document, amends, valid_from, valid_until, superseded_by, project,
                          evidence, checksum)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22,
            ?23, ?24, ?25, ?26, ?27, ?28)
    ON CONFLICT (space, id) DO NOTHING";

const UPDATE_MEMORY: &str = "
    UPDATE memories SET
        revision = ?3, ordinal = ?4, version = ?5, key = ?6, content = ?7, category = ?8, tier = ?9,
        confidence = ?10, origin = ?11, trust = ?12, source = ?13, conversation = ?14, message = ?15,
        learned_at = ?16, revised_at = ?17, expires_at = ?18, retired_at = ?19, retired_why = ?20, in_document = ?21,
        amends = ?22, valid_from = ?23, valid_until = ?24, superseded_by = ?25, project = ?26, evidence = ?27,
        checksum = ?28
    WHERE space = ?1 AND id = ?2";

// Two statements: for a union of both tables SQLite would read all events of the space.
const REDACT_EVENTS_OF_VERSIONS: &str = "
    UPDATE events SET conversation = NULL, message = NULL, source = NULL, checksum = NULL
    WHERE space = ?1 AND (revision, ordinal) IN (
        SELECT revision, ordinal FROM memory_versions WHERE space = ?1 AND id = ?2)";

const REDACT_EVENTS: &str = "
    UPDATE events SET conversation = NULL, message = NULL, source = NULL, checksum = NULL
    WHERE space = ?1 AND (revision, ordinal) IN (
        SELECT revision, ordinal FROM memories WHERE space = ?1 AND id = ?2)";
