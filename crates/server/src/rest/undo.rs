//! `/v1/undo`: takes changes back.

use axum::extract::State;
use recalld_memory::as_of::moment;
use recalld_memory::id::ConversationId;
use recalld_memory::memory::Source;
use recalld_memory::wiring::Ports;
use recalld_portability::undo::{Mode, UndoError, Which, undo};
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouterExt};
use utoipa_axum::routes;

use crate::app::App;
use crate::auth::Caller;
use crate::error::{ApiError, Code};
use crate::extract::Json;
use crate::middleware::RouteLayers;
use recalld_wire as wire;

pub(super) fn router(layers: &RouteLayers) -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(take_back).layer(layers.caller().idempotent()))
}

/// Which changes are taken back: the last one, if nothing is named.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct UndoRequest {
    /// All that came from this source.
    source: Option<String>,
    /// All that were made in this conversation.
    conversation: Option<String>,
    /// All that were made after this time: a date (its end, UTC), or a date and time.
    to: Option<String>,
    /// Tell what would be done, and do nothing.
    #[serde(default)]
    dry_run: bool,
}

impl UndoRequest {
    fn which(&self) -> Result<Which, ApiError> {
        match (&self.source, &self.conversation, &self.to) {
            (None, None, None) => Ok(Which::Last),
            (Some(source), None, None) => Source::new(source)
                .map(Which::Source)
                .map_err(|error| ApiError::field("/source", &error)),
            (None, Some(id), None) => ConversationId::new(id.as_str())
                .map(Which::Conversation)
                .map_err(|error| ApiError::field("/conversation", &error)),
            (None, None, Some(to)) => moment(to)
                .map(Which::After)
                .ok_or_else(|| ApiError::field("/to", &"it is not a time, such as 2026-03-01T10:00:00Z")),
            _ => Err(ApiError::new(
                Code::InvalidRequest,
                "name one of source, conversation and to",
            )),
        }
    }
}

/// Takes back the last change, all of one source or conversation, or all since a time. Nothing is
/// deleted by it.
#[utoipa::path(post, path = "/v1/undo", tag = "memories", request_body = UndoRequest,
    params(("Idempotency-Key" = Option<String>, Header, description = "Carry the request out once, however often it is sent")),
    responses((status = 200, body = wire::UndoReport)))]
async fn take_back(
    State(ports): State<Ports>,
    caller: Caller,
    Json(request): Json<UndoRequest>,
) -> Result<axum::Json<wire::UndoReport>, ApiError> {
    let mode = match request.dry_run {
        true => Mode::DryRun,
        false => Mode::Write,
    };
    let scope = caller.scope()?;
    let undone = undo(&ports, &scope, &request.which()?, mode).await?;
    Ok(axum::Json(wire::UndoReport::new(undone, mode, scope.now)))
}

impl From<UndoError> for ApiError {
    fn from(error: UndoError) -> ApiError {
        match error {
            UndoError::Store(error) => error.into(),
            UndoError::Space(error) => error.into(),
        }
    }
}
