//! `/v1/review`: what waits for a person, and their answer. No tool reaches this.

use axum::extract::State;
use recalld_memory::entities;
use recalld_memory::review::{self, Confirmed};
use recalld_memory::wiring::Ports;
use recalld_wire as wire;
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouterExt};
use utoipa_axum::routes;

use super::memories::target;
use crate::app::App;
use crate::auth::Caller;
use crate::error::ApiError;
use crate::extract::{Path, Query};
use crate::middleware::RouteLayers;

pub(super) fn router(layers: &RouteLayers) -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list).layer(layers.caller().with_query()))
        .routes(routes!(confirm).layer(layers.caller()))
}

/// How many are listed.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ReviewParams {
    /// At most so many; 100 if none.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<usize>,
}

/// The most that are listed at once.
const LIMIT_MAX: usize = 1_000;

/// Lists quarantined memories and entities, and what agents would change or hid of what the user
/// said.
#[utoipa::path(get, path = "/v1/review", tag = "memories", params(ReviewParams),
    responses((status = 200, body = wire::Review)))]
async fn list(
    State(ports): State<Ports>,
    caller: Caller,
    Query(params): Query<ReviewParams>,
) -> Result<axum::Json<wire::Review>, ApiError> {
    let scope = caller.scope()?;
    let limit = params.limit.unwrap_or(100).clamp(1, LIMIT_MAX);
    let items = review::list(&ports, &scope, limit).await?;
    let mut entities = entities::quarantined(&ports, &scope).await?;
    entities.truncate(limit);
    Ok(axum::Json(wire::Review::new(items, &entities, scope.now)))
}

/// Confirms a memory: it counts as the user's own from then on, and may be injected. One that an
/// agent hid stays hidden. A proposed change is applied to the memory that it amends.
#[utoipa::path(post, path = "/v1/memories/{id}/confirm", tag = "memories",
    params(("id" = String, Path, description = "The memory's id, or `key:` and its key")),
    responses((status = 200, body = wire::Memory)))]
async fn confirm(
    State(ports): State<Ports>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<axum::Json<wire::Memory>, ApiError> {
    let (scope, target) = (caller.scope()?, target(&id)?);
    match review::confirm(&ports, &scope, target).await? {
        Confirmed::Confirmed(memory) | Confirmed::Unchanged(memory) => {
            Ok(axum::Json(wire::Memory::at(memory, scope.now)))
        }
        Confirmed::NotFound => Err(ApiError::not_found("memory")),
    }
}
