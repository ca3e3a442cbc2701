//! Conversations, without their messages.

use recalld_memory::change::Revision;
use recalld_memory::conversation::Conversation;
use recalld_memory::id::{ConversationId, SpaceId};
use rusqlite::{Connection, Row, params};

use super::apply::RowWriter;
use super::error::SqlResult;
use super::query::collect;
use super::rows;
use crate::checksum;

impl RowWriter<'_> {
    pub(super) fn put_conversation(self, conversation: &Conversation) -> SqlResult<()> {
        self.connection.prepare_cached(PUT)?.execute(params![
            self.space,
            conversation.id.as_str(),
            self.revision,
            conversation.title,
            conversation.began_at.as_microsecond(),
            conversation.touched_at.as_microsecond(),
            conversation.last_seq,
            checksum::conversation(self.space, conversation),
        ])?;
        Ok(())
    }

    pub(super) fn erase_conversation(self, id: &ConversationId) -> SqlResult<()> {
        // Its messages go with it.
        self.connection
            .prepare_cached("DELETE FROM conversations WHERE space = ?1 AND id = ?2")?
            .execute(params![self.space, id.as_str()])?;
        self.redact_events("conversation", id.as_str().as_bytes())?;
        self.redact_events_of_messages(id)
    }
}

/// Reads the conversations that changed after `since`, in the order in which they began.
pub(super) fn changed(
    connection: &Connection,
    space: &SpaceId,
    since: Revision,
) -> SqlResult<Vec<Conversation>> {
    let after = params![space.as_str(), since.0];
    collect(connection, CHANGED, after, conversation)
}

/// Names the conversations that were erased after `since` and have not begun again.
pub(super) fn erased(
    connection: &Connection,
    space: &SpaceId,
    since: Revision,
) -> SqlResult<Vec<ConversationId>> {
    let after = params![space.as_str(), since.0];
    collect(connection, ERASED, after, |row| {
        rows::conversation_id(row.get(0)?)
    })
}

/// Reads a conversation from `id, title, began_at, touched_at, last_seq, space, checksum`.
fn conversation(row: &Row<'_>) -> SqlResult<Conversation> {
    let conversation = Conversation {
        id: rows::conversation_id(row.get(0)?)?,
        title: row.get(1)?,
        began_at: rows::time(row.get(2)?)?,
        touched_at: rows::time(row.get(3)?)?,
        last_seq: row.get(4)?,
    };
    let sum = checksum::conversation(rows::text(row, 5)?, &conversation);
    checksum::verify("conversations", &conversation.id, row.get(6)?, sum)?;
    Ok(conversation)
}

const PUT: &str = "
    INSERT INTO conversations (space, id, revision, title, began_at, touched_at, last_seq, checksum)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
    ON CONFLICT (space, id) DO UPDATE SET
        revision = excluded.revision, title = excluded.title, began_at = excluded.began_at,
        touched_at = excluded.touched_at, last_seq = excluded.last_seq, checksum = excluded.checksum";

const CHANGED: &str = "
    SELECT id, title, began_at, touched_at, last_seq, space, checksum FROM conversations
    WHERE space = ?1 AND revision > ?2 ORDER BY began_at, id";

const ERASED: &str = "
    SELECT DISTINCT CAST(e.subject AS TEXT) AS erased FROM events e INDEXED BY events_of_erasure
    WHERE e.space = ?1 AND e.revision > ?2 AND e.verb = 'erase' AND e.kind = 'conversation'
      AND NOT EXISTS (SELECT 1 FROM conversations c WHERE c.space = ?1 AND c.id = CAST(e.subject AS TEXT))
    ORDER BY erased";
