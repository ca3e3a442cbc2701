//! Rows and domain types: how one is written as the other. What cannot be read back is named, never
//! shown.

use std::fmt::Display;

use jiff::Timestamp;
use recalld_memory::change::{Act, Actor, Event, Revision, Stamp, Version};
use recalld_memory::entity::{Entity, EntityKind, EntityName, Mention};
use recalld_memory::id::{ConversationId, EntityId, MemoryId, MessageId};
use recalld_memory::memory::{
    Category, Confidence, Content, Key, Memory, Origin, Retirement, Source, Standing, Tier,
};
use recalld_memory::ports::StoreError;
use rusqlite::Row;
use uuid::Uuid;

use super::error::{Failure, SqlResult};
use crate::columns::EVENT_AFTER_MEMORY;

/// Reads a memory from [`memory_columns`](crate::columns::memory_columns).
pub(super) fn memory(row: &Row<'_>) -> SqlResult<Memory> {
    let id = memory_id(&row.get::<_, Vec<u8>>(0)?)?;
    let bad = |column: &str, error: &dyn Display| unreadable(&format!("{column} of memory {id}"), error);
    let text = |index| row.get_ref(index).and_then(|value| Ok(value.as_str()?));
    let optional = |index| row.get_ref(index).and_then(|value| Ok(value.as_str_or_null()?));
    let retired_at = row.get::<_, Option<i64>>(15)?.map(time).transpose()?;
    let standing = match (retired_at, optional(16)?) {
        (None, _) => Standing::Active,
        (Some(at), Some(why)) => Standing::Retired {
            at,
            why: Retirement::parse(why).ok_or_else(|| bad("retirement", &why))?,
        },
        (Some(_), None) => return Err(bad("retirement", &"it has no reason")),
    };
    Ok(Memory {
        id,
        key: optional(2)?
            .map(Key::new)
            .transpose()
            .map_err(|e| bad("key", &e))?,
        content: Content::new(text(3)?).map_err(|e| bad("content", &e))?,
        category: Category::new(text(4)?).map_err(|e| bad("category", &e))?,
        tier: Tier::parse(text(5)?).map_err(|e| bad("tier", &e))?,
        confidence: Confidence::new(row.get(6)?).map_err(|e| bad("confidence", &e))?,
        origin: Origin::parse(text(7)?).map_err(|e| bad("origin", &e))?,
        trust: Origin::parse(text(8)?).map_err(|e| bad("trust", &e))?,
        source: optional(9)?
            .map(Source::new)
            .transpose()
            .map_err(|e| bad("source", &e))?,
        conversation: conversation(row, 10)?,
        message: message(row, 11)?,
        learned_at: time(row.get(12)?)?,
        revised_at: time(row.get(13)?)?,
        expires_at: row.get::<_, Option<i64>>(14)?.map(time).transpose()?,
        standing,
        in_document: row.get(17)?,
        version: row.get(1)?,
    })
}

/// Reads a version from [`memory_columns`] and, behind them,
/// [`event_columns`](crate::columns::event_columns).
pub(super) fn version(row: &Row<'_>) -> SqlResult<Version> {
    let verb: String = row.get(EVENT_AFTER_MEMORY)?;
    Ok(Version {
        act: Act::parse(&verb).ok_or_else(|| unreadable("act of a version", &verb))?,
        memory: memory(row)?,
        stamp: stamp(row, EVENT_AFTER_MEMORY + 1)?,
    })
}

/// Reads an event from [`event_columns`](crate::columns::event_columns).
pub(super) fn event(row: &Row<'_>) -> SqlResult<Event> {
    let kind: String = row.get(8)?;
    let subject = subject_text(&kind, row.get(9)?)?;
    Ok(Event {
        revision: Revision(row.get(6)?),
        ordinal: row.get(7)?,
        verb: row.get(0)?,
        subject: (kind, subject),
        stamp: stamp(row, 1)?,
    })
}

/// Reads an entity without its mentions from `id, kind, name, notes, added_at, revised_at, retired,
/// in_document`.
pub(super) fn entity(row: &Row<'_>) -> SqlResult<Entity> {
    let id = entity_id(row.get(0)?)?;
    let bad = |column: &str, error: &dyn Display| unreadable(&format!("{column} of entity {id}"), error);
    let text = |index| row.get_ref(index).and_then(|value| Ok(value.as_str()?));
    let notes = row.get_ref(3)?.as_str_or_null().map_err(rusqlite::Error::from)?;
    Ok(Entity {
        kind: EntityKind::parse(text(1)?).map_err(|e| bad("kind", &e))?,
        name: EntityName::new(text(2)?).map_err(|e| bad("name", &e))?,
        notes: notes
            .map(Content::new)
            .transpose()
            .map_err(|e| bad("notes", &e))?,
        added_at: time(row.get(4)?)?,
        revised_at: time(row.get(5)?)?,
        retired: row.get(6)?,
        in_document: row.get(7)?,
        mentions: Vec::new(),
        id,
    })
}

/// Reads a mention from `conversation, message, at`, which begin at `first`.
pub(super) fn mention(row: &Row<'_>, first: usize) -> SqlResult<Mention> {
    let missing = || unreadable("a mention", &"it has no message");
    Ok(Mention {
        conversation: conversation(row, first)?.ok_or_else(missing)?,
        message: message(row, first + 1)?.ok_or_else(missing)?,
        at: time(row.get(first + 2)?)?,
    })
}

/// Reads the id of a memory.
pub(super) fn memory_id(bytes: &[u8]) -> SqlResult<MemoryId> {
    let uuid = Uuid::from_slice(bytes).map_err(|e| unreadable("the id of a memory", &e))?;
    Ok(MemoryId::from_uuid(uuid))
}

/// Reads the id of an entity.
pub(super) fn entity_id(raw: String) -> SqlResult<EntityId> {
    EntityId::new(raw).map_err(|e| unreadable("the id of an entity", &e))
}

/// Reads the id of a conversation.
pub(super) fn conversation_id(raw: String) -> SqlResult<ConversationId> {
    ConversationId::new(raw).map_err(|e| unreadable("a conversation id", &e))
}

/// Reads the id of a message.
pub(super) fn message_id(raw: String) -> SqlResult<MessageId> {
    MessageId::new(raw).map_err(|e| unreadable("a message id", &e))
}

/// Writes the subject of an event: the bytes of a memory's id, the text of any other. None for what
/// is no id.
pub(super) fn subject_bytes(kind: &str, id: &str) -> Option<Vec<u8>> {
    match kind {
        "memory" => Some(MemoryId::parse(id).ok()?.as_uuid().as_bytes().to_vec()),
        _ => Some(id.as_bytes().to_vec()),
    }
}

fn subject_text(kind: &str, bytes: Vec<u8>) -> SqlResult<String> {
    match kind {
        "memory" => Ok(memory_id(&bytes)?.to_string()),
        _ => String::from_utf8(bytes).map_err(|e| unreadable("the subject of an event", &e.utf8_error())),
    }
}

fn stamp(row: &Row<'_>, first: usize) -> SqlResult<Stamp> {
    let source: Option<String> = row.get(first + 4)?;
    let source = source.as_deref().map(Source::new).transpose();
    Ok(Stamp {
        at: time(row.get(first)?)?,
        actor: Actor::new(row.get_ref(first + 1)?.as_str().map_err(rusqlite::Error::from)?),
        conversation: conversation(row, first + 2)?,
        message: message(row, first + 3)?,
        source: source.map_err(|e| unreadable("the source of an event", &e))?,
    })
}

fn conversation(row: &Row<'_>, index: usize) -> SqlResult<Option<ConversationId>> {
    row.get::<_, Option<String>>(index)?
        .map(conversation_id)
        .transpose()
}

fn message(row: &Row<'_>, index: usize) -> SqlResult<Option<MessageId>> {
    row.get::<_, Option<String>>(index)?.map(message_id).transpose()
}

/// Reads a time.
pub(super) fn time(microseconds: i64) -> SqlResult<Timestamp> {
    // Not `from_microsecond`: it refuses the last second of time, which can be written.
    let seconds = microseconds.div_euclid(1_000_000);
    let nanoseconds = microseconds.rem_euclid(1_000_000) * 1000;
    let nanoseconds = i32::try_from(nanoseconds).expect("less than a second");
    Timestamp::new(seconds, nanoseconds).map_err(|e| unreadable("a time", &e))
}

/// Says what cannot be read, and why.
pub(super) fn unreadable(what: &str, error: &dyn Display) -> Failure {
    Failure::Store(StoreError::Corrupt {
        what: format!("{what}: {error}"),
    })
}
