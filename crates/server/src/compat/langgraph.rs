//! `/langgraph`: the store of LangGraph, for `client.store` of its SDKs.
//!
//! An item is a JSON value under a namespace and a key. Its words are a memory, so that search
//! finds them; the value comes back exactly.

mod filter;
mod namespaces;
mod text;

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{post, put};
use recalld_memory::items::{self, Item, ItemChange, ItemError, NewItem, name_of};
use recalld_memory::memory::{Origin, Source};
use recalld_memory::recall::{self, Question};
use recalld_memory::wiring::Ports;
use serde::Deserialize;
use serde_json::{Value, json};

use super::json_body::{Fields, invalid};
use crate::app::App;
use crate::auth::Caller;
use crate::error::{ApiError, Code};
use crate::extract::Query;

/// The items of this door.
const COLLECTION: &str = "langgraph";

pub(super) fn router() -> Router<App> {
    Router::new()
        .route("/store/items", put(put_item).get(get_item).delete(delete_item))
        .route("/store/items/search", post(search))
        .route("/store/namespaces", post(list_namespaces))
        .route(
            "/ok",
            axum::routing::get(async || axum::Json(json!({ "ok": true }))),
        )
}

/// The body of an error.
pub(super) fn error_body(_status: u16, _code: &str, message: &str) -> Value {
    json!({ "detail": message })
}

impl From<ItemError> for ApiError {
    fn from(error: ItemError) -> ApiError {
        match error {
            ItemError::TooLong { .. } => ApiError::new(Code::BodyTooLarge, error.to_string()),
            ItemError::Secret(_) => ApiError::new(Code::SecretRefused, error.to_string()),
            ItemError::Space(error) => error.into(),
        }
    }
}

fn path(namespace: &[String], key: &str) -> Value {
    json!([namespace, key])
}

/// Stores an item, in place of the one with its namespace and key.
async fn put_item(
    State(ports): State<Ports>,
    caller: Caller,
    mut body: Fields,
) -> Result<StatusCode, ApiError> {
    let namespace = namespaces::of(body.take("namespace"))?;
    namespaces::check_written(&namespace)?;
    let key = body.required_text("key")?;
    let value = body.object("value")?.map(Value::Object);
    let value = value.ok_or_else(|| invalid("value is required"))?;
    let text = text::of(&value, body.take("index"))?;
    let ttl_s = body.take("ttl").map(minutes).transpose()?;
    let source = Source::new(&format!("langgraph:{}/{key}", namespace.join("."))).ok();
    let path = path(&namespace, &key);
    let name = name_of(&path);
    let new = NewItem {
        path,
        value,
        text,
        rests_on: None,
        version: None,
        ttl_s,
        origin: Origin::Assistant,
        source,
    };
    let put = move |_: items::Items<'_>| (vec![ItemChange::put(name.clone(), new.clone())], ());
    items::update(&ports, &caller.scope()?, COLLECTION, put).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Reads a time to live, which LangGraph counts in minutes.
fn minutes(ttl: Value) -> Result<i64, ApiError> {
    let minutes = ttl.as_f64().filter(|ttl| 0.0 < *ttl && *ttl < 1e9);
    let minutes = minutes.ok_or_else(|| invalid("ttl must be a positive number of minutes"))?;
    Ok((minutes * 60.0).ceil() as i64)
}

/// Which item is read.
#[derive(Debug, Deserialize)]
struct ItemParams {
    key: String,
    #[serde(default)]
    namespace: String,
    refresh_ttl: Option<bool>,
}

/// Reads an item; null if there is none.
async fn get_item(
    State(ports): State<Ports>,
    caller: Caller,
    Query(params): Query<ItemParams>,
) -> Result<axum::Json<Value>, ApiError> {
    let namespace: Vec<String> = params.namespace.split('.').map(str::to_owned).collect();
    let name = name_of(&path(&namespace, &params.key));
    let scope = caller.scope()?;
    let item = items::read(&ports, &scope, COLLECTION, |items| items.get(&name)).await?;
    let Some(item) = item else {
        return Ok(axum::Json(Value::Null));
    };
    if params.refresh_ttl.unwrap_or(true) {
        refresh(&ports, &caller, std::slice::from_ref(&item)).await?;
    }
    Ok(axum::Json(shown(&item, None)))
}

/// Lets items that were read last for their time to live again.
async fn refresh(ports: &Ports, caller: &Caller, read: &[Item]) -> Result<(), ApiError> {
    let names: Vec<String> = read
        .iter()
        .filter(|item| item.ttl_s.is_some())
        .map(|item| item.name.clone())
        .collect();
    if names.is_empty() {
        return Ok(());
    }
    let decide = move |_: items::Items<'_>| {
        let changes = names.iter().cloned().map(ItemChange::Refresh);
        (changes.collect(), ())
    };
    Ok(items::update(ports, &caller.scope()?, COLLECTION, decide).await?)
}

/// Removes an item, whether it is there or not.
async fn delete_item(
    State(ports): State<Ports>,
    caller: Caller,
    mut body: Fields,
) -> Result<StatusCode, ApiError> {
    let namespace = namespaces::of(body.take("namespace"))?;
    let name = name_of(&path(&namespace, &body.required_text("key")?));
    let remove = move |_: items::Items<'_>| (vec![ItemChange::Remove(name.clone())], ());
    items::update(&ports, &caller.scope()?, COLLECTION, remove).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The most items of one answer.
const LIMIT_MAX: usize = 1000;

/// Finds items below a namespace, by filter and by meaning.
async fn search(State(ports): State<Ports>, caller: Caller, mut body: Fields) -> Result<Response, ApiError> {
    let prefix = namespaces::of(body.take("namespace_prefix"))?;
    let filter = body.object("filter")?.unwrap_or_default();
    let limit = body.number("limit", 10, 1..=LIMIT_MAX)?;
    let offset = body.number("offset", 0, 0..=1_000_000)?;
    let query = body.text("query")?.filter(|query| !query.trim().is_empty());
    let is_refreshed = body.take("refresh_ttl").is_none_or(|refresh| refresh != false);
    let scope = caller.scope()?;
    let all = items::read(&ports, &scope, COLLECTION, |items| items.all()).await?;
    let mut found: Vec<(Item, Option<f32>)> = all
        .into_iter()
        .filter(|item| namespaces::of_item(item).starts_with(&prefix))
        .filter(|item| filter::matches_all(&item.value, &filter))
        .map(|item| (item, None))
        .collect();
    found.sort_by(|(a, _), (b, _)| (b.updated_at, &a.name).cmp(&(a.updated_at, &b.name)));
    if let Some(query) = query {
        let question = Question::new(query, Question::LIMIT_MAX).uncounted();
        let hits = recall::recall(&ports, &scope, &question).await?;
        for (item, score) in &mut found {
            let memory = item.memory.as_ref().map(|memory| memory.id);
            let hit = hits.iter().find(|hit| Some(hit.item.id) == memory);
            *score = hit.map(|hit| hit.score);
        }
        // What has no score comes last, in its order.
        found.sort_by(|(_, a), (_, b)| b.unwrap_or(-1.0).total_cmp(&a.unwrap_or(-1.0)));
    }
    let page: Vec<(Item, Option<f32>)> = found.into_iter().skip(offset).take(limit).collect();
    let shown: Vec<Value> = page
        .iter()
        .map(|(item, score)| self::shown(item, *score))
        .collect();
    if is_refreshed {
        let read: Vec<Item> = page.into_iter().map(|(item, _)| item).collect();
        refresh(&ports, &caller, &read).await?;
    }
    Ok(axum::Json(json!({ "items": shown })).into_response())
}

/// Lists namespaces by prefix and suffix, with `*` for any label.
async fn list_namespaces(
    State(ports): State<Ports>,
    caller: Caller,
    mut body: Fields,
) -> Result<axum::Json<Value>, ApiError> {
    let wanted = namespaces::Wanted::of(&mut body)?;
    let limit = body.number("limit", 100, 1..=LIMIT_MAX)?;
    let offset = body.number("offset", 0, 0..=1_000_000)?;
    let all = items::read(&ports, &caller.scope()?, COLLECTION, |items| items.all()).await?;
    let found = wanted.among(all.iter().map(namespaces::of_item));
    let page: Vec<Vec<String>> = found.into_iter().skip(offset).take(limit).collect();
    Ok(axum::Json(json!({ "namespaces": page })))
}

/// An item as LangGraph's clients read it.
fn shown(item: &Item, score: Option<f32>) -> Value {
    let mut shown = json!({
        "namespace": item.path[0], "key": item.path[1], "value": item.value,
        "created_at": item.created_at.to_string(), "updated_at": item.updated_at.to_string(),
    });
    if let Some(score) = score {
        shown["score"] = json!(score);
    }
    shown
}
