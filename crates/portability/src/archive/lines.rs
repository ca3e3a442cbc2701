//! Entities, records, conversations, messages, documents and events as lines of an archive.

use jiff::Timestamp;
use recalld_memory::change::{Actor, Event, Stamp};
use recalld_memory::conversation::{Conversation, Message, MessageText, Role};
use recalld_memory::id::{ConversationId, DocumentId, MessageId};
use recalld_memory::knowledge::{Chunk, KnowledgeDocument};
use recalld_memory::memory::Source;
use recalld_memory::record::{Record, RecordKind};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What is wrong with a line.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Invalid(pub(super) String);

pub(super) fn invalid(error: impl std::fmt::Display) -> Invalid {
    Invalid(error.to_string())
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StampLine {
    at: Timestamp,
    actor: String,
    conversation: Option<String>,
    message: Option<String>,
    source: Option<String>,
}

impl From<&Stamp> for StampLine {
    fn from(stamp: &Stamp) -> StampLine {
        StampLine {
            at: stamp.at,
            actor: stamp.actor.as_str().to_owned(),
            conversation: stamp.conversation.as_ref().map(ToString::to_string),
            message: stamp.message.as_ref().map(ToString::to_string),
            source: stamp.source.as_ref().map(ToString::to_string),
        }
    }
}

impl TryFrom<StampLine> for Stamp {
    type Error = Invalid;

    fn try_from(line: StampLine) -> Result<Stamp, Invalid> {
        let source = line.source.as_deref().map(Source::new).transpose();
        Ok(Stamp {
            at: line.at,
            actor: Actor::new(&line.actor),
            conversation: line
                .conversation
                .map(ConversationId::new)
                .transpose()
                .map_err(invalid)?,
            message: line.message.map(MessageId::new).transpose().map_err(invalid)?,
            source: source.map_err(invalid)?,
        })
    }
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RecordLine {
    kind: String,
    name: String,
    version: u32,
    written_at: Timestamp,
    value: Value,
}

impl From<&Record> for RecordLine {
    fn from(record: &Record) -> RecordLine {
        RecordLine {
            kind: record.kind.as_str().to_owned(),
            name: record.name.clone(),
            version: record.version,
            written_at: record.written_at,
            value: record.value.clone(),
        }
    }
}

/// The most bytes of a record's name: those of an id, and what may stand before it.
const NAME_BYTES_MAX: usize = 512;

impl TryFrom<RecordLine> for Record {
    type Error = Invalid;

    fn try_from(line: RecordLine) -> Result<Record, Invalid> {
        let kind = RecordKind::parse(&line.kind).filter(|kind| kind.is_portable());
        let name_fits = !line.name.is_empty()
            && line.name.len() <= NAME_BYTES_MAX
            && !line.name.contains(|c: char| c.is_control());
        if !name_fits {
            return Err(Invalid("the name of the record is not acceptable".to_owned()));
        }
        let limit = kind.map_or(0, super::limits::value_bytes_max);
        if kind.is_some() && limit < line.value.to_string().len() {
            return Err(Invalid(format!("the value is over {limit} bytes")));
        }
        Ok(Record {
            kind: kind.ok_or_else(|| Invalid("there is no such kind of record".to_owned()))?,
            name: line.name,
            value: line.value,
            version: line.version,
            written_at: line.written_at,
        })
    }
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ConversationLine {
    id: String,
    title: Option<String>,
    began_at: Timestamp,
    touched_at: Timestamp,
    last_seq: u64,
}

impl From<&Conversation> for ConversationLine {
    fn from(conversation: &Conversation) -> ConversationLine {
        ConversationLine {
            id: conversation.id.to_string(),
            title: conversation.title.clone(),
            began_at: conversation.began_at,
            touched_at: conversation.touched_at,
            last_seq: conversation.last_seq,
        }
    }
}

/// The highest number of a message: what every store and JSON can count.
const SEQ_MAX: u64 = 1 << 53;

/// A title or a sender's name: no NUL, which no store keeps, and not without end.
fn short_text(what: &str, text: Option<String>) -> Result<Option<String>, Invalid> {
    const BYTES_MAX: usize = 4096;
    match &text {
        Some(given) if BYTES_MAX < given.len() || given.contains('\0') => {
            Err(Invalid(format!("the {what} is not acceptable")))
        }
        _ => Ok(text),
    }
}

impl TryFrom<ConversationLine> for Conversation {
    type Error = Invalid;

    fn try_from(line: ConversationLine) -> Result<Conversation, Invalid> {
        if SEQ_MAX < line.last_seq {
            return Err(Invalid("last_seq is too high".to_owned()));
        }
        Ok(Conversation {
            id: ConversationId::new(line.id).map_err(invalid)?,
            title: short_text("title", line.title)?,
            began_at: line.began_at,
            touched_at: line.touched_at,
            last_seq: line.last_seq,
        })
    }
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MessageLine {
    conversation: String,
    id: String,
    seq: u64,
    role: String,
    content: String,
    sender: Option<String>,
    at: Timestamp,
    metadata: Option<Value>,
}

impl From<&Message> for MessageLine {
    fn from(message: &Message) -> MessageLine {
        MessageLine {
            conversation: message.conversation.to_string(),
            id: message.id.to_string(),
            seq: message.seq,
            role: message.role.as_str().to_owned(),
            content: message.content.as_str().to_owned(),
            sender: message.sender.clone(),
            at: message.at,
            metadata: message.metadata.clone(),
        }
    }
}

impl TryFrom<MessageLine> for Message {
    type Error = Invalid;

    fn try_from(line: MessageLine) -> Result<Message, Invalid> {
        if SEQ_MAX < line.seq {
            return Err(Invalid("seq is too high".to_owned()));
        }
        let role = Role::parse(&line.role).ok_or_else(|| Invalid("there is no such role".to_owned()));
        Ok(Message {
            conversation: ConversationId::new(line.conversation).map_err(invalid)?,
            id: MessageId::new(line.id).map_err(invalid)?,
            seq: line.seq,
            role: role?,
            content: MessageText::new(line.content).map_err(invalid)?,
            sender: short_text("sender", line.sender)?,
            at: line.at,
            metadata: line.metadata,
        })
    }
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DocumentLine {
    id: String,
    source: String,
    title: Option<String>,
    digest: String,
    added_at: Timestamp,
    revised_at: Timestamp,
    chunks: Vec<ChunkLine>,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct ChunkLine {
    heading: Option<String>,
    content: String,
}

impl From<&(KnowledgeDocument, Vec<Chunk>)> for DocumentLine {
    fn from((document, chunks): &(KnowledgeDocument, Vec<Chunk>)) -> DocumentLine {
        let chunk = |chunk: &Chunk| ChunkLine {
            heading: chunk.heading.clone(),
            content: chunk.content.clone(),
        };
        DocumentLine {
            id: document.id.to_string(),
            source: document.source.clone(),
            title: document.title.clone(),
            digest: document.digest.clone(),
            added_at: document.added_at,
            revised_at: document.revised_at,
            chunks: chunks.iter().map(chunk).collect(),
        }
    }
}

impl TryFrom<DocumentLine> for (KnowledgeDocument, Vec<Chunk>) {
    type Error = Invalid;

    fn try_from(line: DocumentLine) -> Result<(KnowledgeDocument, Vec<Chunk>), Invalid> {
        let id = DocumentId::new(line.id).map_err(invalid)?;
        let chunk = |(chunk, ordinal): (ChunkLine, u32)| -> Result<Chunk, Invalid> {
            let content = MessageText::new(chunk.content).map_err(invalid)?;
            Ok(Chunk {
                document: id.clone(),
                ordinal,
                heading: short_text("heading", chunk.heading)?,
                content: content.as_str().to_owned(),
            })
        };
        let chunks: Vec<Chunk> = line
            .chunks
            .into_iter()
            .zip(0..)
            .map(chunk)
            .collect::<Result<_, _>>()?;
        let document = KnowledgeDocument {
            source: short_text("source", Some(line.source))?.unwrap_or_default(),
            title: short_text("title", line.title)?,
            digest: short_text("digest", Some(line.digest))?.unwrap_or_default(),
            chunks: chunks.len() as u32,
            added_at: line.added_at,
            revised_at: line.revised_at,
            id,
        };
        Ok((document, chunks))
    }
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EventLine {
    verb: String,
    kind: String,
    id: String,
    by: StampLine,
}

/// An event of an archive: its place in the log is all that tells when it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchivedEvent {
    pub verb: String,
    pub kind: String,
    pub id: String,
    pub stamp: Stamp,
}

impl From<&Event> for EventLine {
    fn from(event: &Event) -> EventLine {
        EventLine {
            verb: event.verb.clone(),
            kind: event.subject.0.clone(),
            id: event.subject.1.clone(),
            by: (&event.stamp).into(),
        }
    }
}

impl TryFrom<EventLine> for ArchivedEvent {
    type Error = Invalid;

    fn try_from(line: EventLine) -> Result<ArchivedEvent, Invalid> {
        Ok(ArchivedEvent {
            verb: line.verb,
            kind: line.kind,
            id: line.id,
            stamp: line.by.try_into()?,
        })
    }
}
