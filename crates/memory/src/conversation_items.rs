//! Items of conversations: what programs said and did there, exactly as they gave it, beside the
//! messages that are made of it.

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::change::Effect;
use crate::id::{ConversationId, MessageId};
use crate::ports::StoreError;
use crate::record::{Record, RecordKind};
use crate::scope::Scope;
use crate::wiring::Ports;

/// How many records are read at a time.
const PAGE: usize = 500;

/// How the names of the items of a conversation begin.
fn prefix(conversation: &ConversationId) -> String {
    let digest = Sha256::digest(conversation.as_str());
    let hash: String = digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    format!("{hash}/")
}

/// Stores an item as the `place`th of this request. Names are in the order in which items came.
pub fn put(scope: &Scope, conversation: &ConversationId, place: usize, id: &str, item: Value) -> Effect {
    let digest = Sha256::digest(id);
    let tail: String = digest.iter().take(4).map(|byte| format!("{byte:02x}")).collect();
    let micros = scope.now.as_microsecond().max(0);
    Effect::Record(Record {
        kind: RecordKind::ConversationItem,
        name: format!("{}{micros:016x}{place:04x}{tail}", prefix(conversation)),
        value: item,
        version: 1,
        written_at: scope.now,
    })
}

/// Reads all items of a conversation, the oldest first.
pub async fn all(
    ports: &Ports,
    scope: &Scope,
    conversation: &ConversationId,
) -> Result<Vec<Record>, StoreError> {
    let prefix = prefix(conversation);
    let mut found: Vec<Record> = Vec::new();
    loop {
        let after = found.last().map_or(prefix.as_str(), |last| last.name.as_str());
        let page = ports
            .store
            .records(scope.space(), RecordKind::ConversationItem, Some(after), PAGE)
            .await?;
        let of_it = page
            .into_iter()
            .take_while(|record| record.name.starts_with(&prefix));
        let before = found.len();
        found.extend(of_it);
        if found.len() < before + PAGE {
            return Ok(found);
        }
    }
}

/// Removes an item.
pub fn erase(record: &Record) -> Effect {
    Effect::EraseRecord {
        kind: RecordKind::ConversationItem,
        name: record.name.clone(),
    }
}

/// Gives what removes the items of a conversation that is erased, or the one of a message.
pub(crate) async fn erased_with(
    ports: &Ports,
    scope: &Scope,
    conversation: &ConversationId,
    message: Option<&MessageId>,
) -> Result<Vec<Effect>, StoreError> {
    let mut items = all(ports, scope, conversation).await?;
    if let Some(message) = message {
        items.retain(|record| record.value["id"] == message.as_str());
    }
    Ok(items.iter().map(erase).collect())
}
