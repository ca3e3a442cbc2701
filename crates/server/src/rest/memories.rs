//! `/v1/memories`: write, page through, read, revise, retire, restore, history.

mod batch;
mod list;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use jiff::Timestamp;
use recalld_memory::id::MemoryId;
use recalld_memory::remember::{Likeness, RememberError, Remembered, remember_with};
use recalld_memory::retire::{self, RestoreError, Restored, Retired};
use recalld_memory::revise::{Edit, ReviseError, Revised, revise};
use recalld_memory::target::Target;
use recalld_memory::wiring::Ports;
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouterExt};
use utoipa_axum::routes;

use super::etag::{Tagged, if_match, stale, tagged};
use super::moment::moment;
use crate::app::App;
use crate::auth::Caller;
use crate::error::{ApiError, Code};
use crate::extract::{Json, Path, Query};
use crate::middleware::RouteLayers;
use recalld_wire as wire;

use batch::{__path_batch, batch};
use list::{__path_list, list};

pub(super) fn router(layers: &RouteLayers) -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(create).layer(layers.caller().idempotent().within_project()))
        .routes(routes!(batch).layer(layers.caller().with_documents().idempotent().within_project()))
        .routes(routes!(list).layer(layers.caller().with_query().within_project()))
        .routes(routes!(read, change).layer(layers.caller().within_project()))
        .routes(routes!(remove).layer(layers.caller().with_query().within_project()))
        .routes(routes!(history).layer(layers.caller()))
        .routes(routes!(restore).layer(layers.caller().with_query().idempotent()))
}

/// Remembers one statement. Answers 201 with what it became, or 200 when it was known already: then
/// that memory has the key, if it had none. A key that another statement has is a conflict.
#[utoipa::path(post, path = "/v1/memories", tag = "memories", request_body = wire::NewMemory,
    params(("Idempotency-Key" = Option<String>, Header, description = "Carry the request out once, however often it is sent")),
    responses((status = 201, body = wire::Written), (status = 200, body = wire::Written, description = "Known already; nothing was stored")))]
async fn create(
    State(ports): State<Ports>,
    caller: Caller,
    Json(new): Json<wire::NewMemory>,
) -> Result<(StatusCode, Tagged<wire::Written>), ApiError> {
    let scope = caller.scope()?;
    let statement = new.statement()?;
    caller.require_reach(statement.reach.named())?;
    // The answer is known before anything is stored, so that its receipt is stored with it.
    let (asked, receipt) = (scope.clone(), caller.receipt.clone());
    let stored_with = move |remembered| {
        let receipt = receipt.as_ref();
        Vec::from_iter(receipt.and_then(|receipt| receipt.of(&asked, written(remembered, asked.now))))
    };
    let remembered = remember_with(&ports, &scope, statement, stored_with).await?;
    caller.receipt.iter().for_each(|receipt| receipt.set_stored());
    written(remembered, scope.now)
}

/// Tells what became of a statement.
pub(super) fn written(
    remembered: Remembered,
    now: Timestamp,
) -> Result<(StatusCode, Tagged<wire::Written>), ApiError> {
    let (status, outcome, memory, demoted, evicted) = match remembered {
        Remembered::Stored {
            memory,
            demoted,
            evicted,
        } => (StatusCode::CREATED, "stored", memory, demoted, evicted),
        Remembered::Duplicate {
            of,
            likeness: Likeness::SameStatement,
        } => (StatusCode::OK, "duplicate", of, false, 0),
        // It says something else, which a caller that looks at the status alone would take for
        // stored.
        Remembered::Duplicate {
            of,
            likeness: Likeness::SameKey,
        } => return Err(key_taken(&of)),
    };
    let version = memory.version;
    let written = wire::Written {
        outcome,
        memory: wire::Memory::at(memory, now),
        demoted,
        evicted,
    };
    Ok((status, tagged(version, written)))
}

/// Reads one memory, hidden or not.
#[utoipa::path(get, path = "/v1/memories/{id}", tag = "memories",
    params(("id" = String, Path, description = "The memory's id, or `key:` and its key")),
    responses((status = 200, body = wire::Memory)))]
async fn read(
    State(ports): State<Ports>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Tagged<wire::Memory>, ApiError> {
    let scope = caller.scope()?;
    let target = target(&id)?;
    let found = ports
        .spaces
        .read(scope.space(), |view| {
            target.any(view, scope.lens()).map(|memory| view.shown(memory))
        })
        .await?;
    let memory = found.ok_or_else(|| ApiError::not_found("memory"))?;
    Ok(tagged(memory.version, wire::Memory::at(memory, scope.now)))
}

/// Revises a memory. What it said before stays in its history. A change whose source names a
/// document or a tool does not replace what is trusted more: it is stored beside it, with the id of
/// the other in `amends`, and waits for review.
#[utoipa::path(patch, path = "/v1/memories/{id}", tag = "memories", request_body = wire::MemoryEdit,
    params(("id" = String, Path, description = "The memory's id, or `key:` and its key"),
        ("If-Match" = Option<String>, Header, description = "Only if it still has this ETag")),
    responses((status = 200, body = wire::Memory)))]
async fn change(
    State(ports): State<Ports>,
    caller: Caller,
    Path(id): Path<String>,
    headers: HeaderMap,
    Json(edit): Json<wire::MemoryEdit>,
) -> Result<Tagged<wire::Memory>, ApiError> {
    let edit = edit.edit()?;
    caller.require_reach(edit.project.change())?;
    let edit = Edit {
        version: if_match(&headers)?,
        ..edit
    };
    let scope = caller.scope()?;
    let memory = match revise(&ports, &scope, target(&id)?, edit).await? {
        Revised::Changed { memory, .. } | Revised::Proposed { memory, .. } | Revised::Unchanged(memory) => {
            memory
        }
        Revised::Duplicate { of } => return Err(duplicate(&of)),
        Revised::Stale(memory) => return Err(stale(memory.version)),
        Revised::NotFound => return Err(ApiError::not_found("memory")),
    };
    Ok(tagged(memory.version, wire::Memory::at(memory, scope.now)))
}

/// Whether a memory is hidden or gone.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct RemoveParams {
    /// Remove it with its history, for good, instead of hiding it.
    #[serde(default)]
    erase: bool,
}

/// Hides a memory, so that it can be restored; with `erase=true` it is gone for good.
#[utoipa::path(delete, path = "/v1/memories/{id}", tag = "memories",
    params(("id" = String, Path, description = "The memory's id, or `key:` and its key"), RemoveParams,
        ("If-Match" = Option<String>, Header, description = "Only if it still has this ETag")),
    responses((status = 204)))]
async fn remove(
    State(ports): State<Ports>,
    caller: Caller,
    Path(id): Path<String>,
    Query(params): Query<RemoveParams>,
    headers: HeaderMap,
) -> Result<StatusCode, ApiError> {
    let (scope, target) = (caller.scope()?, target(&id)?);
    if params.erase {
        let erased = retire::erase(&ports, &scope, target).await?;
        return erased
            .map(|_| StatusCode::NO_CONTENT)
            .ok_or_else(|| ApiError::not_found("memory"));
    }
    match retire::retire(&ports, &scope, target, if_match(&headers)?).await? {
        Retired::Hidden(_) => Ok(StatusCode::NO_CONTENT),
        Retired::Stale(memory) => Err(stale(memory.version)),
        Retired::NotFound => Err(ApiError::not_found("memory")),
    }
}

/// Gives every version of a memory, the oldest first.
#[utoipa::path(get, path = "/v1/memories/{id}/history", tag = "memories",
    params(("id" = String, Path, description = "The memory's id, or `key:` and its key")),
    responses((status = 200, body = wire::History)))]
async fn history(
    State(ports): State<Ports>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<axum::Json<wire::History>, ApiError> {
    let scope = caller.scope()?;
    let target = target(&id)?;
    let found = ports
        .spaces
        .read(scope.space(), |view| target.any(view, scope.lens()).map(|m| m.id))
        .await?;
    let id = found.ok_or_else(|| ApiError::not_found("memory"))?;
    let versions = ports.store.history(scope.space(), id).await?;
    Ok(axum::Json(wire::History::new(&versions, scope.now)))
}

/// What to go back to.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct RestoreParams {
    /// The version to go back to; without it, a hidden memory is shown again as it was.
    #[param(minimum = 1)]
    version: Option<u32>,
    /// The time to go back to, in place of a version: a date (its end, UTC), or a date and time.
    at: Option<String>,
}

/// Shows a hidden memory again, or takes it back to an earlier version or to what it was at some
/// time.
#[utoipa::path(post, path = "/v1/memories/{id}/restore", tag = "memories",
    params(("id" = String, Path, description = "The memory's id, or `key:` and its key"), RestoreParams),
    responses((status = 200, body = wire::Memory)))]
async fn restore(
    State(ports): State<Ports>,
    caller: Caller,
    Path(id): Path<String>,
    Query(params): Query<RestoreParams>,
) -> Result<Tagged<wire::Memory>, ApiError> {
    let (scope, target) = (caller.scope()?, target(&id)?);
    let restored = match (params.version, params.at) {
        (Some(version), None) => retire::restore_version(&ports, &scope, target, version).await?,
        (None, Some(at)) => retire::restore_as_of(&ports, &scope, target, moment("at", &at)?).await?,
        (None, None) => retire::restore(&ports, &scope, target).await?,
        (Some(_), Some(_)) => {
            return Err(ApiError::new(
                Code::InvalidRequest,
                "name a version or a time, not both",
            ));
        }
    };
    match restored {
        Restored::Shown { memory, .. } => Ok(tagged(memory.version, wire::Memory::at(memory, scope.now))),
        Restored::Duplicate { of } => Err(duplicate(&of)),
        Restored::NotFound => Err(ApiError::not_found("hidden memory or version")),
    }
}

/// Reads the id of a path: an id, its end, or `key:` and a key.
pub(super) fn target(id: &str) -> Result<Target, ApiError> {
    match Target::parse(id) {
        Target::Key(_) if !id.starts_with("key:") && !MemoryId::may_end_in(id) => {
            Err(ApiError::not_found("memory").hint("name a memory by its id, or by key:NAME"))
        }
        target => Ok(target),
    }
}

fn key_taken(of: &recalld_memory::memory::Memory) -> ApiError {
    let detail = format!("memory {} has that key and says something else", of.id);
    let hint = "PATCH /v1/memories/key:NAME changes what it says; nothing was stored";
    ApiError::new(Code::Duplicate, detail.clone())
        .at("/key".to_owned(), detail)
        .hint(hint)
}

fn duplicate(of: &recalld_memory::memory::Memory) -> ApiError {
    let detail = format!("memory {} has that key or says the same", of.id);
    ApiError::new(Code::Duplicate, detail).hint("revise that one instead")
}

impl From<RememberError> for ApiError {
    fn from(error: RememberError) -> ApiError {
        match error {
            RememberError::Secret(_) => ApiError::new(Code::SecretRefused, error.to_string()),
            RememberError::Space(error) => error.into(),
        }
    }
}

impl From<ReviseError> for ApiError {
    fn from(error: ReviseError) -> ApiError {
        match error {
            ReviseError::Secret(_) => ApiError::new(Code::SecretRefused, error.to_string()),
            ReviseError::Period(_) => wire::FieldError::new("/valid_until", error).into(),
            ReviseError::Space(error) => error.into(),
        }
    }
}

impl From<RestoreError> for ApiError {
    fn from(error: RestoreError) -> ApiError {
        match error {
            RestoreError::History(error) => error.into(),
            RestoreError::Space(error) => error.into(),
        }
    }
}
