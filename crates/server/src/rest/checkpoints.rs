//! `/v1/checkpoints`: opaque states of agents by thread, for the checkpointers of frameworks.

mod body;

use axum::extract::State;
use axum::http::StatusCode;
use recalld_memory::checkpoints::{self, CheckpointError, Keep, Listing};
use recalld_memory::wiring::Ports;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouterExt};
use utoipa_axum::routes;

use self::body::{CheckpointBody, CheckpointList, CheckpointSearch, NewCheckpoint, NewWrites, cursor};
use crate::app::App;
use crate::auth::Caller;
use crate::error::{ApiError, Code};
use crate::extract::{Json, Query};
use crate::middleware::RouteLayers;

pub(super) fn router(layers: &RouteLayers) -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(put).layer(layers.caller().with_documents()))
        .routes(routes!(get).layer(layers.caller().with_query()))
        .routes(routes!(remove).layer(layers.caller().with_query()))
        .routes(routes!(put_writes).layer(layers.caller().with_documents()))
        .routes(routes!(search).layer(layers.caller().reading()))
        .routes(routes!(copy).layer(layers.caller()))
        .routes(routes!(prune).layer(layers.caller()))
        .routes(routes!(delete_runs).layer(layers.caller()))
}

/// The most checkpoints of one answer.
const LIMIT_MAX: usize = 1000;
/// The most threads or runs of one request.
const NAMES_MAX: usize = 1000;

/// Stores a checkpoint, in place of one with the same id.
#[utoipa::path(put, path = "/v1/checkpoints", tag = "checkpoints", request_body = NewCheckpoint,
    responses((status = 204, description = "Stored")))]
async fn put(
    State(ports): State<Ports>,
    caller: Caller,
    Json(new): Json<NewCheckpoint>,
) -> Result<StatusCode, ApiError> {
    let scope = caller.scope()?;
    let checkpoint = new.checkpoint(scope.now)?;
    checkpoints::put(&ports, &scope, &checkpoint).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Which checkpoint is read.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct CheckpointPlace {
    thread_id: String,
    /// The graph inside the graph; the outer one, if none is given.
    #[serde(default)]
    checkpoint_ns: String,
    /// The latest, if none is given.
    checkpoint_id: Option<String>,
}

/// Reads one checkpoint with the writes that are pending on it: the latest, or the one with the id.
#[utoipa::path(get, path = "/v1/checkpoints", tag = "checkpoints", params(CheckpointPlace),
    responses((status = 200, body = CheckpointBody, description = "The checkpoint")))]
async fn get(
    State(ports): State<Ports>,
    caller: Caller,
    Query(place): Query<CheckpointPlace>,
) -> Result<axum::Json<CheckpointBody>, ApiError> {
    let scope = caller.scope()?;
    let id = place.checkpoint_id.as_deref();
    let found = checkpoints::get(&ports, &scope, &place.thread_id, &place.checkpoint_ns, id).await?;
    let tuple = found.ok_or_else(|| ApiError::not_found("checkpoint"))?;
    Ok(axum::Json(tuple.into()))
}

/// Stores what a task wrote before the next checkpoint. A write of a task and number that is there
/// already stays as it is, unless the number is negative.
#[utoipa::path(put, path = "/v1/checkpoints/writes", tag = "checkpoints", request_body = NewWrites,
    responses((status = 204, description = "Stored")))]
async fn put_writes(
    State(ports): State<Ports>,
    caller: Caller,
    Json(new): Json<NewWrites>,
) -> Result<StatusCode, ApiError> {
    let scope = caller.scope()?;
    let (place, writes) = new.writes()?;
    checkpoints::put_writes(&ports, &scope, &place, &writes).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Lists checkpoints with what is pending on them, the greatest id first.
#[utoipa::path(post, path = "/v1/checkpoints/search", tag = "checkpoints", request_body = CheckpointSearch,
    responses((status = 200, body = CheckpointList, description = "One page of checkpoints")))]
async fn search(
    State(ports): State<Ports>,
    caller: Caller,
    Json(search): Json<CheckpointSearch>,
) -> Result<axum::Json<CheckpointList>, ApiError> {
    let listing: Listing = search.listing(LIMIT_MAX)?;
    let (found, has_more) = checkpoints::list(&ports, &caller.scope()?, &listing).await?;
    let last = found.last().map(|tuple| cursor(&tuple.checkpoint.place));
    Ok(axum::Json(CheckpointList {
        next: last.filter(|_| has_more),
        checkpoints: found.into_iter().map(CheckpointBody::from).collect(),
    }))
}

/// Which thread is removed.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ThreadParams {
    thread_id: String,
}

/// How many checkpoints were touched.
#[derive(Debug, Serialize, ToSchema)]
struct CheckpointCount {
    checkpoints: usize,
}

/// Removes a thread with all its checkpoints and writes, for good.
#[utoipa::path(delete, path = "/v1/checkpoints", tag = "checkpoints", params(ThreadParams),
    responses((status = 200, body = CheckpointCount, description = "How many were removed")))]
async fn remove(
    State(ports): State<Ports>,
    caller: Caller,
    Query(params): Query<ThreadParams>,
) -> Result<axum::Json<CheckpointCount>, ApiError> {
    let checkpoints = checkpoints::delete_thread(&ports, &caller.scope()?, &params.thread_id).await?;
    Ok(axum::Json(CheckpointCount { checkpoints }))
}

/// What is copied.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ThreadCopy {
    from: String,
    to: String,
}

/// Copies all checkpoints and writes of a thread to another one.
#[utoipa::path(post, path = "/v1/checkpoints/copy", tag = "checkpoints", request_body = ThreadCopy,
    responses((status = 200, body = CheckpointCount, description = "How many were copied")))]
async fn copy(
    State(ports): State<Ports>,
    caller: Caller,
    Json(copy): Json<ThreadCopy>,
) -> Result<axum::Json<CheckpointCount>, ApiError> {
    let checkpoints = checkpoints::copy_thread(&ports, &caller.scope()?, &copy.from, &copy.to).await?;
    Ok(axum::Json(CheckpointCount { checkpoints }))
}

/// What threads keep.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ThreadPrune {
    #[schema(max_items = 1000)]
    thread_ids: Vec<String>,
    #[serde(default)]
    #[schema(inline)]
    strategy: PruneStrategy,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum PruneStrategy {
    /// The latest checkpoint of each namespace stays.
    #[default]
    KeepLatest,
    /// Nothing stays.
    Delete,
}

/// Removes all but the latest checkpoints of threads, or all.
#[utoipa::path(post, path = "/v1/checkpoints/prune", tag = "checkpoints", request_body = ThreadPrune,
    responses((status = 200, body = CheckpointCount, description = "How many were removed")))]
async fn prune(
    State(ports): State<Ports>,
    caller: Caller,
    Json(prune): Json<ThreadPrune>,
) -> Result<axum::Json<CheckpointCount>, ApiError> {
    let keep = match prune.strategy {
        PruneStrategy::KeepLatest => Keep::Latest,
        PruneStrategy::Delete => Keep::Nothing,
    };
    let threads = few("/thread_ids", prune.thread_ids)?;
    let checkpoints = checkpoints::prune(&ports, &caller.scope()?, &threads, keep).await?;
    Ok(axum::Json(CheckpointCount { checkpoints }))
}

/// Runs whose checkpoints are removed.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct RunList {
    #[schema(max_items = 1000)]
    run_ids: Vec<String>,
}

/// Removes the checkpoints whose `metadata.run_id` is one of these, with their writes.
#[utoipa::path(post, path = "/v1/checkpoints/delete_runs", tag = "checkpoints", request_body = RunList,
    responses((status = 200, body = CheckpointCount, description = "How many were removed")))]
async fn delete_runs(
    State(ports): State<Ports>,
    caller: Caller,
    Json(runs): Json<RunList>,
) -> Result<axum::Json<CheckpointCount>, ApiError> {
    let runs = few("/run_ids", runs.run_ids)?;
    let checkpoints = checkpoints::delete_runs(&ports, &caller.scope()?, &runs).await?;
    Ok(axum::Json(CheckpointCount { checkpoints }))
}

fn few(pointer: &str, names: Vec<String>) -> Result<Vec<String>, ApiError> {
    match names.len() <= NAMES_MAX {
        true => Ok(names),
        false => Err(ApiError::field(
            pointer,
            &format!("over the limit of {NAMES_MAX}"),
        )),
    }
}

impl From<CheckpointError> for ApiError {
    fn from(error: CheckpointError) -> ApiError {
        match error {
            CheckpointError::Length { .. } | CheckpointError::Writes { .. } => {
                ApiError::new(Code::InvalidRequest, error.to_string())
            }
            CheckpointError::Space(error) => error.into(),
        }
    }
}
