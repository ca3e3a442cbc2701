//! `/v1/shared/memories`: what all users may recall, and only administrators write.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use recalld_memory::browse::{self, Filter};
use recalld_memory::id::MemoryId;
use recalld_memory::remember::remember;
use recalld_memory::retire::{self, Retired};
use recalld_memory::wiring::Ports;
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouterExt};
use utoipa_axum::routes;

use super::etag::{Tagged, if_match, stale};
use super::memories::{target, written};
use crate::app::App;
use crate::auth::{Administrator, Caller};
use crate::error::{ApiError, Code};
use crate::extract::{Json, Path, Query};
use crate::middleware::RouteLayers;
use recalld_wire as wire;

pub(super) fn router(layers: &RouteLayers) -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(create).layer(layers.admin()))
        .routes(routes!(list).layer(layers.caller().with_query()))
        .routes(routes!(remove).layer(layers.admin().with_query()))
}

/// Remembers one statement for all users. Answers 201 with what it became, or 200 when it was known
/// already.
#[utoipa::path(post, path = "/v1/shared/memories", tag = "shared memories", request_body = wire::NewMemory,
    responses((status = 201, body = wire::Written), (status = 200, body = wire::Written, description = "Known already; nothing was stored")))]
async fn create(
    State(ports): State<Ports>,
    admin: Administrator,
    Json(new): Json<wire::NewMemory>,
) -> Result<(StatusCode, Tagged<wire::Written>), ApiError> {
    let scope = admin.shared_scope();
    let remembered = remember(&ports, &scope, new.statement()?).await?;
    written(remembered, scope.now)
}

/// Which memories are listed.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ListParams {
    /// The most memories of a page; 50 if none is given.
    #[param(minimum = 1, maximum = 500)]
    limit: Option<u32>,
    /// The `next_page` of the page before.
    after: Option<String>,
}

/// Pages through the memories that all users may read, the newest first.
#[utoipa::path(get, path = "/v1/shared/memories", tag = "shared memories", params(ListParams),
    responses((status = 200, body = wire::MemoryPage)))]
async fn list(
    State(ports): State<Ports>,
    caller: Caller,
    Query(params): Query<ListParams>,
) -> Result<axum::Json<wire::MemoryPage>, ApiError> {
    let invalid = |reason: &'static str| ApiError::new(Code::InvalidRequest, reason);
    let limit = params.limit.unwrap_or(50);
    if !(1..=500).contains(&limit) {
        return Err(invalid("limit must be from 1 to 500"));
    }
    let after = params.after.map(|after| MemoryId::parse(&after)).transpose();
    let filter = Filter {
        after: after.map_err(|_| invalid("after is not a next_page of this list"))?,
        ..Filter::default()
    };
    let scope = caller.shared_scope();
    let listing = browse::list(&ports, &scope, &filter, limit as usize).await?;
    Ok(axum::Json(wire::MemoryPage::new(listing, scope.now)))
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

/// Hides a memory that all users may read; with `erase=true` it is gone for good.
#[utoipa::path(delete, path = "/v1/shared/memories/{id}", tag = "shared memories",
    params(("id" = String, Path, description = "The memory's id, or `key:` and its key"), RemoveParams,
        ("If-Match" = Option<String>, Header, description = "Only if it still has this ETag")),
    responses((status = 204)))]
async fn remove(
    State(ports): State<Ports>,
    admin: Administrator,
    Path(id): Path<String>,
    Query(params): Query<RemoveParams>,
    headers: HeaderMap,
) -> Result<StatusCode, ApiError> {
    let (scope, target) = (admin.shared_scope(), target(&id)?);
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
