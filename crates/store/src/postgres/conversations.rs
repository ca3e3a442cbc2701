//! Conversations, without their messages.

use recalld_memory::change::Revision;
use recalld_memory::conversation::Conversation;
use recalld_memory::id::{ConversationId, SpaceId};
use tokio_postgres::Row;

use super::error::DbResult;
use super::rows::{self, get};
use super::statement::{Statement, number};
use super::write::Write;
use crate::checksum;

impl Write<'_> {
    pub(super) fn put_conversation(self, conversation: &Conversation) -> Statement {
        Statement::new(PUT)
            .with(self.space)
            .with(conversation.id.as_str())
            .with(self.revision)
            .with(conversation.title.as_deref())
            .with(conversation.began_at.as_microsecond())
            .with(conversation.touched_at.as_microsecond())
            .with(number(conversation.last_seq))
            .with(checksum::conversation(self.space, conversation))
    }

    pub(super) fn erase_conversation(
        self,
        ordinal: i64,
        id: &ConversationId,
        statements: &mut Vec<Statement>,
    ) {
        // Its messages go with it.
        statements.push(
            Statement::new("DELETE FROM recalld.conversations WHERE space = $1 AND id = $2")
                .with(self.space)
                .with(id.as_str()),
        );
        statements.push(self.forget_circumstances(ordinal, "conversation", id.as_str()));
        statements.push(self.forget_circumstances_of_messages(ordinal, id));
    }
}

/// Asks for the conversations that changed after `since`, in the order in which they began, and for
/// those that were erased and have not begun again.
pub(super) fn changed(space: &SpaceId, since: Revision) -> [Statement; 2] {
    [CHANGED, ERASED].map(|sql| Statement::new(sql).with(space.as_str()).with(number(since.0)))
}

/// Reads a conversation from `id, title, began_at, touched_at, last_seq, space, checksum`.
pub(super) fn conversation(row: &Row) -> DbResult<Conversation> {
    let conversation = Conversation {
        id: rows::conversation_id(get(row, 0)?)?,
        title: get(row, 1)?,
        began_at: rows::time(get(row, 2)?)?,
        touched_at: rows::time(get(row, 3)?)?,
        last_seq: rows::large(row, 4)?,
    };
    let sum = checksum::conversation(get(row, 5)?, &conversation);
    checksum::verify("conversations", &conversation.id, get(row, 6)?, sum)?;
    Ok(conversation)
}

const PUT: &str = "
    INSERT INTO recalld.conversations (space, id, revision, title, began_at, touched_at, last_seq, checksum)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
    ON CONFLICT (space, id) DO UPDATE SET
        revision = excluded.revision, title = excluded.title, began_at = excluded.began_at,
        touched_at = excluded.touched_at, last_seq = excluded.last_seq, checksum = excluded.checksum";

const CHANGED: &str = "
    SELECT id, title, began_at, touched_at, last_seq, space, checksum FROM recalld.conversations
    WHERE space = $1 AND revision > $2 ORDER BY began_at, id";

const ERASED: &str = "
    SELECT DISTINCT e.subject FROM recalld.events e
    WHERE e.space = $1 AND e.revision > $2 AND e.verb = 'erase' AND e.kind = 'conversation'
      AND NOT EXISTS (SELECT FROM recalld.conversations m WHERE m.space = $1 AND m.id = e.subject)
    ORDER BY e.subject";
