//! The messages of conversations, in their order.

use recalld_memory::change::{Revision, Subject};
use recalld_memory::conversation::{Message, MessageText, Role};
use recalld_memory::id::{ConversationId, MessageId, SpaceId};
use recalld_memory::ports::{ChangedMessages, MessagePage};
use rusqlite::{Connection, Row, params};

use super::apply::RowWriter;
use super::error::SqlResult;
use super::query::{collect, revision};
use super::rows::text;
use super::{json, rows};
use crate::checksum;

impl RowWriter<'_> {
    pub(super) fn put_message(self, message: &Message) -> SqlResult<()> {
        let metadata = message.metadata.as_ref().map(json::write).transpose()?;
        self.connection.prepare_cached(PUT)?.execute(params![
            self.space,
            message.conversation.as_str(),
            message.seq,
            message.id.as_str(),
            message.role.as_str(),
            message.content.as_str(),
            message.sender,
            message.at.as_microsecond(),
            metadata,
            checksum::message(self.space, message, metadata.as_deref()),
        ])?;
        Ok(())
    }

    pub(super) fn erase_message(self, conversation: &ConversationId, id: &MessageId) -> SqlResult<()> {
        self.connection
            .prepare_cached("DELETE FROM messages WHERE space = ?1 AND conversation = ?2 AND id = ?3")?
            .execute(params![self.space, conversation.as_str(), id.as_str()])?;
        let (kind, subject) = Subject::Message(conversation.clone(), id.clone()).parts();
        self.redact_events(kind, subject.as_bytes())
    }

    /// Does for all messages of a conversation what is done for one that is erased.
    pub(super) fn redact_events_of_messages(self, conversation: &ConversationId) -> SqlResult<()> {
        // The subjects of their events begin with the conversation's id and a line feed, and those
        // only.
        let from = format!("{conversation}\n").into_bytes();
        let until = format!("{conversation}\u{b}").into_bytes();
        self.connection.prepare_cached(REDACT_EVENTS)?.execute(params![
            self.space,
            from,
            until,
            self.revision,
            self.ordinal
        ])?;
        Ok(())
    }
}

/// Reads the last messages of a page, the oldest first.
pub(super) fn page(
    connection: &Connection,
    space: &SpaceId,
    conversation: &ConversationId,
    page: &MessagePage,
) -> SqlResult<Vec<Message>> {
    let limit = i64::try_from(page.limit).unwrap_or(i64::MAX);
    let last = match page.before.map(i64::try_from) {
        Some(Ok(before)) => before - 1,
        None | Some(Err(_)) => i64::MAX,
    };
    let asked = params![space.as_str(), conversation.as_str(), last, limit];
    let mut found = collect(connection, PAGE, asked, message)?;
    found.reverse();
    Ok(found)
}

/// Reads one message.
pub(super) fn one(
    connection: &Connection,
    space: &SpaceId,
    conversation: &ConversationId,
    id: &MessageId,
) -> SqlResult<Option<Message>> {
    let asked = params![space.as_str(), conversation.as_str(), id.as_str()];
    Ok(collect(connection, ONE, asked, message)?.pop())
}

/// Reads what was said and erased after `since`, all as of one moment.
///
/// A conversation that was erased is named even when it has begun again: whoever follows has to
/// drop its former messages first, and finds all of the new ones here.
pub(super) fn changed_since(
    connection: &Connection,
    space: &SpaceId,
    since: Revision,
) -> SqlResult<ChangedMessages> {
    let moment = connection.unchecked_transaction()?;
    let revision = revision(&moment, space)?;
    if revision <= since {
        return Ok(ChangedMessages {
            revision,
            ..ChangedMessages::default()
        });
    }
    let messages = match since {
        Revision(0) => ALL,
        _ => CHANGED,
    };
    let after = params![space.as_str(), since.0];
    Ok(ChangedMessages {
        revision,
        messages: collect(&moment, messages, after, message)?,
        erased: collect(&moment, ERASED, after, |row| {
            Ok((
                rows::conversation_id(row.get(0)?)?,
                rows::message_id(row.get(1)?)?,
            ))
        })?,
        erased_conversations: collect(&moment, ERASED_CONVERSATIONS, after, |row| {
            rows::conversation_id(row.get(0)?)
        })?,
    })
}

/// The columns that [`message`] reads, from the table or alias `m`.
macro_rules! columns {
    () => {
        "m.conversation, m.id, m.seq, m.role, m.content, m.sender, m.at, m.metadata, m.space, m.checksum"
    };
}

/// The conversation and id of a message, from the subject of an event, where a line feed joins
/// them.
macro_rules! parts_of_subject {
    () => {
        "CAST(substr(subject, 1, instr(subject, x'0a') - 1) AS TEXT) AS conversation,
         CAST(substr(subject, instr(subject, x'0a') + 1) AS TEXT) AS id"
    };
}

fn message(row: &Row<'_>) -> SqlResult<Message> {
    let role = text(row, 3)?;
    let metadata = row.get_ref(7)?.as_str_or_null().map_err(rusqlite::Error::from)?;
    let message = Message {
        conversation: rows::conversation_id(row.get(0)?)?,
        id: rows::message_id(row.get(1)?)?,
        seq: row.get(2)?,
        role: Role::parse(role).ok_or_else(|| rows::unreadable("the role of a message", &role))?,
        content: MessageText::new(row.get(4)?)
            .map_err(|e| rows::unreadable("the content of a message", &e))?,
        sender: row.get(5)?,
        at: rows::time(row.get(6)?)?,
        metadata: metadata
            .map(|text| json::read("the metadata of a message", text))
            .transpose()?,
    };
    let sum = checksum::message(text(row, 8)?, &message, metadata);
    checksum::verify("messages", &message.id, row.get(9)?, sum)?;
    Ok(message)
}

const PUT: &str = "
    INSERT INTO messages (space, conversation, seq, id, role, content, sender, at, metadata, checksum)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
    ON CONFLICT (space, conversation, id) DO UPDATE SET
        seq = excluded.seq, role = excluded.role, content = excluded.content, sender = excluded.sender,
        at = excluded.at, metadata = excluded.metadata, checksum = excluded.checksum";

const REDACT_EVENTS: &str = "
    UPDATE events INDEXED BY events_of_others
    SET conversation = NULL, message = NULL, source = NULL, checksum = NULL
    WHERE space = ?1 AND kind = 'message' AND kind <> 'memory' AND ?2 <= subject AND subject < ?3
      AND (revision, ordinal) < (?4, ?5)";

const PAGE: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM messages m WHERE m.space = ?1 AND m.conversation = ?2 AND m.seq <= ?3
      ORDER BY m.seq DESC, m.id DESC LIMIT ?4"
);

const ONE: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM messages m WHERE m.space = ?1 AND m.conversation = ?2 AND m.id = ?3"
);

const ALL: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM messages m WHERE m.space = ?1 AND ?2 = 0 ORDER BY m.conversation, m.seq, m.id"
);

// The cross join keeps SQLite from reading all messages of the space to look for them among the few
// that changed.
const CHANGED: &str = concat!(
    "WITH said AS (SELECT DISTINCT ",
    parts_of_subject!(),
    " FROM events WHERE space = ?1 AND revision > ?2 AND kind = 'message')
      SELECT ",
    columns!(),
    " FROM said s CROSS JOIN messages m ON m.space = ?1 AND m.conversation = s.conversation AND m.id = s.id
      ORDER BY m.conversation, m.seq, m.id"
);

const ERASED: &str = concat!(
    "WITH erased AS (SELECT DISTINCT ",
    parts_of_subject!(),
    " FROM events INDEXED BY events_of_erasure
      WHERE space = ?1 AND revision > ?2 AND verb = 'erase' AND kind = 'message')
      SELECT e.conversation, e.id FROM erased e
      WHERE NOT EXISTS (
          SELECT 1 FROM messages m WHERE m.space = ?1 AND m.conversation = e.conversation AND m.id = e.id)
      ORDER BY e.conversation, e.id"
);

const ERASED_CONVERSATIONS: &str = "
    SELECT DISTINCT CAST(subject AS TEXT) AS erased FROM events INDEXED BY events_of_erasure
    WHERE space = ?1 AND revision > ?2 AND verb = 'erase' AND kind = 'conversation'
    ORDER BY erased";
