//! Versions of documents. They stay when the document is deleted; their content can be redacted.

use axum::extract::State;
use jiff::Timestamp;
use recalld_memory::items::{self, ItemChange, Items};
use recalld_memory::record::Record;
use recalld_memory::scope::Scope;
use recalld_memory::wiring::Ports;
use serde_json::{Value, json};

use super::super::super::json_body::invalid;
use super::paging::{Params, is_within, page_of, param};
use super::view::{View, sha256};
use super::{DOCUMENTS, known};
use crate::auth::Caller;
use crate::error::ApiError;
use crate::extract::{Path, Query};

/// What a version records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    Created,
    Modified,
    Deleted,
}

impl Operation {
    fn as_str(self) -> &'static str {
        match self {
            Operation::Created => "created",
            Operation::Modified => "modified",
            Operation::Deleted => "deleted",
        }
    }
}

/// Writes a version.
pub(super) fn version(
    scope: &Scope,
    id: &str,
    store: &str,
    memory: &str,
    operation: Operation,
    path: &str,
    content: Option<&str>,
) -> Value {
    json!({
        "id": id, "memory_id": memory, "memory_store_id": store, "operation": operation.as_str(), "path": path,
        "content": content, "created_at": scope.now.to_string(), "created_by": actor(scope),
    })
}

fn actor(scope: &Scope) -> Value {
    json!({ "type": "api_actor", "api_key_id": scope.actor.as_str() })
}

fn shown(record: &Record, view: View) -> Value {
    let value = &record.value;
    let content = value["content"].as_str();
    json!({
        "id": value["id"], "type": "memory_version", "memory_id": value["memory_id"],
        "memory_store_id": value["memory_store_id"], "operation": value["operation"], "path": value["path"],
        "content": content.filter(|_| view == View::Full), "content_sha256": content.map(sha256),
        "content_size_bytes": content.map(str::len), "created_at": value["created_at"],
        "created_by": value["created_by"], "redacted_at": value["redacted_at"], "redacted_by": value["redacted_by"],
    })
}

async fn all(ports: &Ports, scope: &Scope, store: &str) -> Result<Vec<Record>, ApiError> {
    known(ports, scope, store).await?;
    Ok(items::read(ports, scope, DOCUMENTS, |items| items.versions(store)).await?)
}

pub(super) async fn list(
    State(ports): State<Ports>,
    caller: Caller,
    Path(store): Path<String>,
    Query(params): Params,
) -> Result<axum::Json<Value>, ApiError> {
    let (scope, view) = (caller.scope()?, View::of(&params, View::Basic)?);
    let mut found = all(&ports, &scope, &store).await?;
    for name in ["memory_id", "operation"] {
        if let Some(wanted) = param(&params, name) {
            found.retain(|record| record.value[name] == *wanted);
        }
    }
    let made_at = |record: &Record| {
        let raw = record.value["created_at"].as_str();
        raw.and_then(|raw| raw.parse::<Timestamp>().ok())
    };
    found.retain(|record| made_at(record).is_none_or(|at| is_within(&params, at)));
    found.sort_by(|a, b| (made_at(b), &b.name).cmp(&(made_at(a), &a.name)));
    let (page, next) = page_of(found, &params, view.most(), |record| record.name.clone())?;
    let data: Vec<Value> = page.iter().map(|record| shown(record, view)).collect();
    Ok(axum::Json(json!({ "data": data, "next_page": next })))
}

async fn one(ports: &Ports, scope: &Scope, store: &str, version: &str) -> Result<Record, ApiError> {
    let found = all(ports, scope, store).await?;
    let found = found.into_iter().find(|record| record.value["id"] == *version);
    found.ok_or_else(|| ApiError::not_found("memory version"))
}

pub(super) async fn read(
    State(ports): State<Ports>,
    caller: Caller,
    Path((store, version)): Path<(String, String)>,
    Query(params): Params,
) -> Result<axum::Json<Value>, ApiError> {
    let (scope, view) = (caller.scope()?, View::of(&params, View::Full)?);
    let record = one(&ports, &scope, &store, &version).await?;
    Ok(axum::Json(shown(&record, view)))
}

/// Clears the content, hash and path of a version that is no longer the present one.
pub(super) async fn redact(
    State(ports): State<Ports>,
    caller: Caller,
    Path((store, version)): Path<(String, String)>,
) -> Result<axum::Json<Value>, ApiError> {
    let scope = caller.scope()?;
    let record = one(&ports, &scope, &store, &version).await?;
    if record.value["redacted_at"].is_null() {
        let mut value = record.value.clone();
        value["content"] = Value::Null;
        value["path"] = Value::Null;
        value["redacted_at"] = json!(scope.now.to_string());
        value["redacted_by"] = actor(&scope);
        let name = record.name.clone();
        let id = version.clone();
        let decide = move |items: Items<'_>| {
            let is_present = items.all().iter().any(|item| item.value["version"] == *id);
            match is_present {
                true => (Vec::new(), false),
                false => (vec![ItemChange::Version(name.clone(), value.clone())], true),
            }
        };
        if !items::update(&ports, &scope, DOCUMENTS, decide).await? {
            return Err(invalid(
                "the present version of a memory cannot be redacted: change or delete it first",
            ));
        }
    }
    let record = one(&ports, &scope, &store, &version).await?;
    Ok(axum::Json(shown(&record, View::Full)))
}
