//! Rows and domain types: how one is written as the other. What cannot be read back is named, never
//! shown.

use std::fmt::Display;

use jiff::Timestamp;
use recalld_memory::change::{Act, Actor, Event, Revision, Stamp, Version};
use recalld_memory::id::{ConversationId, MemoryId, MessageId};
use recalld_memory::memory::{
    Category, Confidence, Content, Evidence, Key, Memory, Origin, Project, Retirement, Source, Standing, Tier,
};
use recalld_memory::ports::StoreError;
use recalld_memory::validity::Period;
use rusqlite::{Row, Statement};
use uuid::Uuid;

use super::error::{Failure, SqlResult};
use super::query::Places;
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

/// Where columns are in the rows of a statement. They are looked up by name, once for all rows.
macro_rules! places {
    ($(#[$doc:meta])* $name:ident { $($field:ident: $column:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(super) struct $name {
            $($field: usize),+
        }

        impl Places for $name {
            fn of(statement: &Statement<'_>) -> rusqlite::Result<$name> {
                Ok($name {
                    $($field: statement.column_index($column)?),+
                })
            }
        }
    };
}

pub(super) use {event_columns, memory_columns};

places! {
    /// Where the columns of a memory are.
    MemoryPlaces {
        id: "id",
        version: "version",
        key: "key",
        content: "content",
        category: "category",
        tier: "tier",
        confidence: "confidence",
        origin: "origin",
        trust: "trust",
        source: "source",
        conversation: "conversation",
        message: "message",
        learned_at: "learned_at",
        revised_at: "revised_at",
        expires_at: "expires_at",
        retired_at: "retired_at",
        retired_why: "retired_why",
        in_document: "in_document",
        amends: "amends",
        valid_from: "valid_from",
        valid_until: "valid_until",
        superseded_by: "superseded_by",
        project: "project",
        evidence: "evidence",
        space: "space",
        checksum: "checksum",
    }
}

places! {
    /// Where the columns of an event are.
    EventPlaces {
        revision: "event_revision",
        ordinal: "event_ordinal",
        verb: "event_verb",
        kind: "event_kind",
        subject: "event_subject",
        at: "event_at",
        actor: "event_actor",
        conversation: "event_conversation",
        message: "event_message",
        source: "event_source",
        space: "event_space",
        checksum: "event_checksum",
    }
}

/// Decodes a memory from [`memory_columns`].
pub(super) fn memory(row: &Row<'_>, at: &MemoryPlaces) -> SqlResult<Memory> {
    let id = memory_id(&row.get::<_, Vec<u8>>(at.id)?)?;
    let bad = |column: &str, error: &dyn Display| unreadable(&format!("{column} of memory {id}"), error);
    let optional = |index| row.get_ref(index).and_then(|value| Ok(value.as_str_or_null()?));
    let retired_at = row.get::<_, Option<i64>>(at.retired_at)?.map(time).transpose()?;
    let standing = match (retired_at, optional(at.retired_why)?) {
        (None, _) => Standing::Active,
        (Some(at), Some(why)) => Standing::Retired {
            at,
            why: Retirement::parse(why).ok_or_else(|| bad("retirement", &why))?,
        },
        (Some(_), None) => return Err(bad("retirement", &"it has no reason")),
    };
    let memory = Memory {
        id,
        key: optional(at.key)?
            .map(Key::new)
            .transpose()
            .map_err(|e| bad("key", &e))?,
        content: Content::new(text(row, at.content)?).map_err(|e| bad("content", &e))?,
        category: Category::new(text(row, at.category)?).map_err(|e| bad("category", &e))?,
        tier: Tier::parse(text(row, at.tier)?).map_err(|e| bad("tier", &e))?,
        confidence: Confidence::new(row.get(at.confidence)?).map_err(|e| bad("confidence", &e))?,
        origin: Origin::parse(text(row, at.origin)?).map_err(|e| bad("origin", &e))?,
        trust: Origin::parse(text(row, at.trust)?).map_err(|e| bad("trust", &e))?,
        source: optional(at.source)?
            .map(Source::new)
            .transpose()
            .map_err(|e| bad("source", &e))?,
        conversation: conversation(row, at.conversation)?,
        message: message(row, at.message)?,
        learned_at: time(row.get(at.learned_at)?)?,
        revised_at: time(row.get(at.revised_at)?)?,
        expires_at: row.get::<_, Option<i64>>(at.expires_at)?.map(time).transpose()?,
        standing,
        in_document: row.get(at.in_document)?,
        amends: row
            .get::<_, Option<Vec<u8>>>(at.amends)?
            .map(|id| memory_id(&id))
            .transpose()?,
        period: Period {
            from: row.get::<_, Option<i64>>(at.valid_from)?.map(time).transpose()?,
            until: row.get::<_, Option<i64>>(at.valid_until)?.map(time).transpose()?,
            superseded_by: row
                .get::<_, Option<Vec<u8>>>(at.superseded_by)?
                .map(|id| memory_id(&id))
                .transpose()?,
        },
        project: optional(at.project)?
            .map(Project::new)
            .transpose()
            .map_err(|e| bad("project", &e))?,
        evidence: optional(at.evidence)?
            .map_or_else(|| Ok(Vec::new()), Evidence::read)
            .map_err(|e| bad("evidence", &e))?,
        version: row.get(at.version)?,
    };
    let sum = checksum::memory(text(row, at.space)?, &memory);
    checksum::verify("memories", &id, row.get(at.checksum)?, sum)?;
    Ok(memory)
}

/// Decodes a version from [`memory_columns`] and [`event_columns`].
pub(super) fn version(row: &Row<'_>, at: &(MemoryPlaces, EventPlaces)) -> SqlResult<Version> {
    let event = event(row, &at.1)?;
    Ok(Version {
        act: Act::parse(&event.verb).ok_or_else(|| unreadable("act of a version", &event.verb))?,
        memory: memory(row, &at.0)?,
        stamp: event.stamp,
    })
}

/// Decodes an event from [`event_columns`].
pub(super) fn event(row: &Row<'_>, at: &EventPlaces) -> SqlResult<Event> {
    let kind: String = row.get(at.kind)?;
    let subject = subject_text(&kind, row.get(at.subject)?)?;
    let source: Option<String> = row.get(at.source)?;
    let source = source.as_deref().map(Source::new).transpose();
    let event = Event {
        revision: Revision(row.get(at.revision)?),
        ordinal: row.get(at.ordinal)?,
        verb: row.get(at.verb)?,
        subject: (kind, subject),
        stamp: Stamp {
            at: time(row.get(at.at)?)?,
            actor: Actor::new(text(row, at.actor)?),
            conversation: conversation(row, at.conversation)?,
            message: message(row, at.message)?,
            source: source.map_err(|e| unreadable("the source of an event", &e))?,
        },
    };
    let sum = checksum::event(text(row, at.space)?, &event);
    let id = (event.revision.0, event.ordinal);
    checksum::verify(
        "events",
        &format_args!("{}.{}", id.0, id.1),
        row.get(at.checksum)?,
        sum,
    )?;
    Ok(event)
}

/// Reads a column of text.
pub(super) fn text<'a>(row: &'a Row<'_>, index: usize) -> SqlResult<&'a str> {
    let text = row.get_ref(index)?.as_str();
    Ok(text.map_err(rusqlite::Error::from)?)
}

/// Reads the id of a memory.
pub(super) fn memory_id(bytes: &[u8]) -> SqlResult<MemoryId> {
    let uuid = Uuid::from_slice(bytes).map_err(|e| unreadable("the id of a memory", &e))?;
    Ok(MemoryId::from_uuid(uuid))
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
