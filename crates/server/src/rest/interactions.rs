//! `/v1/interactions` and `/v1/extraction/runs`: what users did, and what the daily extraction made
//! of it.

use axum::extract::State;
use axum::http::StatusCode;
use jiff::Timestamp;
use recalld_agent::daily;
use recalld_agent::interactions::{self, AT_ONCE_MAX, Interaction, InteractionError};
use recalld_memory::wiring::Ports;
use recalld_wire as wire;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouterExt};
use utoipa_axum::routes;

use crate::app::App;
use crate::auth::Caller;
use crate::error::ApiError;
use crate::extract::{Json, Query};
use crate::middleware::RouteLayers;

pub(super) fn router(layers: &RouteLayers) -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(note).layer(layers.caller().idempotent()))
        .routes(routes!(runs).layer(layers.caller().with_query()))
}

/// Something the user did.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewInteraction {
    /// What kind of thing: `reaction`, `discussion`, `save`, or any short name.
    #[schema(example = "save", min_length = 1, max_length = 64)]
    r#type: String,
    /// When; now, if none is given.
    #[schema(value_type = Option<String>, format = "date-time")]
    at: Option<Timestamp>,
    /// What the user wrote.
    text: Option<String>,
    /// What it is about.
    #[schema(value_type = Option<Object>)]
    data: Option<Map<String, Value>>,
}

/// One interaction or several.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(untagged)]
enum NewInteractions {
    Several {
        #[schema(min_items = 1, max_items = 100)]
        interactions: Vec<NewInteraction>,
    },
    One(NewInteraction),
}

/// The names of what was noted.
#[derive(Debug, Serialize, ToSchema)]
struct Noted {
    ids: Vec<String>,
}

/// Notes what the user did, all or none. The daily extraction reads it.
#[utoipa::path(post, path = "/v1/interactions", tag = "extraction", request_body = NewInteractions,
    params(("Idempotency-Key" = Option<String>, Header, description = "Carry the request out once, however often it is sent")),
    responses((status = 201, body = Noted)))]
async fn note(
    State(ports): State<Ports>,
    caller: Caller,
    Json(new): Json<NewInteractions>,
) -> Result<(StatusCode, axum::Json<Noted>), ApiError> {
    let scope = caller.scope()?;
    let new = match new {
        NewInteractions::Several { interactions } => interactions,
        NewInteractions::One(one) => vec![one],
    };
    if new.is_empty() || AT_ONCE_MAX < new.len() {
        let reason = format!("must be 1 to {AT_ONCE_MAX} interactions");
        return Err(ApiError::field("/interactions", &reason));
    }
    let interaction = |new: NewInteraction| Interaction {
        kind: new.r#type,
        at: new.at.unwrap_or(scope.now),
        text: new.text.filter(|text| !text.trim().is_empty()),
        data: new.data.map_or(Value::Null, Value::Object),
    };
    let ids = interactions::note(&ports, &scope, new.into_iter().map(interaction).collect()).await?;
    Ok((StatusCode::CREATED, axum::Json(Noted { ids })))
}

/// Which runs are listed.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct RunParams {
    /// The most runs; 30 if none is given.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<u32>,
}

/// Lists the runs for the user, the latest first.
#[utoipa::path(get, path = "/v1/extraction/runs", tag = "extraction", params(RunParams),
    responses((status = 200, body = wire::ExtractionRunList)))]
async fn runs(
    State(ports): State<Ports>,
    caller: Caller,
    Query(params): Query<RunParams>,
) -> Result<axum::Json<wire::ExtractionRunList>, ApiError> {
    let limit = match params.limit.unwrap_or(30) {
        limit @ 1..=1_000 => limit as usize,
        _ => return Err(ApiError::field("/limit", &"limit must be from 1 to 1000")),
    };
    let found = daily::runs(&ports, &caller.scope()?, limit).await?;
    Ok(axum::Json(found.into()))
}

impl From<InteractionError> for ApiError {
    fn from(error: InteractionError) -> ApiError {
        match error {
            InteractionError::Kind { .. } => ApiError::field("/type", &error),
            InteractionError::TooLong { .. } => ApiError::field("/data", &error),
            InteractionError::Space(error) => error.into(),
        }
    }
}
