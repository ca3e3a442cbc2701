//! `/openai/v1/conversations`: conversations and their items, for OpenAI's clients and the sessions
//! of its Agents SDK.
//!
//! An item comes back as it was given. What is a message is also a message of recalld's own
//! conversation, so that search finds it. Secrets are redacted in both.

pub(super) mod item;
mod store;

use axum::Router;
use axum::extract::State;
use axum::routing::{get, post};
use recalld_memory::conversation_items;
use recalld_memory::conversations::{self, Derived};
use recalld_memory::id::{ConversationId, MessageId};
use recalld_memory::items::Item;
use recalld_memory::record::Record;
use recalld_memory::scope::Scope;
use recalld_memory::wiring::Ports;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::super::json_body::{Fields, invalid};
use crate::app::App;
use crate::auth::Caller;
use crate::error::ApiError;
use crate::extract::{Path, Query};

use store::{append, keep, write};
pub(super) use store::{known, stored};

pub(super) fn router() -> Router<App> {
    Router::new()
        .route("/v1/conversations", post(create))
        .route("/v1/conversations/{id}", get(read).post(update).delete(remove))
        .route("/v1/conversations/{id}/items", post(add_items).get(list_items))
        .route(
            "/v1/conversations/{id}/items/{item}",
            get(read_item).delete(remove_item),
        )
}

/// The most items of one request.
const ITEMS_MAX: usize = 20;

fn shown(id: &str, item: &Item) -> Value {
    json!({
        "id": id, "object": "conversation", "created_at": item.created_at.as_second(),
        "metadata": item.value["metadata"],
    })
}

/// Reads metadata: at most 16 texts.
fn metadata(given: Option<Map<String, Value>>) -> Result<Map<String, Value>, ApiError> {
    let given = given.unwrap_or_default();
    let fits = |(name, value): (&String, &Value)| {
        name.len() <= 64 && value.as_str().is_some_and(|text| text.chars().count() <= 512)
    };
    match given.len() <= 16 && given.iter().all(fits) {
        true => Ok(given),
        false => Err(invalid(
            "metadata must be at most 16 strings of at most 512 characters",
        )),
    }
}

/// Creates a conversation, with items if there are any.
async fn create(
    State(ports): State<Ports>,
    caller: Caller,
    mut body: Fields,
) -> Result<axum::Json<Value>, ApiError> {
    let scope = caller.scope()?;
    let metadata = metadata(body.object("metadata")?)?;
    let given = given_items(&mut body)?;
    let fresh = scope.fresh_name(&*ports.ids).replace('-', "");
    let id = ConversationId::new(format!("conv_{fresh}")).map_err(|error| invalid(error.to_string()))?;
    let item = keep(&ports, &scope, &id, metadata).await?;
    conversations::open(&ports, &scope, id.clone(), None).await?;
    append(&ports, &scope, &id, given).await?;
    Ok(axum::Json(shown(id.as_str(), &item)))
}

async fn read(
    State(ports): State<Ports>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<axum::Json<Value>, ApiError> {
    let (_, item) = known(&ports, &caller.scope()?, &id).await?;
    Ok(axum::Json(shown(&id, &item)))
}

/// Replaces the metadata.
async fn update(
    State(ports): State<Ports>,
    caller: Caller,
    Path(id): Path<String>,
    mut body: Fields,
) -> Result<axum::Json<Value>, ApiError> {
    let scope = caller.scope()?;
    let metadata = metadata(body.object("metadata")?)?;
    let (conversation, _) = known(&ports, &scope, &id).await?;
    let item = keep(&ports, &scope, &conversation, metadata).await?;
    Ok(axum::Json(shown(&id, &item)))
}

/// Removes a conversation with its items and messages, for good. What was learned from it stays.
async fn remove(
    State(ports): State<Ports>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<axum::Json<Value>, ApiError> {
    let scope = caller.scope()?;
    let (conversation, _) = known(&ports, &scope, &id).await?;
    conversations::erase(&ports, &scope, conversation, Derived::Keep).await?;
    Ok(axum::Json(
        json!({ "id": id, "object": "conversation.deleted", "deleted": true }),
    ))
}

fn given_items(body: &mut Fields) -> Result<Vec<Value>, ApiError> {
    match body.take("items") {
        None => Ok(Vec::new()),
        Some(Value::Array(items)) if items.len() <= ITEMS_MAX => Ok(items),
        Some(_) => Err(invalid(format!(
            "items must be a list of at most {ITEMS_MAX} items"
        ))),
    }
}

/// Adds items.
async fn add_items(
    State(ports): State<Ports>,
    caller: Caller,
    Path(id): Path<String>,
    mut body: Fields,
) -> Result<axum::Json<Value>, ApiError> {
    let scope = caller.scope()?;
    let given = given_items(&mut body)?;
    let (conversation, _) = known(&ports, &scope, &id).await?;
    let stored = append(&ports, &scope, &conversation, given).await?;
    Ok(axum::Json(page_of(stored, false)))
}

fn page_of(items: Vec<Value>, has_more: bool) -> Value {
    let id = |item: Option<&Value>| item.map_or(Value::Null, |item| item["id"].clone());
    json!({
        "object": "list", "first_id": id(items.first()), "last_id": id(items.last()), "has_more": has_more,
        "data": items,
    })
}

/// Which items are listed.
#[derive(Debug, Deserialize)]
struct ItemParams {
    after: Option<String>,
    limit: Option<usize>,
    order: Option<String>,
}

/// Lists items, the newest first unless asked otherwise.
async fn list_items(
    State(ports): State<Ports>,
    caller: Caller,
    Path(id): Path<String>,
    Query(params): Query<ItemParams>,
) -> Result<axum::Json<Value>, ApiError> {
    let scope = caller.scope()?;
    let limit = params.limit.unwrap_or(20);
    if !(1..=100).contains(&limit) {
        return Err(invalid("limit must be from 1 to 100"));
    }
    let (conversation, _) = known(&ports, &scope, &id).await?;
    let mut all: Vec<Value> = stored(&ports, &scope, &conversation)
        .await?
        .into_iter()
        .map(|record| record.value)
        .collect();
    match params.order.as_deref() {
        Some("asc") => {}
        None | Some("desc") => all.reverse(),
        Some(_) => return Err(invalid("order must be asc or desc")),
    }
    let begin = match &params.after {
        Some(after) => match all.iter().position(|item| item["id"] == **after) {
            Some(place) => place + 1,
            None => return Err(ApiError::not_found("item")),
        },
        None => 0,
    };
    let has_more = begin + limit < all.len();
    let page: Vec<Value> = all.into_iter().skip(begin).take(limit).collect();
    Ok(axum::Json(page_of(page, has_more)))
}

async fn found(
    ports: &Ports,
    scope: &Scope,
    id: &str,
    item: &str,
) -> Result<(ConversationId, Record), ApiError> {
    let (conversation, _) = known(ports, scope, id).await?;
    let all = stored(ports, scope, &conversation).await?;
    let record = all.into_iter().find(|record| record.value["id"] == *item);
    Ok((conversation, record.ok_or_else(|| ApiError::not_found("item"))?))
}

async fn read_item(
    State(ports): State<Ports>,
    caller: Caller,
    Path((id, item)): Path<(String, String)>,
) -> Result<axum::Json<Value>, ApiError> {
    let (_, record) = found(&ports, &caller.scope()?, &id, &item).await?;
    Ok(axum::Json(record.value))
}

/// Removes an item, and the message that it is. Answers with the conversation.
async fn remove_item(
    State(ports): State<Ports>,
    caller: Caller,
    Path((id, item)): Path<(String, String)>,
) -> Result<axum::Json<Value>, ApiError> {
    let scope = caller.scope()?;
    let (conversation, record) = found(&ports, &scope, &id, &item).await?;
    let message = MessageId::new(item.as_str()).ok();
    let message = match message {
        Some(message) => {
            ports
                .store
                .message(scope.space(), &conversation, &message)
                .await?
        }
        None => None,
    };
    match message {
        Some(message) => conversations::erase_message(&ports, &scope, conversation, message.id).await?,
        None => write(&ports, &scope, vec![conversation_items::erase(&record)]).await?,
    }
    let (_, item) = known(&ports, &scope, &id).await?;
    Ok(axum::Json(shown(&id, &item)))
}
