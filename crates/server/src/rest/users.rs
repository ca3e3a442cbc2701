//! `/v1/admin/users`: who has memories here.

use std::sync::Arc;

use axum::extract::State;
use recalld_memory::id::SpaceId;
use recalld_memory::ports::Administration;
use recalld_memory::users;
use recalld_wire as wire;
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouterExt};
use utoipa_axum::routes;

use crate::app::App;
use crate::auth::Caller;
use crate::error::{ApiError, Code};
use crate::extract::Query;
use crate::middleware::RouteLayers;

pub(super) fn router(layers: &RouteLayers) -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list).layer(layers.caller().with_query()))
}

/// Which users are listed.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct UserParams {
    /// Only users whose id contains this, whatever the case.
    #[param(max_length = 256)]
    query: Option<String>,
    /// The most users of a page; 50 if none is given.
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u32>,
    /// The `next_page` of the page before.
    after: Option<String>,
}

/// Pages through the users, in the order of their ids. A service key sees those it may act for;
/// a user's key sees none.
#[utoipa::path(get, path = "/v1/admin/users", tag = "admin", params(UserParams),
    responses((status = 200, body = wire::UserList)))]
async fn list(
    State(app): State<App>,
    caller: Caller,
    Query(params): Query<UserParams>,
) -> Result<axum::Json<wire::UserList>, ApiError> {
    if caller.kind() == "user" {
        return Err(ApiError::new(
            Code::Forbidden,
            "this needs a service or admin key",
        ));
    }
    let limit = match params.limit.unwrap_or(50) {
        limit @ 1..=200 => limit as usize,
        _ => return Err(ApiError::new(Code::InvalidRequest, "limit must be from 1 to 200")),
    };
    let sees = |space: &SpaceId| match (caller.kind(), caller.namespace()) {
        ("admin", None) => true,
        (_, own) => space.namespace() == own.map(|own| own.as_str()),
    };
    let shows = |space: &SpaceId| {
        sees(space)
            && params
                .query
                .as_deref()
                .is_none_or(|query| users::is_like(space, query))
    };
    let administration = administration(&app)?;
    let after = params.after.clone().map(SpaceId::from_stored);
    let page = users::list(
        &*app.ports.store,
        &*administration,
        shows,
        after,
        limit,
        caller.now(),
    )
    .await?;
    Ok(axum::Json(page.into()))
}

/// What the store knows across users; none where users cannot be erased either.
pub(super) fn administration(app: &App) -> Result<Arc<dyn Administration>, ApiError> {
    let eraser = app.eraser.as_ref();
    eraser
        .map(|eraser| Arc::clone(&eraser.administration))
        .ok_or_else(|| ApiError::new(Code::NotFound, "this server does not know its users"))
}
