//! `/v1/admin/users`: who has memories here.

use std::sync::Arc;

use axum::extract::State;
use recalld_memory::id::SpaceId;
use recalld_memory::ports::{Administration, EventPage};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
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
    /// The most users of a page; 50 if none is given.
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u32>,
    /// The `next_page` of the page before.
    after: Option<String>,
}

/// A user, in figures.
#[derive(Debug, Serialize, ToSchema)]
struct UserBody {
    id: String,
    namespace: Option<String>,
    /// Hidden ones too.
    memories: u64,
    messages: u64,
    /// When something of theirs last changed; null if nothing is logged.
    last_active_at: Option<String>,
}

/// Some users, and where to go on.
#[derive(Debug, Serialize, ToSchema)]
struct UserList {
    users: Vec<UserBody>,
    /// Give it as `after` to read on; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_page: Option<String>,
}

/// Pages through the users, in the order of their ids. A service key sees those it may act for;
/// a user's key sees none.
#[utoipa::path(get, path = "/v1/admin/users", tag = "admin", params(UserParams),
    responses((status = 200, body = UserList)))]
async fn list(
    State(app): State<App>,
    caller: Caller,
    Query(params): Query<UserParams>,
) -> Result<axum::Json<UserList>, ApiError> {
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
    let administration = administration(&app)?;
    let after = params.after.map(SpaceId::from_stored);
    let found = spaces(&*administration, &caller, after, limit + 1).await?;
    let mut users = Vec::with_capacity(limit);
    for space in found.iter().take(limit) {
        users.push(described(&app, &*administration, space).await?);
    }
    let last = found.get(limit - 1).filter(|_| limit < found.len());
    Ok(axum::Json(UserList {
        users,
        next_page: last.map(|space| space.as_str().to_owned()),
    }))
}

/// What the store knows across users; none where users cannot be erased either.
pub(super) fn administration(app: &App) -> Result<Arc<dyn Administration>, ApiError> {
    let eraser = app.eraser.as_ref();
    eraser
        .map(|eraser| Arc::clone(&eraser.administration))
        .ok_or_else(|| ApiError::new(Code::NotFound, "this server does not know its users"))
}

/// How many names are read at once.
const PAGE: usize = 500;

/// Lists the spaces of users that the caller may act for.
async fn spaces(
    administration: &dyn Administration,
    caller: &Caller,
    mut after: Option<SpaceId>,
    limit: usize,
) -> Result<Vec<SpaceId>, ApiError> {
    let sees = |space: &SpaceId| match (caller.kind(), caller.namespace()) {
        ("admin", None) => space.user().is_some(),
        (_, own) => space.user().is_some() && space.namespace() == own.map(|own| own.as_str()),
    };
    let mut found = Vec::new();
    loop {
        let page = administration.spaces(after.as_ref(), PAGE).await?;
        let is_last = page.len() < PAGE;
        after = page.last().cloned();
        found.extend(page.into_iter().filter(sees));
        if is_last || limit <= found.len() {
            found.truncate(limit);
            return Ok(found);
        }
    }
}

async fn described(
    app: &App,
    administration: &dyn Administration,
    space: &SpaceId,
) -> Result<UserBody, ApiError> {
    let rows = administration.count_space(space).await?;
    let of = |kind: &str| {
        rows.iter()
            .find(|(name, _)| *name == kind)
            .map_or(0, |(_, rows)| *rows)
    };
    let newest = EventPage {
        before: None,
        subject: None,
        limit: 1,
    };
    let events = app.ports.store.events(space, &newest).await?;
    Ok(UserBody {
        id: space.user().unwrap_or_default().to_owned(),
        namespace: space.namespace().map(ToOwned::to_owned),
        memories: of("memories"),
        messages: of("messages"),
        last_active_at: events.first().map(|event| event.stamp.at.to_string()),
    })
}
