//! `/v1/memories/{id}/similar` and `/recalls`: what is like a memory, and how often it was of use.

use std::sync::Arc;

use axum::extract::State;
use recalld_memory::memory::Memory;
use recalld_memory::recall::{self, Item, ItemKind, Question, Reach};
use recalld_memory::recall_stats;
use recalld_memory::scope::Scope;
use recalld_memory::wiring::Ports;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouterExt};
use utoipa_axum::routes;

use super::memories::target;
use crate::app::App;
use crate::auth::Caller;
use crate::error::{ApiError, Code};
use crate::extract::{Path, Query};
use crate::middleware::RouteLayers;
use recalld_wire as wire;

pub(super) fn router(layers: &RouteLayers) -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(similar).layer(layers.caller().with_query()))
        .routes(routes!(recalls).layer(layers.caller()))
}

/// How many are wanted.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct SimilarParams {
    /// The most memories; 5 if none is given.
    #[param(minimum = 1, maximum = 50)]
    limit: Option<u32>,
}

/// A memory that is like another.
#[derive(Debug, Serialize, ToSchema)]
struct SimilarMemory {
    memory: wire::Memory,
    /// From 0 to 1.
    score: f32,
}

/// The most similar memories, the best first.
#[derive(Debug, Serialize, ToSchema)]
struct SimilarList {
    results: Vec<SimilarMemory>,
}

/// Finds the memories of the user that say something like this one. They do not count as recalled.
#[utoipa::path(get, path = "/v1/memories/{id}/similar", tag = "memories",
    params(("id" = String, Path, description = "The memory's id, or `key:` and its key"), SimilarParams),
    responses((status = 200, body = SimilarList)))]
async fn similar(
    State(ports): State<Ports>,
    caller: Caller,
    Path(id): Path<String>,
    Query(params): Query<SimilarParams>,
) -> Result<axum::Json<SimilarList>, ApiError> {
    let limit = match params.limit.unwrap_or(5) {
        limit @ 1..=50 => limit as usize,
        _ => return Err(ApiError::new(Code::InvalidRequest, "limit must be from 1 to 50")),
    };
    let scope = caller.scope()?;
    let memory = found(&ports, &scope, &id).await?;
    let question = Question {
        kinds: vec![ItemKind::Memory],
        // The memory itself is the best answer, and is left out.
        ..Question::new(memory.content.as_str(), limit + 1).uncounted()
    };
    let hits = recall::search(&ports, &scope, &question).await?;
    let others = hits.into_iter().filter_map(|hit| match hit.item {
        Item::Memory(other, Reach::Own) if other.id != memory.id => Some(SimilarMemory {
            memory: wire::Memory::at(other, scope.now),
            score: hit.score,
        }),
        _ => None,
    });
    Ok(axum::Json(SimilarList {
        results: others.take(limit).collect(),
    }))
}

/// How often a memory answered a question.
#[derive(Debug, Serialize, ToSchema)]
struct RecallsBody {
    times: u64,
    /// The day (UTC) on which it did so last; null if it never did.
    last_on: Option<String>,
}

/// Tells how often a memory was recalled, and when last.
#[utoipa::path(get, path = "/v1/memories/{id}/recalls", tag = "memories",
    params(("id" = String, Path, description = "The memory's id, or `key:` and its key")),
    responses((status = 200, body = RecallsBody)))]
async fn recalls(
    State(ports): State<Ports>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<axum::Json<RecallsBody>, ApiError> {
    let scope = caller.scope()?;
    let memory = found(&ports, &scope, &id).await?;
    let count = recall_stats::of_memory(&ports, &scope, memory.id).await?;
    Ok(axum::Json(RecallsBody {
        times: count.map_or(0, |count| count.times),
        last_on: count.map(|count| count.last_on.to_string()),
    }))
}

async fn found(ports: &Ports, scope: &Scope, id: &str) -> Result<Arc<Memory>, ApiError> {
    let found = recalld_memory::browse::find(ports, scope, &target(id)?).await?;
    found.ok_or_else(|| ApiError::not_found("memory"))
}
