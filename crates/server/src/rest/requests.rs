//! `/v1/requests/{key}`: how a request ended whose answer the client did not get.

use axum::extract::State;
use recalld_memory::id::SpaceId;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouterExt};
use utoipa_axum::routes;

use crate::app::App;
use crate::auth::Caller;
use crate::error::ApiError;
use crate::extract::Path;
use crate::middleware::RouteLayers;
use crate::outcomes::{Outcome, Progress, RequestName};

pub(super) fn router(layers: &RouteLayers) -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(read).layer(layers.caller()))
}

/// How a request stands.
#[derive(Debug, Serialize, ToSchema)]
struct RequestReport {
    /// The Idempotency-Key of the request.
    key: String,
    /// `in_progress` or `done`.
    state: &'static str,
    /// The status of its answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<u16>,
    /// Its answer, unless that was empty or too large to keep.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    body: Option<Value>,
}

/// Shows how a request ended: one of your own Idempotency-Key, or one whose answer was
/// `outcome_unknown` and named a key. A request that is not found was never carried out by this
/// server or ended over an hour ago without success: repeat it with the same key.
#[utoipa::path(get, path = "/v1/requests/{key}", tag = "requests",
    params(("key" = String, Path, description = "The Idempotency-Key of the request")),
    responses((status = 200, body = RequestReport)))]
async fn read(
    State(app): State<App>,
    caller: Caller,
    Path(key): Path<String>,
) -> Result<axum::Json<RequestReport>, ApiError> {
    let space: SpaceId = caller.space();
    let name = RequestName { space, key };
    let progress = app.idempotency().progress(&name).await?;
    let key = name.key;
    match progress {
        None => Err(ApiError::not_found("request")
            .hint("repeat the request with the same Idempotency-Key; it is carried out once")),
        Some(Progress::InProgress) => Ok(axum::Json(RequestReport {
            key,
            state: "in_progress",
            status: None,
            body: None,
        })),
        Some(Progress::Done(Outcome { status, body })) => Ok(axum::Json(RequestReport {
            key,
            state: "done",
            status: Some(status.as_u16()),
            body: body_value(&body),
        })),
    }
}

/// Reads an answer as JSON, or else as text.
fn body_value(body: &[u8]) -> Option<Value> {
    match body.is_empty() {
        true => None,
        false => Some(
            serde_json::from_slice(body)
                .unwrap_or_else(|_| Value::from(String::from_utf8_lossy(body).into_owned())),
        ),
    }
}
