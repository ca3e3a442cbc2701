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
use tokio_postgres::Row;
use tokio_postgres::types::FromSql;
use uuid::Uuid;

use super::error::{Answer, Failure};
use crate::columns::EVENT_AFTER_MEMORY;

/// Reads a memory from [`memory_columns`](crate::columns::memory_columns).
pub(super) fn memory(row: &Row) -> Answer<Memory> {
    let id = memory_id(row, 0)?;
    let bad = |column: &str, error: &dyn Display| unreadable(&format!("{column} of memory {id}"), error);
    let text = |index| get::<&str>(row, index);
    let optional = |index| get::<Option<&str>>(row, index);
    let retired_at = get::<Option<i64>>(row, 15)?.map(time).transpose()?;
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
        confidence: Confidence::new(get(row, 6)?).map_err(|e| bad("confidence", &e))?,
        origin: Origin::parse(text(7)?).map_err(|e| bad("origin", &e))?,
        trust: Origin::parse(text(8)?).map_err(|e| bad("trust", &e))?,
        source: optional(9)?
            .map(Source::new)
            .transpose()
            .map_err(|e| bad("source", &e))?,
        conversation: conversation(row, 10)?,
        message: message(row, 11)?,
        learned_at: time(get(row, 12)?)?,
        revised_at: time(get(row, 13)?)?,
        expires_at: get::<Option<i64>>(row, 14)?.map(time).transpose()?,
        standing,
        in_document: get(row, 17)?,
        version: small(row, 1)?,
    })
}

/// Reads a version from [`memory_columns`] and, behind them,
/// [`event_columns`](crate::columns::event_columns).
pub(super) fn version(row: &Row) -> Answer<Version> {
    let verb: &str = get(row, EVENT_AFTER_MEMORY)?;
    Ok(Version {
        act: Act::parse(verb).ok_or_else(|| unreadable("act of a version", &verb))?,
        memory: memory(row)?,
        stamp: stamp(row, EVENT_AFTER_MEMORY + 1)?,
    })
}

/// Reads an event from [`event_columns`](crate::columns::event_columns).
pub(super) fn event(row: &Row) -> Answer<Event> {
    Ok(Event {
        revision: revision(row, 6)?,
        ordinal: small(row, 7)?,
        verb: get(row, 0)?,
        subject: (get(row, 8)?, get(row, 9)?),
        stamp: stamp(row, 1)?,
    })
}

/// Reads an entity without its mentions from `id, kind, name, notes, added_at, revised_at, retired,
/// in_document`.
pub(super) fn entity(row: &Row) -> Answer<Entity> {
    let id = entity_id(get(row, 0)?)?;
    let bad = |column: &str, error: &dyn Display| unreadable(&format!("{column} of entity {id}"), error);
    let text = |index| get::<&str>(row, index);
    Ok(Entity {
        kind: EntityKind::parse(text(1)?).map_err(|e| bad("kind", &e))?,
        name: EntityName::new(text(2)?).map_err(|e| bad("name", &e))?,
        notes: get::<Option<&str>>(row, 3)?
            .map(Content::new)
            .transpose()
            .map_err(|e| bad("notes", &e))?,
        added_at: time(get(row, 4)?)?,
        revised_at: time(get(row, 5)?)?,
        retired: get(row, 6)?,
        in_document: get(row, 7)?,
        mentions: Vec::new(),
        id,
    })
}

/// Reads a mention from `conversation, message, at`, which begin at `first`.
pub(super) fn mention(row: &Row, first: usize) -> Answer<Mention> {
    let missing = || unreadable("a mention", &"it has no message");
    Ok(Mention {
        conversation: conversation(row, first)?.ok_or_else(missing)?,
        message: message(row, first + 1)?.ok_or_else(missing)?,
        at: time(get(row, first + 2)?)?,
    })
}

/// Reads the id of a memory.
pub(super) fn memory_id(row: &Row, index: usize) -> Answer<MemoryId> {
    Ok(MemoryId::from_uuid(get::<Uuid>(row, index)?))
}

/// Reads the id of an entity.
pub(super) fn entity_id(raw: String) -> Answer<EntityId> {
    EntityId::new(raw).map_err(|e| unreadable("the id of an entity", &e))
}

/// Reads the id of a conversation.
pub(super) fn conversation_id(raw: String) -> Answer<ConversationId> {
    ConversationId::new(raw).map_err(|e| unreadable("a conversation id", &e))
}

/// Reads the id of a message.
pub(super) fn message_id(raw: String) -> Answer<MessageId> {
    MessageId::new(raw).map_err(|e| unreadable("a message id", &e))
}

fn stamp(row: &Row, first: usize) -> Answer<Stamp> {
    let source = get::<Option<&str>>(row, first + 4)?.map(Source::new).transpose();
    Ok(Stamp {
        at: time(get(row, first)?)?,
        actor: Actor::new(get(row, first + 1)?),
        conversation: conversation(row, first + 2)?,
        message: message(row, first + 3)?,
        source: source.map_err(|e| unreadable("the source of an event", &e))?,
    })
}

fn conversation(row: &Row, index: usize) -> Answer<Option<ConversationId>> {
    get::<Option<String>>(row, index)?
        .map(conversation_id)
        .transpose()
}

fn message(row: &Row, index: usize) -> Answer<Option<MessageId>> {
    get::<Option<String>>(row, index)?.map(message_id).transpose()
}

/// Reads one column.
pub(super) fn get<'a, T: FromSql<'a>>(row: &'a Row, index: usize) -> Answer<T> {
    Ok(row.try_get(index)?)
}

/// Reads a number that is never negative.
pub(super) fn large(row: &Row, index: usize) -> Answer<u64> {
    let number: i64 = get(row, index)?;
    u64::try_from(number).map_err(|e| unreadable("a number", &e))
}

/// Reads a number that is never negative and never large.
pub(super) fn small(row: &Row, index: usize) -> Answer<u32> {
    let number: i64 = get(row, index)?;
    u32::try_from(number).map_err(|e| unreadable("a number", &e))
}

/// Reads a revision.
pub(super) fn revision(row: &Row, index: usize) -> Answer<Revision> {
    large(row, index).map(Revision)
}

/// Reads every row with `read`.
pub(super) fn each<T>(rows: &[Row], read: impl Fn(&Row) -> Answer<T>) -> Answer<Vec<T>> {
    rows.iter().map(read).collect()
}

/// Reads a time.
pub(super) fn time(microseconds: i64) -> Answer<Timestamp> {
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
