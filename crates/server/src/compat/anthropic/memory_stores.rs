//! `/anthropic/v1/memory_stores`: stores of text documents at paths, with every version of them.
//!
//! A document is an item, so that its text is a memory of recalld. Versions are records beside it,
//! erased with the memory.

mod document;
mod memories;
mod paging;
mod path;
mod versions;
mod view;

use axum::Router;
use axum::extract::State;
use axum::routing::{get, post};
use recalld_memory::items::{self, Item, ItemChange, Items, NewItem};
use recalld_memory::memory::Origin;
use recalld_memory::scope::Scope;
use recalld_memory::wiring::Ports;
use serde_json::{Map, Value, json};

use super::super::json_body::{Fields, invalid};
use crate::app::App;
use crate::auth::Caller;
use crate::error::ApiError;
use crate::extract::{Path, Query};
use paging::{Params, is_within, page_of, param};

/// The items that stores are.
const STORES: &str = "memory_stores";
/// The items that their documents are.
const DOCUMENTS: &str = "memory_store_documents";

pub(super) fn router() -> Router<App> {
    Router::new()
        .route("/v1/memory_stores", post(create).get(list))
        .route("/v1/memory_stores/{id}", get(read).post(update).delete(remove))
        .route("/v1/memory_stores/{id}/archive", post(archive))
        .route(
            "/v1/memory_stores/{id}/memories",
            post(memories::create).get(memories::list),
        )
        .route(
            "/v1/memory_stores/{id}/memories/{memory}",
            get(memories::read)
                .post(memories::update)
                .delete(memories::remove),
        )
        .route("/v1/memory_stores/{id}/memory_versions", get(versions::list))
        .route(
            "/v1/memory_stores/{id}/memory_versions/{version}",
            get(versions::read),
        )
        .route(
            "/v1/memory_stores/{id}/memory_versions/{version}/redact",
            post(versions::redact),
        )
}

/// Makes an id with a prefix.
fn fresh(ports: &Ports, scope: &Scope, prefix: &str) -> String {
    format!("{prefix}_{}", scope.fresh_name(&*ports.ids).replace('-', ""))
}

fn text(
    fields: &mut Fields,
    name: &str,
    chars: std::ops::RangeInclusive<usize>,
) -> Result<Option<String>, ApiError> {
    let text = fields.text(name)?;
    match text
        .as_ref()
        .is_none_or(|text| chars.contains(&text.chars().count()))
    {
        true => Ok(text),
        false => Err(invalid(format!(
            "{name} must have {} to {} characters",
            chars.start(),
            chars.end()
        ))),
    }
}

/// Applies changes of metadata: a null or an empty text removes a pair.
fn merged(
    known: Option<&Map<String, Value>>,
    given: Map<String, Value>,
) -> Result<Map<String, Value>, ApiError> {
    let mut all = known.cloned().unwrap_or_default();
    for (name, value) in given {
        match value.as_str().filter(|text| !text.is_empty()) {
            Some(text) if (1..=64).contains(&name.chars().count()) && text.chars().count() <= 512 => {
                all.insert(name, json!(text));
            }
            None if value.is_null() || value == "" => {
                all.shift_remove(&name);
            }
            _ => return Err(invalid("metadata must be texts of at most 512 characters")),
        }
    }
    match all.len() <= 16 {
        true => Ok(all),
        false => Err(invalid("metadata must be at most 16 pairs")),
    }
}

fn shown(item: &Item) -> Value {
    let value = &item.value;
    json!({
        "id": item.name, "type": "memory_store", "name": value["name"], "description": value["description"],
        "metadata": value["metadata"], "archived_at": value["archived_at"],
        "created_at": item.created_at.to_string(), "updated_at": item.updated_at.to_string(),
    })
}

fn new_item(name: &str, value: Value) -> NewItem {
    NewItem {
        path: json!(name),
        value,
        text: None,
        rests_on: None,
        ttl_s: None,
        origin: Origin::Assistant,
        source: None,
        version: None,
    }
}

async fn keep(ports: &Ports, scope: &Scope, name: String, value: Value) -> Result<Item, ApiError> {
    let put = ItemChange::put(name.clone(), new_item(&name, value));
    items::update(ports, scope, STORES, move |_: Items<'_>| (vec![put.clone()], ())).await?;
    known(ports, scope, &name).await
}

/// Finds a store.
async fn known(ports: &Ports, scope: &Scope, id: &str) -> Result<Item, ApiError> {
    let item = items::read(ports, scope, STORES, |items| items.get(id)).await?;
    item.ok_or_else(|| ApiError::not_found("memory store"))
}

/// Finds a store whose documents may be changed.
async fn open(ports: &Ports, scope: &Scope, id: &str) -> Result<Item, ApiError> {
    let store = known(ports, scope, id).await?;
    match store.value["archived_at"].is_null() {
        true => Ok(store),
        false => Err(invalid("the memory store is archived")),
    }
}

async fn create(
    State(ports): State<Ports>,
    caller: Caller,
    mut body: Fields,
) -> Result<axum::Json<Value>, ApiError> {
    let scope = caller.scope()?;
    let name = text(&mut body, "name", 1..=255)?.ok_or_else(|| invalid("name is required"))?;
    let description = text(&mut body, "description", 0..=1024)?.unwrap_or_default();
    let metadata = merged(None, body.object("metadata")?.unwrap_or_default())?;
    let value =
        json!({ "name": name, "description": description, "metadata": metadata, "archived_at": null });
    let id = fresh(&ports, &scope, "memstore");
    Ok(axum::Json(shown(&keep(&ports, &scope, id, value).await?)))
}

async fn list(
    State(ports): State<Ports>,
    caller: Caller,
    Query(params): Params,
) -> Result<axum::Json<Value>, ApiError> {
    let scope = caller.scope()?;
    let mut all = items::read(&ports, &scope, STORES, |items| items.all()).await?;
    let with_archived = param(&params, "include_archived") == Some("true");
    all.retain(|store| with_archived || store.value["archived_at"].is_null());
    all.retain(|store| is_within(&params, store.created_at));
    all.sort_by(|a, b| (b.created_at, &b.name).cmp(&(a.created_at, &a.name)));
    let (page, next) = page_of(all, &params, 100, |store| store.name.clone())?;
    let data: Vec<Value> = page.iter().map(shown).collect();
    Ok(axum::Json(json!({ "data": data, "next_page": next })))
}

async fn read(
    State(ports): State<Ports>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<axum::Json<Value>, ApiError> {
    Ok(axum::Json(shown(&known(&ports, &caller.scope()?, &id).await?)))
}

async fn update(
    State(ports): State<Ports>,
    caller: Caller,
    Path(id): Path<String>,
    mut body: Fields,
) -> Result<axum::Json<Value>, ApiError> {
    let scope = caller.scope()?;
    let (name, description) = (
        text(&mut body, "name", 1..=255)?,
        text(&mut body, "description", 0..=1024)?,
    );
    let metadata = body.object("metadata")?;
    let store = open(&ports, &scope, &id).await?;
    let mut value = store.value.clone();
    if let Some(name) = name {
        value["name"] = json!(name);
    }
    if let Some(description) = description {
        value["description"] = json!(description);
    }
    if let Some(metadata) = metadata {
        value["metadata"] = json!(merged(value["metadata"].as_object(), metadata)?);
    }
    Ok(axum::Json(shown(&keep(&ports, &scope, id, value).await?)))
}

/// Archives a store, for good: what is in it can be read and deleted.
async fn archive(
    State(ports): State<Ports>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<axum::Json<Value>, ApiError> {
    let scope = caller.scope()?;
    let store = known(&ports, &scope, &id).await?;
    if !store.value["archived_at"].is_null() {
        return Ok(axum::Json(shown(&store)));
    }
    let mut value = store.value.clone();
    value["archived_at"] = json!(scope.now.to_string());
    Ok(axum::Json(shown(&keep(&ports, &scope, id, value).await?)))
}

/// Deletes a store with its documents and their versions.
async fn remove(
    State(ports): State<Ports>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<axum::Json<Value>, ApiError> {
    let scope = caller.scope()?;
    known(&ports, &scope, &id).await?;
    let store = id.clone();
    let decide = move |items: Items<'_>| {
        let documents = items
            .all()
            .into_iter()
            .filter(|item| item.path["store"] == *store);
        let documents = documents.map(|item| ItemChange::Remove(item.name));
        let versions = items.versions(&store).into_iter();
        let versions = versions.map(|version| ItemChange::EraseVersion(version.name.clone()));
        (documents.chain(versions).collect(), ())
    };
    items::update(&ports, &scope, DOCUMENTS, decide).await?;
    let gone = ItemChange::Remove(id.clone());
    items::update(&ports, &scope, STORES, move |_: Items<'_>| {
        (vec![gone.clone()], ())
    })
    .await?;
    Ok(axum::Json(json!({ "id": id, "type": "memory_store_deleted" })))
}
