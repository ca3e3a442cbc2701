//! Decodes rows by the names of their columns. An error names what cannot be decoded, and never
//! shows it.

use std::fmt::Display;

use jiff::Timestamp;
use recalld_memory::change::{Act, Actor, Event, Revision, Stamp, Version};
use recalld_memory::id::{ConversationId, MemoryId, MessageId};
use recalld_memory::memory::{
    Category, Confidence, Content, Evidence, Key, Memory, Origin, Project, Retirement, Source, Standing, Tier,
};
use recalld_memory::ports::StoreError;
use recalld_memory::validity::Period;
use tokio_postgres::Row;
use tokio_postgres::row::RowIndex;
use tokio_postgres::types::FromSql;
use uuid::Uuid;

use super::error::{DbResult, Failure};
use crate::checksum;

/// The columns of a memory, from the table or alias `m`.
macro_rules! memory_columns {
    () => {
        "m.id, m.version, m.key, m.content, m.category, m.tier, m.confidence, m.origin, m.trust, m.source, \
         m.conversation, m.message, m.learned_at, m.revised_at, m.expires_at, m.retired_at, m.retired_why, \
         m.in_document, m.amends, m.valid_from, m.valid_until, m.superseded_by, m.project, m.evidence, m.space, \
         m.checksum"
    };
}

/// The columns of an event, from the table or alias `e`.
macro_rules! event_columns {
    () => {
        "e.revision AS event_revision, e.ordinal AS event_ordinal, e.verb AS event_verb, e.kind AS event_kind, \
         e.subject AS event_subject, e.at AS event_at, e.actor AS event_actor, \
         e.conversation AS event_conversation, e.message AS event_message, e.source AS event_source, \
         e.space AS event_space, e.checksum AS event_checksum"
    };
}

/// The columns of a version: a memory with the event that made it.
macro_rules! version_columns {
    () => {
        concat!(memory_columns!(), ", ", event_columns!())
    };
}

pub(super) use {event_columns, memory_columns, version_columns};

/// Decodes a memory from [`memory_columns`].
pub(super) fn memory(row: &Row) -> DbResult<Memory> {
    let id = memory_id(row, "id")?;
    let bad = |column: &str, error: &dyn Display| unreadable(&format!("{column} of memory {id}"), error);
    let text = |column| get::<&str>(row, column);
    let optional = |column| get::<Option<&str>>(row, column);
    let retired_at = get::<Option<i64>>(row, "retired_at")?.map(time).transpose()?;
    let standing = match (retired_at, optional("retired_why")?) {
        (None, _) => Standing::Active,
        (Some(at), Some(why)) => Standing::Retired {
            at,
            why: Retirement::parse(why).ok_or_else(|| bad("retirement", &why))?,
        },
        (Some(_), None) => return Err(bad("retirement", &"it has no reason")),
    };
    let memory = Memory {
        id,
        key: optional("key")?
            .map(Key::new)
            .transpose()
            .map_err(|e| bad("key", &e))?,
        content: Content::new(text("content")?).map_err(|e| bad("content", &e))?,
        category: Category::new(text("category")?).map_err(|e| bad("category", &e))?,
        tier: Tier::parse(text("tier")?).map_err(|e| bad("tier", &e))?,
        confidence: Confidence::new(get(row, "confidence")?).map_err(|e| bad("confidence", &e))?,
        origin: Origin::parse(text("origin")?).map_err(|e| bad("origin", &e))?,
        trust: Origin::parse(text("trust")?).map_err(|e| bad("trust", &e))?,
        source: optional("source")?
            .map(Source::new)
            .transpose()
            .map_err(|e| bad("source", &e))?,
        conversation: conversation(row, "conversation")?,
        message: message(row, "message")?,
        learned_at: time(get(row, "learned_at")?)?,
        revised_at: time(get(row, "revised_at")?)?,
        expires_at: get::<Option<i64>>(row, "expires_at")?.map(time).transpose()?,
        standing,
        in_document: get(row, "in_document")?,
        amends: get::<Option<Uuid>>(row, "amends")?.map(MemoryId::from_uuid),
        period: Period {
            from: get::<Option<i64>>(row, "valid_from")?.map(time).transpose()?,
            until: get::<Option<i64>>(row, "valid_until")?.map(time).transpose()?,
            superseded_by: get::<Option<Uuid>>(row, "superseded_by")?.map(MemoryId::from_uuid),
        },
        project: optional("project")?
            .map(Project::new)
            .transpose()
            .map_err(|e| bad("project", &e))?,
        evidence: optional("evidence")?
            .map_or_else(|| Ok(Vec::new()), Evidence::read)
            .map_err(|e| bad("evidence", &e))?,
        version: small(row, "version")?,
    };
    let sum = checksum::memory(get(row, "space")?, &memory);
    checksum::verify("memories", &id, get(row, "checksum")?, sum)?;
    Ok(memory)
}

/// Decodes a version from [`version_columns`].
pub(super) fn version(row: &Row) -> DbResult<Version> {
    let event = event(row)?;
    Ok(Version {
        act: Act::parse(&event.verb).ok_or_else(|| unreadable("act of a version", &event.verb))?,
        memory: memory(row)?,
        stamp: event.stamp,
    })
}

/// Decodes an event from [`event_columns`].
pub(super) fn event(row: &Row) -> DbResult<Event> {
    let event = Event {
        revision: revision(row, "event_revision")?,
        ordinal: small(row, "event_ordinal")?,
        verb: get(row, "event_verb")?,
        subject: (get(row, "event_kind")?, get(row, "event_subject")?),
        stamp: stamp(row)?,
    };
    let sum = checksum::event(get(row, "event_space")?, &event);
    let id = (event.revision.0, event.ordinal);
    checksum::verify(
        "events",
        &format_args!("{}.{}", id.0, id.1),
        get(row, "event_checksum")?,
        sum,
    )?;
    Ok(event)
}

fn stamp(row: &Row) -> DbResult<Stamp> {
    let source = get::<Option<&str>>(row, "event_source")?
        .map(Source::new)
        .transpose();
    Ok(Stamp {
        at: time(get(row, "event_at")?)?,
        actor: Actor::new(get(row, "event_actor")?),
        conversation: conversation(row, "event_conversation")?,
        message: message(row, "event_message")?,
        source: source.map_err(|e| unreadable("the source of an event", &e))?,
    })
}

/// Decodes the id of a memory.
pub(super) fn memory_id(row: &Row, column: impl Column) -> DbResult<MemoryId> {
    Ok(MemoryId::from_uuid(get::<Uuid>(row, column)?))
}

/// Decodes the id of a conversation.
pub(super) fn conversation_id(raw: String) -> DbResult<ConversationId> {
    ConversationId::new(raw).map_err(|e| unreadable("a conversation id", &e))
}

/// Decodes the id of a message.
pub(super) fn message_id(raw: String) -> DbResult<MessageId> {
    MessageId::new(raw).map_err(|e| unreadable("a message id", &e))
}

fn conversation(row: &Row, column: &str) -> DbResult<Option<ConversationId>> {
    get::<Option<String>>(row, column)?
        .map(conversation_id)
        .transpose()
}

fn message(row: &Row, column: &str) -> DbResult<Option<MessageId>> {
    get::<Option<String>>(row, column)?.map(message_id).transpose()
}

/// The name of a column, or its position where the result has only one or two.
pub(super) trait Column: RowIndex + Display {}

impl Column for &str {}
impl Column for usize {}

/// Decodes one column.
pub(super) fn get<'a, T: FromSql<'a>>(row: &'a Row, column: impl Column) -> DbResult<T> {
    Ok(row.try_get(column)?)
}

/// Decodes a number that is never negative.
pub(super) fn large(row: &Row, column: impl Column) -> DbResult<u64> {
    let number: i64 = get(row, column)?;
    u64::try_from(number).map_err(|e| unreadable("a number", &e))
}

/// Decodes a number that is never negative and never large.
pub(super) fn small(row: &Row, column: impl Column) -> DbResult<u32> {
    let number: i64 = get(row, column)?;
    u32::try_from(number).map_err(|e| unreadable("a number", &e))
}

/// Decodes a revision.
pub(super) fn revision(row: &Row, column: impl Column) -> DbResult<Revision> {
    large(row, column).map(Revision)
}

/// Decodes every row with `read`.
pub(super) fn each<T>(rows: &[Row], read: impl Fn(&Row) -> DbResult<T>) -> DbResult<Vec<T>> {
    rows.iter().map(read).collect()
}

/// Decodes a time.
pub(super) fn time(microseconds: i64) -> DbResult<Timestamp> {
    // Not `from_microsecond`: it refuses the last second of time, which can be written.
    let seconds = microseconds.div_euclid(1_000_000);
    let nanoseconds = microseconds.rem_euclid(1_000_000) * 1000;
    let nanoseconds = i32::try_from(nanoseconds).expect("less than a second");
    Timestamp::new(seconds, nanoseconds).map_err(|e| unreadable("a time", &e))
}

/// Returns the error for a value that cannot be decoded.
pub(super) fn unreadable(what: &str, error: &dyn Display) -> Failure {
    Failure::Store(StoreError::Corrupt {
        what: format!("{what}: {error}"),
    })
}
