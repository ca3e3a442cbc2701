//! `/v1/audit`: the health of the user's memory.

use axum::extract::State;
use recalld_memory::id::MemoryId;
use recalld_memory::wiring::Ports;
use recalld_portability::audit::{self as portability, AuditError, Kind};
use recalld_wire as wire;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouterExt};
use utoipa_axum::routes;

use crate::app::App;
use crate::auth::Caller;
use crate::error::ApiError;
use crate::middleware::RouteLayers;
use crate::off_workers;

pub(super) fn router(layers: &RouteLayers) -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(audit).layer(layers.caller()))
}

/// How many examples of each kind are shown.
const EXAMPLES_MAX: usize = 20;

/// Finds duplicate, contradictory, stale, little trusted, never recalled or secret-looking
/// memories. Changes nothing.
#[utoipa::path(get, path = "/v1/audit", tag = "memories", responses((status = 200, body = wire::AuditReport)))]
async fn audit(
    State(ports): State<Ports>,
    caller: Caller,
) -> Result<axum::Json<wire::AuditReport>, ApiError> {
    let scope = caller.scope()?;
    let now = scope.now;
    let found = off_workers::long(async move { portability::audit(&ports, &scope).await }).await?;
    let suggest = |kind: Kind, id: MemoryId| kind.suggestion(&id.to_string());
    Ok(axum::Json(wire::AuditReport::new(
        &found,
        now,
        EXAMPLES_MAX,
        suggest,
    )))
}

impl From<AuditError> for ApiError {
    fn from(error: AuditError) -> ApiError {
        match error {
            AuditError::Store(error) => error.into(),
            AuditError::Space(error) => error.into(),
        }
    }
}
