//! Checksums of what rows hold, the same in both databases. They are written with a row and
//! compared when it is read, so that a damaged row is an error and never an answer.
//!
//! Each function takes its type apart field by field, so that a new field cannot be forgotten. A
//! field that is added later must leave the sums of rows without it as they are: add it only where
//! it is set.

mod memory;
mod sum;
#[cfg(test)]
mod tests;

use std::fmt::Display;

use recalld_memory::change::{Event, Stamp};
use recalld_memory::conversation::{Conversation, Message};
use recalld_memory::entity::{Entity, Mention};
use recalld_memory::id::EntityId;
use recalld_memory::knowledge::{Chunk, KnowledgeDocument};
use recalld_memory::memory::Origin;
use recalld_memory::ports::StoreError;
use recalld_memory::record::Record;
use recalld_memory::vector::{Vector, VectorSubject};

pub(crate) use memory::memory;
use sum::Sum;

/// Fails when the checksum that was stored with a row is another than that of what was read. Rows
/// of earlier versions of recalld have none.
pub(crate) fn verify(
    table: &'static str,
    id: &dyn Display,
    stored: Option<i64>,
    computed: i64,
) -> Result<(), StoreError> {
    match stored {
        Some(stored) if stored != computed => Err(StoreError::Damaged {
            table,
            id: id.to_string(),
        }),
        _ => Ok(()),
    }
}

/// Tells whether a derived row is what was written; logs when it is not.
pub(crate) fn is_sound(table: &'static str, stored: Option<i64>, computed: i64) -> bool {
    let is_sound = stored.is_none_or(|stored| stored == computed);
    if !is_sound {
        tracing::warn!(table, "skipping a damaged row; it will be recreated");
    }
    is_sound
}

/// Sums up an event of the audit log.
pub(crate) fn event(space: &str, event: &Event) -> i64 {
    let Event {
        revision,
        ordinal,
        verb,
        subject: (kind, subject),
        stamp,
    } = event;
    let Stamp {
        at,
        actor,
        conversation,
        message,
        source,
    } = stamp;
    Sum::of(space)
        .number(revision.0)
        .number(u64::from(*ordinal))
        .text(verb)
        .text(kind)
        .text(subject)
        .time(*at)
        .text(actor.as_str())
        .optional(conversation.as_ref().map(|id| id.as_str()))
        .optional(message.as_ref().map(|id| id.as_str()))
        .optional(source.as_ref().map(|source| source.as_str()))
        .finish()
}

/// Sums up an entity without its mentions, which have rows of their own.
pub(crate) fn entity(space: &str, entity: &Entity) -> i64 {
    let Entity {
        id,
        kind,
        name,
        notes,
        added_at,
        revised_at,
        retired,
        in_document,
        trust,
        mentions: _,
    } = entity;
    let sum = Sum::of(space)
        .text(id.as_str())
        .text(kind.as_str())
        .text(name.as_str())
        .optional(notes.as_ref().map(|notes| notes.as_str()))
        .time(*added_at)
        .time(*revised_at)
        .number(u64::from(*retired))
        .number(u64::from(*in_document));
    match trust {
        // Rows that were written before entities had an origin count as noted by an agent.
        Origin::Assistant => sum.finish(),
        trust => sum.text(trust.as_str()).finish(),
    }
}

/// Sums up a mention of an entity.
pub(crate) fn mention(space: &str, entity: &EntityId, mention: &Mention) -> i64 {
    let Mention {
        conversation,
        message,
        at,
    } = mention;
    Sum::of(space)
        .text(entity.as_str())
        .text(conversation.as_str())
        .text(message.as_str())
        .time(*at)
        .finish()
}

/// Sums up a record whose value is stored as `text`.
pub(crate) fn record(space: &str, record: &Record, text: &str) -> i64 {
    let Record {
        kind,
        name,
        value: _,
        version,
        written_at,
    } = record;
    Sum::of(space)
        .text(kind.as_str())
        .text(name)
        .text(text)
        .number(u64::from(*version))
        .time(*written_at)
        .finish()
}

/// Sums up a conversation.
pub(crate) fn conversation(space: &str, conversation: &Conversation) -> i64 {
    let Conversation {
        id,
        title,
        began_at,
        touched_at,
        last_seq,
    } = conversation;
    Sum::of(space)
        .text(id.as_str())
        .optional(title.as_deref())
        .time(*began_at)
        .time(*touched_at)
        .number(*last_seq)
        .finish()
}

/// Sums up a message whose metadata are stored as `metadata_text`.
pub(crate) fn message(space: &str, message: &Message, metadata_text: Option<&str>) -> i64 {
    let Message {
        conversation,
        id,
        seq,
        role,
        content,
        sender,
        at,
        metadata: _,
    } = message;
    Sum::of(space)
        .text(conversation.as_str())
        .text(id.as_str())
        .number(*seq)
        .text(role.as_str())
        .text(content.as_str())
        .optional(sender.as_deref())
        .time(*at)
        .optional(metadata_text)
        .finish()
}

/// Sums up a document without its chunks, which have rows of their own.
pub(crate) fn document(space: &str, document: &KnowledgeDocument) -> i64 {
    let KnowledgeDocument {
        id,
        source,
        title,
        digest,
        chunks,
        added_at,
        revised_at,
    } = document;
    Sum::of(space)
        .text(id.as_str())
        .text(source)
        .optional(title.as_deref())
        .text(digest)
        .number(u64::from(*chunks))
        .time(*added_at)
        .time(*revised_at)
        .finish()
}

/// Sums up a chunk of a document.
pub(crate) fn chunk(space: &str, chunk: &Chunk) -> i64 {
    let Chunk {
        document,
        ordinal,
        heading,
        content,
    } = chunk;
    Sum::of(space)
        .text(document.as_str())
        .number(u64::from(*ordinal))
        .optional(heading.as_deref())
        .text(content)
        .finish()
}

/// Sums up a vector.
pub(crate) fn vector(space: &str, vector: &Vector) -> i64 {
    let Vector {
        subject,
        model,
        text_digest,
        components,
    } = vector;
    let sum = Sum::of(space)
        .text(&model.name)
        .number(model.dimension as u64)
        .bytes(text_digest);
    let sum = match subject {
        VectorSubject::Memory(id) => sum.bytes(id.as_uuid().as_bytes()),
        VectorSubject::Chunk(document, ordinal) => sum.text(document.as_str()).number(u64::from(*ordinal)),
        VectorSubject::Message(conversation, message) => {
            sum.text(conversation.as_str()).text(message.as_str())
        }
    };
    let components: Vec<u8> = components.iter().flat_map(|c| c.to_le_bytes()).collect();
    sum.bytes(&components).finish()
}
