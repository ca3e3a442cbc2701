//! The task to bring the summary of a conversation up to date.

use jiff::Timestamp;
use recalld_memory::change::Effect;
use recalld_memory::id::{ConversationId, SpaceId};
use recalld_memory::ports::{Store, StoreError};
use recalld_memory::record::{Record, RecordKind};
use serde_json::json;

/// The prefix of the names of these records.
const PREFIX: &str = "summarise:";

/// The most tasks that are read at once.
const TASKS_MAX: usize = 32;

/// Stores the task. There is one a conversation.
pub fn task(conversation: &ConversationId, now: Timestamp) -> Effect {
    Effect::Record(Record {
        kind: RecordKind::Task,
        name: name(conversation),
        value: json!({ "conversation": conversation.as_str() }),
        version: 1,
        written_at: now,
    })
}

/// Removes the task.
pub(super) fn done(conversation: &ConversationId) -> Effect {
    Effect::EraseRecord {
        kind: RecordKind::Task,
        name: name(conversation),
    }
}

/// Reads for which conversations there is a task, however many other tasks there are.
pub async fn pending(store: &dyn Store, space: &SpaceId) -> Result<Vec<ConversationId>, StoreError> {
    let records = store
        .records(space, RecordKind::Task, Some(PREFIX), TASKS_MAX)
        .await?;
    let names = records
        .iter()
        .map_while(|record| record.name.strip_prefix(PREFIX));
    Ok(names.filter_map(|name| ConversationId::new(name).ok()).collect())
}

fn name(conversation: &ConversationId) -> String {
    format!("{PREFIX}{conversation}")
}
