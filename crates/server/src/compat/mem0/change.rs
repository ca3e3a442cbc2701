//! Changes and forgets memories. What is deleted here can be restored over REST.

use axum::extract::State;
use recalld_memory::id::MemoryId;
use recalld_memory::items::{self, ItemChange, ItemText, Items, NewItem};
use recalld_memory::memory::Source;
use recalld_memory::retire_many::retire_many;
use recalld_memory::scope::Scope;
use recalld_memory::wiring::Ports;
use serde_json::{Map, Value, json};

use super::super::json_body::{Fields, invalid};
use super::add::seconds_until;
use super::filters::Filters;
use super::find::kept;
use super::labelled::{self, Labelled};
use super::{COLLECTION, scope_of};
use crate::auth::Caller;
use crate::error::ApiError;
use crate::extract::{Path, Query};

/// The most memories of one batch.
const BATCH_MAX: usize = 1000;

/// Changes the text, the metadata or the end of a memory.
pub(super) async fn update(
    State(ports): State<Ports>,
    caller: Caller,
    Path(id): Path<String>,
    body: Fields,
) -> Result<axum::Json<Value>, ApiError> {
    let scope = caller.scope()?;
    let known = labelled::one(&ports, &scope, &id).await?;
    let change = edited(&known, &scope, body)?;
    let decide = move |_: Items<'_>| (vec![change.clone()], ());
    items::update(&ports, &scope, COLLECTION, decide).await?;
    let now = labelled::one(&ports, &scope, &id).await?;
    let mut shown = now.shown(&scope, None);
    shown["text"] = shown["memory"].clone();
    shown["message"] = json!("Memory updated successfully!");
    Ok(axum::Json(shown))
}

/// Says what a memory becomes.
fn edited(known: &Labelled, scope: &Scope, mut body: Fields) -> Result<ItemChange, ApiError> {
    let text = match body.text("text")? {
        Some(text) => Some(text),
        None => body.text("memory")?.or(body.text("data")?),
    };
    let metadata = body.object("metadata")?;
    // A null takes the end away; no field leaves it.
    let is_end_given = body.0.contains_key("expiration_date");
    let end = body.text("expiration_date")?;
    if text.is_none() && metadata.is_none() && !is_end_given {
        return Err(invalid("one of text, metadata or expiration_date is required"));
    }
    let mut value = known
        .item
        .as_ref()
        .and_then(|item| item.value.as_object().cloned())
        .unwrap_or_default();
    let said = text.unwrap_or_else(|| match value.get("memory").and_then(Value::as_str) {
        Some(said) => said.to_owned(),
        None => known.memory.content.as_str().to_owned(),
    });
    if said.trim().is_empty() {
        return Err(invalid("text is blank"));
    }
    value.insert("memory".to_owned(), json!(said));
    if let Some(metadata) = metadata {
        value.insert("metadata".to_owned(), Value::Object(metadata));
    }
    let left = known
        .memory
        .expires_at
        .map(|end| end.duration_since(scope.now).as_secs().max(1));
    let ttl_s = match (is_end_given, end) {
        (true, Some(end)) => Some(seconds_until(&end, scope)?),
        (true, None) => None,
        (false, _) => left,
    };
    let name = match &known.item {
        Some(item) => item.name.clone(),
        None => known.memory.id.to_string(),
    };
    let path = known
        .item
        .as_ref()
        .map_or_else(|| json!(name), |item| item.path.clone());
    let new = NewItem {
        path,
        value: Value::Object(value),
        text: Some(ItemText {
            text: said,
            pointer: Some("/memory".to_owned()),
        }),
        rests_on: Some(known.memory.id),
        version: None,
        ttl_s,
        origin: known.memory.origin,
        source: known.memory.source.clone().or_else(|| Source::new("mem0").ok()),
    };
    Ok(ItemChange::put(name, new))
}

/// Forgets one memory.
pub(super) async fn delete(
    State(ports): State<Ports>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<axum::Json<Value>, ApiError> {
    let scope = caller.scope()?;
    let known = labelled::one(&ports, &scope, &id).await?;
    retire_many(&ports, &scope, vec![known.memory.id]).await?;
    Ok(axum::Json(json!({ "message": "Memory deleted successfully!" })))
}

/// Forgets all memories under some labels, at least one of which must be named.
pub(super) async fn delete_all(
    State(ports): State<Ports>,
    caller: Caller,
    Query(params): Query<Map<String, Value>>,
) -> Result<axum::Json<Value>, ApiError> {
    let filters = Filters::of_labels(&params);
    if !filters.names_entity() {
        return Err(invalid("name a user_id, agent_id, app_id or run_id"));
    }
    let scope = scope_of(&caller, filters.user_id())?;
    let ids = kept(&ports, &scope, &filters).await?;
    let ids: Vec<MemoryId> = ids.iter().map(|one| one.memory.id).collect();
    retire_many(&ports, &scope, ids).await?;
    Ok(axum::Json(json!({ "message": "Memories deleted successfully!" })))
}

fn batch(mut body: Fields) -> Result<Vec<Map<String, Value>>, ApiError> {
    let given = match body.take("memories") {
        Some(Value::Array(given)) if given.len() <= BATCH_MAX => given,
        _ => return Err(invalid(format!("memories must be a list of at most {BATCH_MAX}"))),
    };
    let object = |one: Value| match one {
        Value::Object(fields) => Ok(fields),
        _ => Err(invalid("every memory must be an object")),
    };
    given.into_iter().map(object).collect()
}

fn id_of(fields: &Map<String, Value>) -> Result<&str, ApiError> {
    fields
        .get("memory_id")
        .and_then(Value::as_str)
        .ok_or_else(|| invalid("every memory needs a memory_id"))
}

/// Changes many memories, all or none.
pub(super) async fn update_many(
    State(ports): State<Ports>,
    caller: Caller,
    body: Fields,
) -> Result<axum::Json<Value>, ApiError> {
    let scope = caller.scope()?;
    let all = labelled::all(&ports, &scope).await?;
    let mut changes = Vec::new();
    for fields in batch(body)? {
        let id = id_of(&fields)?.to_owned();
        let known = all.iter().find(|one| one.memory.id.to_string() == id);
        let known = known.ok_or_else(|| ApiError::not_found("memory"))?;
        changes.push(edited(known, &scope, Fields(fields))?);
    }
    let count = changes.len();
    let decide = move |_: Items<'_>| (changes.clone(), ());
    items::update(&ports, &scope, COLLECTION, decide).await?;
    Ok(axum::Json(
        json!({ "message": format!("Successfully updated {count} memories") }),
    ))
}

/// Forgets many memories, all or none.
pub(super) async fn delete_many(
    State(ports): State<Ports>,
    caller: Caller,
    body: Fields,
) -> Result<axum::Json<Value>, ApiError> {
    let scope = caller.scope()?;
    let all = labelled::all(&ports, &scope).await?;
    let mut ids = Vec::new();
    for fields in batch(body)? {
        let id = id_of(&fields)?;
        let known = all.iter().find(|one| one.memory.id.to_string() == id);
        ids.push(known.ok_or_else(|| ApiError::not_found("memory"))?.memory.id);
    }
    let count = retire_many(&ports, &scope, ids).await?.len();
    Ok(axum::Json(
        json!({ "message": format!("Successfully deleted {count} memories") }),
    ))
}
