//! Documents of a store.

use axum::extract::State;
use recalld_memory::items::{self, ItemChange, Items};
use recalld_memory::wiring::Ports;
use serde_json::{Value, json};

use super::super::super::json_body::{Fields, invalid};
use super::document::{Draft, content, find, is_taken, path_conflict, shown};
use super::paging::{Params, page_of, param};
use super::path::checked;
use super::versions::{Operation, version};
use super::view::{View, sha256};
use super::{DOCUMENTS, fresh, known, open};
use crate::auth::Caller;
use crate::error::{ApiError, Code};
use crate::extract::{Path, Query};

pub(super) async fn create(
    State(ports): State<Ports>,
    caller: Caller,
    Path(store): Path<String>,
    Query(params): Params,
    mut body: Fields,
) -> Result<axum::Json<Value>, ApiError> {
    let (scope, view) = (caller.scope()?, View::of(&params, View::Basic)?);
    let path = checked(body.required_text("path")?)?;
    let content = content(&mut body)?.unwrap_or_default();
    open(&ports, &scope, &store).await?;
    let draft = Draft {
        memory: fresh(&ports, &scope, "mem"),
        version: fresh(&ports, &scope, "memver"),
        store,
        path,
        content,
    };
    let (store, memory, path) = (draft.store.clone(), draft.memory.clone(), draft.path.clone());
    let put = draft.put(&scope, Operation::Created);
    let decide = move |items: Items<'_>| match is_taken(&items, &draft.store, &draft.path, None) {
        true => (Vec::new(), false),
        false => (vec![put.clone()], true),
    };
    match items::update(&ports, &scope, DOCUMENTS, decide).await? {
        true => Ok(axum::Json(shown(
            &find(&ports, &scope, &store, &memory).await?,
            view,
        ))),
        false => Err(path_conflict(&path)),
    }
}

pub(super) async fn read(
    State(ports): State<Ports>,
    caller: Caller,
    Path((store, memory)): Path<(String, String)>,
    Query(params): Params,
) -> Result<axum::Json<Value>, ApiError> {
    let (scope, view) = (caller.scope()?, View::of(&params, View::Full)?);
    known(&ports, &scope, &store).await?;
    let item = find(&ports, &scope, &store, &memory).await?;
    Ok(axum::Json(shown(&item, view)))
}

/// Lists documents by path; with `depth=1`, what is deeper is rolled up.
pub(super) async fn list(
    State(ports): State<Ports>,
    caller: Caller,
    Path(store): Path<String>,
    Query(params): Params,
) -> Result<axum::Json<Value>, ApiError> {
    let (scope, view) = (caller.scope()?, View::of(&params, View::Basic)?);
    let prefix = param(&params, "path_prefix").unwrap_or("/").to_owned();
    if !prefix.ends_with('/') || !prefix.starts_with('/') {
        return Err(invalid("path_prefix must start and end with /"));
    }
    let is_flat = match param(&params, "depth") {
        None | Some("0") => true,
        Some("1") => false,
        Some(_) => return Err(invalid("depth must be 0 or 1")),
    };
    known(&ports, &scope, &store).await?;
    let all = items::read(&ports, &scope, DOCUMENTS, |items| items.all()).await?;
    let mut found: Vec<(String, Value)> = Vec::new();
    for item in all.iter().filter(|item| item.path["store"] == *store) {
        let path = item.path["path"].as_str().unwrap_or_default();
        let Some(below) = path.strip_prefix(&prefix) else {
            continue;
        };
        match below.split_once('/').filter(|_| !is_flat) {
            Some((first, _)) => {
                let path = format!("{prefix}{first}/");
                found.push((path.clone(), json!({ "type": "memory_prefix", "path": path })));
            }
            None => found.push((path.to_owned(), shown(item, view))),
        }
    }
    found.sort_by(|(a, _), (b, _)| a.cmp(b));
    found.dedup_by(|(a, _), (b, _)| a == b);
    let (page, next) = page_of(found, &params, view.most(), |(path, _)| path.clone())?;
    let data: Vec<Value> = page.into_iter().map(|(_, shown)| shown).collect();
    Ok(axum::Json(json!({ "data": data, "next_page": next })))
}

/// Reads the hash that a document must have.
fn precondition(body: &mut Fields) -> Result<Option<String>, ApiError> {
    let Some(given) = body.object("precondition")? else {
        return Ok(None);
    };
    match (
        given.get("type").and_then(Value::as_str),
        given.get("content_sha256").and_then(Value::as_str),
    ) {
        (Some("content_sha256"), Some(sha)) => Ok(Some(sha.to_lowercase())),
        _ => Err(invalid(
            "precondition must have the type content_sha256, and its value",
        )),
    }
}

/// What became of a change.
enum Outcome {
    Done,
    Gone,
    Taken,
    Stale,
}

fn stale() -> ApiError {
    ApiError::new(
        Code::MemoryPrecondition,
        "the content has changed since it was read",
    )
}

pub(super) async fn update(
    State(ports): State<Ports>,
    caller: Caller,
    Path((store, memory)): Path<(String, String)>,
    Query(params): Params,
    mut body: Fields,
) -> Result<axum::Json<Value>, ApiError> {
    let (scope, view) = (caller.scope()?, View::of(&params, View::Basic)?);
    let (content, wanted) = (content(&mut body)?, precondition(&mut body)?);
    let path = body.text("path")?.map(checked).transpose()?;
    open(&ports, &scope, &store).await?;
    let (decided_for, fresh_version) = (scope.clone(), fresh(&ports, &scope, "memver"));
    let (of_store, of_memory) = (store.clone(), memory.clone());
    let decide = move |items: Items<'_>| {
        let known = items
            .get(&of_memory)
            .filter(|item| item.path["store"] == *of_store);
        let Some(known) = known else {
            return (Vec::new(), Outcome::Gone);
        };
        let said = known.value["content"].as_str().unwrap_or_default();
        let at = known.path["path"].as_str().unwrap_or_default();
        let draft = Draft {
            store: of_store.clone(),
            memory: of_memory.clone(),
            path: path.clone().unwrap_or_else(|| at.to_owned()),
            content: content.clone().unwrap_or_else(|| said.to_owned()),
            version: fresh_version.clone(),
        };
        if (draft.path.as_str(), draft.content.as_str()) == (at, said) {
            return (Vec::new(), Outcome::Done);
        }
        if wanted.as_ref().is_some_and(|wanted| *wanted != sha256(said)) {
            return (Vec::new(), Outcome::Stale);
        }
        match is_taken(&items, &of_store, &draft.path, Some(&of_memory)) {
            true => (Vec::new(), Outcome::Taken),
            false => (vec![draft.put(&decided_for, Operation::Modified)], Outcome::Done),
        }
    };
    match items::update(&ports, &scope, DOCUMENTS, decide).await? {
        Outcome::Done => Ok(axum::Json(shown(
            &find(&ports, &scope, &store, &memory).await?,
            view,
        ))),
        Outcome::Gone => Err(ApiError::not_found("memory")),
        Outcome::Taken => Err(path_conflict("that path")),
        Outcome::Stale => Err(stale()),
    }
}

pub(super) async fn remove(
    State(ports): State<Ports>,
    caller: Caller,
    Path((store, memory)): Path<(String, String)>,
    Query(params): Params,
) -> Result<axum::Json<Value>, ApiError> {
    let scope = caller.scope()?;
    let wanted = param(&params, "expected_content_sha256").map(str::to_lowercase);
    known(&ports, &scope, &store).await?;
    let (decided_for, fresh_version) = (scope.clone(), fresh(&ports, &scope, "memver"));
    let (of_store, of_memory) = (store, memory.clone());
    let decide = move |items: Items<'_>| {
        let known = items
            .get(&of_memory)
            .filter(|item| item.path["store"] == *of_store);
        let Some(known) = known else {
            return (Vec::new(), Outcome::Gone);
        };
        let said = known.value["content"].as_str().unwrap_or_default();
        if wanted.as_ref().is_some_and(|wanted| *wanted != sha256(said)) {
            return (Vec::new(), Outcome::Stale);
        }
        let path = known.path["path"].as_str().unwrap_or_default();
        let entry = version(
            &decided_for,
            &fresh_version,
            &of_store,
            &of_memory,
            Operation::Deleted,
            path,
            None,
        );
        let name = format!("{of_store}/{fresh_version}");
        let changes = vec![
            ItemChange::Remove(of_memory.clone()),
            ItemChange::Version(name, entry),
        ];
        (changes, Outcome::Done)
    };
    match items::update(&ports, &scope, DOCUMENTS, decide).await? {
        Outcome::Done => Ok(axum::Json(json!({ "id": memory, "type": "memory_deleted" }))),
        Outcome::Gone | Outcome::Taken => Err(ApiError::not_found("memory")),
        Outcome::Stale => Err(stale()),
    }
}
