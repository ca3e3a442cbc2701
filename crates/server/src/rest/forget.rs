//! `/v1/memories/forget`: hides many memories at once.

use std::collections::HashSet;

use axum::extract::State;
use recalld_memory::id::MemoryId;
use recalld_memory::retire_many::retire_many;
use recalld_memory::wiring::Ports;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouterExt};
use utoipa_axum::routes;

use crate::app::App;
use crate::auth::Caller;
use crate::error::ApiError;
use crate::extract::Json;
use crate::middleware::RouteLayers;

pub(super) fn router(layers: &RouteLayers) -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(forget).layer(layers.caller().idempotent()))
}

/// The most memories of one request.
const IDS_MAX: usize = 500;

/// Which memories are hidden.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ForgetBody {
    #[schema(min_items = 1, max_items = 500)]
    ids: Vec<String>,
}

/// What became of them.
#[derive(Debug, Serialize, ToSchema)]
struct Forgotten {
    /// The ids of those that are hidden now.
    hidden: Vec<String>,
    /// The ids that name nothing, or something hidden already.
    not_found: Vec<String>,
}

/// Hides memories, all in one change. Each can be restored.
#[utoipa::path(post, path = "/v1/memories/forget", tag = "memories", request_body = ForgetBody,
    params(("Idempotency-Key" = Option<String>, Header, description = "Carry the request out once, however often it is sent")),
    responses((status = 200, body = Forgotten)))]
async fn forget(
    State(ports): State<Ports>,
    caller: Caller,
    Json(body): Json<ForgetBody>,
) -> Result<axum::Json<Forgotten>, ApiError> {
    if !(1..=IDS_MAX).contains(&body.ids.len()) {
        return Err(ApiError::field(
            "/ids",
            &format!("there must be 1 to {IDS_MAX} ids"),
        ));
    }
    let read = |(number, id): (usize, &String)| {
        MemoryId::parse(id)
            .map_err(|_| ApiError::field(format!("/ids/{number}"), &"is not the id of a memory"))
    };
    let ids: Vec<MemoryId> = body.ids.iter().enumerate().map(read).collect::<Result<_, _>>()?;
    let hidden = retire_many(&ports, &caller.scope()?, ids.clone()).await?;
    let known: HashSet<MemoryId> = hidden.iter().copied().collect();
    let mut not_found: Vec<MemoryId> = ids.into_iter().filter(|id| !known.contains(id)).collect();
    not_found.sort();
    not_found.dedup();
    Ok(axum::Json(Forgotten {
        hidden: hidden.iter().map(ToString::to_string).collect(),
        not_found: not_found.iter().map(ToString::to_string).collect(),
    }))
}
