//! Keeps conversations and their items.

use recalld_memory::change::Effect;
use recalld_memory::id::ConversationId;
use recalld_memory::items::{self, Item, ItemChange, Items, NewItem};
use recalld_memory::memory::Origin;
use recalld_memory::record::{CONVERSATIONS, Record};
use recalld_memory::scope::Scope;
use recalld_memory::screening::secrets;
use recalld_memory::space::{Decision, SpaceView};
use recalld_memory::wiring::Ports;
use recalld_memory::{conversation_items, conversations};
use serde_json::{Map, Value, json};

use super::item;
use crate::error::ApiError;

/// Keeps metadata with a conversation.
pub(super) async fn keep(
    ports: &Ports,
    scope: &Scope,
    id: &ConversationId,
    metadata: Map<String, Value>,
) -> Result<Item, ApiError> {
    let name = id.as_str().to_owned();
    let new = NewItem {
        path: json!(name),
        value: json!({ "metadata": metadata }),
        text: None,
        rests_on: None,
        version: None,
        ttl_s: None,
        origin: Origin::Assistant,
        source: None,
    };
    let put = ItemChange::put(name.clone(), new);
    items::update(ports, scope, CONVERSATIONS, move |_: Items<'_>| {
        (vec![put.clone()], ())
    })
    .await?;
    known(ports, scope, &name).await.map(|(_, item)| item)
}

/// Finds a conversation of this door.
pub(in super::super) async fn known(
    ports: &Ports,
    scope: &Scope,
    id: &str,
) -> Result<(ConversationId, Item), ApiError> {
    let missing = || ApiError::not_found("conversation");
    let conversation = ConversationId::new(id).map_err(|_| missing())?;
    let item = items::read(ports, scope, CONVERSATIONS, |items| items.get(id)).await?;
    Ok((conversation, item.ok_or_else(missing)?))
}

/// Appends items, all or none, and gives them as they are stored.
pub(super) async fn append(
    ports: &Ports,
    scope: &Scope,
    conversation: &ConversationId,
    given: Vec<Value>,
) -> Result<Vec<Value>, ApiError> {
    let mut stored = Vec::new();
    for item in given {
        let mut item = item::normal(item, || scope.fresh_name(&*ports.ids))?;
        secrets::redact_json(&mut item);
        stored.push(item);
    }
    if stored.is_empty() {
        return Ok(stored);
    }
    let messages: Vec<_> = stored.iter().filter_map(item::message).collect();
    let put = |(place, item): (usize, &Value)| {
        let id = item["id"].as_str().unwrap_or_default();
        conversation_items::put(scope, conversation, place, id, item.clone())
    };
    let effects: Vec<Effect> = stored.iter().enumerate().map(put).collect();
    match messages.is_empty() {
        true => write(ports, scope, effects).await?,
        false => {
            let follows = move |_: &[_]| effects.clone();
            conversations::append_with(ports, scope, conversation.clone(), messages, follows).await?;
        }
    }
    Ok(stored)
}

pub(super) async fn write(ports: &Ports, scope: &Scope, effects: Vec<Effect>) -> Result<(), ApiError> {
    let decided_for = scope.clone();
    let decide = move |_: &SpaceView| Decision {
        changes: effects
            .iter()
            .map(|effect| decided_for.change(None, effect.clone()))
            .collect(),
        outcome: (),
    };
    Ok(ports.spaces.write(scope.space(), decide).await?)
}

/// Reads the items of a conversation, the oldest first.
pub(in super::super) async fn stored(
    ports: &Ports,
    scope: &Scope,
    conversation: &ConversationId,
) -> Result<Vec<Record>, ApiError> {
    Ok(conversation_items::all(ports, scope, conversation).await?)
}
