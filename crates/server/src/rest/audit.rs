//! `/v1/audit`: the health of the user's memory.

use axum::extract::State;
use recalld_memory::id::MemoryId;
use recalld_memory::wiring::Ports;
use recalld_portability::audit::{self as portability, AuditError, Kind};
use recalld_wire as wire;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::auth::Caller;
use crate::error::ApiError;
use crate::extract::NoQuery;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(audit))
}

/// How many examples of each kind are shown.
const EXAMPLES_MAX: usize = 20;

/// Finds duplicate, contradictory, stale, little trusted, never recalled or secret-looking memories.
/// Changes nothing.
#[utoipa::path(get, path = "/v1/audit", tag = "memories", responses((status = 200, body = wire::AuditReport)))]
async fn audit(
    State(ports): State<Ports>,
    caller: Caller,
    _: NoQuery,
) -> Result<axum::Json<wire::AuditReport>, ApiError> {
    let scope = caller.scope()?;
    let found = portability::audit(&ports, &scope).await?;
    let suggest = |kind: Kind, id: MemoryId| kind.suggestion(&id.to_string());
    Ok(axum::Json(wire::AuditReport::new(
        &found,
        scope.now,
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
