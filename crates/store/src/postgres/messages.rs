//! The messages of conversations, in their order.

use recalld_memory::change::{Revision, Subject};
use recalld_memory::conversation::{Message, MessageText, Role};
use recalld_memory::id::{ConversationId, MessageId, SpaceId};
use recalld_memory::ports::{ChangedMessages, MessagePage, StoreError};
use tokio_postgres::Row;

use super::error::DbResult;
use super::json;
use super::pipeline::ResultSets;
use super::queries::{read_revision, revision};
use super::rows::{self, each, get};
use super::statement::{Statement, limit, number};
use super::write::Write;
use crate::checksum;

impl Write<'_> {
    pub(super) fn put_message(self, message: &Message) -> Result<Statement, StoreError> {
        let metadata = message.metadata.as_ref().map(json::write).transpose()?;
        Ok(Statement::new(PUT)
            .with(self.space)
            .with(message.conversation.as_str())
            .with(message.id.as_str())
            .with(self.revision)
            .with(number(message.seq))
            .with(message.role.as_str())
            .with(message.content.as_str())
            .with(message.sender.as_deref())
            .with(message.at.as_microsecond())
            .with(metadata.as_deref())
            .with(checksum::message(self.space, message, metadata.as_deref())))
    }

    pub(super) fn erase_message(
        self,
        ordinal: i64,
        conversation: &ConversationId,
        id: &MessageId,
        statements: &mut Vec<Statement>,
    ) {
        statements.push(
            Statement::new("DELETE FROM recalld.messages WHERE space = $1 AND conversation = $2 AND id = $3")
                .with(self.space)
                .with(conversation.as_str())
                .with(id.as_str()),
        );
        let (kind, subject) = Subject::Message(conversation.clone(), id.clone()).parts();
        statements.push(self.forget_circumstances(ordinal, kind, &subject));
    }

    /// Does for all messages of a conversation what is done for one that is erased.
    pub(super) fn forget_circumstances_of_messages(
        self,
        ordinal: i64,
        conversation: &ConversationId,
    ) -> Statement {
        // The subjects of their events begin with the conversation's id and a line feed, and those
        // only.
        Statement::new(FORGET_CIRCUMSTANCES)
            .with(self.space)
            .with(format!("{conversation}\n").as_str())
            .with(format!("{conversation}\u{b}").as_str())
            .with(self.revision)
            .with(ordinal)
    }
}

/// Asks for the last messages of a page, the newest first.
pub(super) fn page(space: &SpaceId, conversation: &ConversationId, page: &MessagePage) -> Statement {
    let last = match page.before.map(i64::try_from) {
        Some(Ok(before)) => before - 1,
        None | Some(Err(_)) => i64::MAX,
    };
    Statement::new(PAGE)
        .with(space.as_str())
        .with(conversation.as_str())
        .with(last)
        .with(limit(page.limit))
}

/// Asks for one message.
pub(super) fn one(space: &SpaceId, conversation: &ConversationId, id: &MessageId) -> Statement {
    Statement::new(ONE)
        .with(space.as_str())
        .with(conversation.as_str())
        .with(id.as_str())
}

/// Asks for what was said and erased after `since`.
///
/// A conversation that was erased is named even when it has begun again: whoever follows has to
/// drop its former messages first, and finds all of the new ones here.
pub(super) fn changed_since(space: &SpaceId, since: Revision) -> Vec<Statement> {
    let after = |sql| Statement::new(sql).with(space.as_str()).with(number(since.0));
    vec![
        revision(space),
        after(CHANGED),
        after(ERASED),
        after(ERASED_CONVERSATIONS),
    ]
}

/// Reads what [`changed_since`] found.
pub(super) fn read_changed(found: &ResultSets, since: Revision) -> DbResult<ChangedMessages> {
    let revision = read_revision(&found[0])?;
    if revision <= since {
        return Ok(ChangedMessages {
            revision,
            ..ChangedMessages::default()
        });
    }
    Ok(ChangedMessages {
        revision,
        messages: each(&found[1], message)?,
        erased: each(&found[2], |row| {
            Ok((
                rows::conversation_id(get(row, 0)?)?,
                rows::message_id(get(row, 1)?)?,
            ))
        })?,
        erased_conversations: each(&found[3], |row| rows::conversation_id(get(row, 0)?))?,
    })
}

/// The columns that [`message`] reads, from the table or alias `m`.
macro_rules! columns {
    () => {
        "m.conversation, m.id, m.seq, m.role, m.content, m.sender, m.at, m.metadata, m.space, m.checksum"
    };
}

/// Reads a message from [`columns`].
pub(super) fn message(row: &Row) -> DbResult<Message> {
    let (role, content): (&str, String) = (get(row, 3)?, get(row, 4)?);
    let metadata = get::<Option<&str>>(row, 7)?;
    let message = Message {
        conversation: rows::conversation_id(get(row, 0)?)?,
        id: rows::message_id(get(row, 1)?)?,
        seq: rows::large(row, 2)?,
        role: Role::parse(role).ok_or_else(|| rows::unreadable("the role of a message", &role))?,
        content: MessageText::new(content).map_err(|e| rows::unreadable("the text of a message", &e))?,
        sender: get(row, 5)?,
        at: rows::time(get(row, 6)?)?,
        metadata: metadata
            .map(|text| json::read("the metadata of a message", text))
            .transpose()?,
    };
    let sum = checksum::message(get(row, 8)?, &message, metadata);
    checksum::verify("messages", &message.id, get(row, 9)?, sum)?;
    Ok(message)
}

const PUT: &str = "
    INSERT INTO recalld.messages
        (space, conversation, id, revision, seq, role, content, sender, at, metadata, checksum)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
    ON CONFLICT (space, conversation, id) DO UPDATE SET
        revision = excluded.revision, seq = excluded.seq, role = excluded.role, content = excluded.content,
        sender = excluded.sender, at = excluded.at, metadata = excluded.metadata,
        checksum = excluded.checksum";

const FORGET_CIRCUMSTANCES: &str = "
    UPDATE recalld.events SET conversation = NULL, message = NULL, source = NULL, checksum = NULL
    WHERE space = $1 AND kind = 'message' AND $2 <= subject AND subject < $3 AND (revision, ordinal) < ($4, $5)";

const PAGE: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM recalld.messages m WHERE m.space = $1 AND m.conversation = $2 AND m.seq <= $3
      ORDER BY m.seq DESC, m.id DESC LIMIT $4"
);

const ONE: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM recalld.messages m WHERE m.space = $1 AND m.conversation = $2 AND m.id = $3"
);

const CHANGED: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM recalld.messages m WHERE m.space = $1 AND m.revision > $2 ORDER BY m.conversation, m.seq, m.id"
);

// A line feed joins the two ids in the subject, and neither can hold one.
const ERASED: &str = r"
    WITH erased AS (
        SELECT DISTINCT split_part(subject, E'\n', 1) AS conversation, split_part(subject, E'\n', 2) AS id
        FROM recalld.events WHERE space = $1 AND revision > $2 AND verb = 'erase' AND kind = 'message')
    SELECT e.conversation, e.id FROM erased e
    WHERE NOT EXISTS (
        SELECT FROM recalld.messages m WHERE m.space = $1 AND m.conversation = e.conversation AND m.id = e.id)
    ORDER BY e.conversation, e.id";

const ERASED_CONVERSATIONS: &str = "
    SELECT DISTINCT subject FROM recalld.events
    WHERE space = $1 AND revision > $2 AND verb = 'erase' AND kind = 'conversation' ORDER BY subject";
