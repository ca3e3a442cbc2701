//! `/v1/embed`: what the embedding model makes of a text, for clients that ask the database
//! themselves.

use std::time::Duration;

use axum::extract::State;
use recalld_memory::ports::{EmbedError, TextRole};
use recalld_memory::wiring::Ports;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouterExt};
use utoipa_axum::routes;

use crate::app::App;
use crate::auth::Caller;
use crate::error::{ApiError, Code};
use crate::extract::Json;
use crate::middleware::RouteLayers;

pub(super) fn router(layers: &RouteLayers) -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(embed).layer(layers.caller().reading()))
}

/// The most bytes of a text.
const BYTES_MAX: usize = 8 * 1024;

/// How long a model is waited for.
const PATIENCE: Duration = Duration::from_secs(10);

/// A text, and what it is for.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct EmbedBody {
    /// At most 8192 bytes.
    #[schema(example = "Where does Ana live?", min_length = 1, max_length = 8192)]
    text: String,
    /// `query` if none is given.
    #[serde(default)]
    role: EmbedRole,
}

/// Whether the text asks, or is one that may be found.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum EmbedRole {
    #[default]
    Query,
    Passage,
}

impl From<EmbedRole> for TextRole {
    fn from(role: EmbedRole) -> TextRole {
        match role {
            EmbedRole::Query => TextRole::Query,
            EmbedRole::Passage => TextRole::Passage,
        }
    }
}

/// A vector of unit length, or of zeros where the model can say nothing.
#[derive(Debug, Serialize, ToSchema)]
struct Embedding {
    /// Changes whenever the vectors would.
    model: String,
    dimension: usize,
    embedding: Vec<f32>,
}

/// Embeds a text with the model that search goes by.
#[utoipa::path(post, path = "/v1/embed", tag = "search", request_body = EmbedBody,
    responses((status = 200, body = Embedding)))]
async fn embed(
    State(ports): State<Ports>,
    _caller: Caller,
    Json(body): Json<EmbedBody>,
) -> Result<axum::Json<Embedding>, ApiError> {
    if body.text.trim().is_empty() {
        return Err(ApiError::field("/text", &"the text is blank"));
    }
    if BYTES_MAX < body.text.len() {
        let reason = format!(
            "the text is {} bytes, over the limit of {BYTES_MAX}",
            body.text.len()
        );
        return Err(ApiError::field("/text", &reason));
    }
    let Some(embedder) = ports.embedder.as_deref() else {
        let detail = "there is no embedding model: search goes by words";
        return Err(ApiError::new(Code::NoModel, detail).hint("set the setting model"));
    };
    let (texts, model) = ([body.text.as_str()], embedder.model());
    let asked = tokio::time::timeout(PATIENCE, embedder.embed(&texts, body.role.into())).await;
    let made = asked.unwrap_or_else(|_| {
        Err(EmbedError::Unavailable {
            model: model.name.clone(),
            reason: format!("no answer within {} s", PATIENCE.as_secs()),
        })
    })?;
    Ok(axum::Json(Embedding {
        model: model.name.clone(),
        dimension: model.dimension,
        embedding: made.into_iter().next().unwrap_or_default(),
    }))
}

impl From<EmbedError> for ApiError {
    fn from(error: EmbedError) -> ApiError {
        match error {
            EmbedError::Unavailable { .. } => {
                ApiError::new(Code::ModelUnavailable, error.to_string()).retry_after(5)
            }
            EmbedError::BadAnswer { .. } => ApiError::new(Code::ModelFailed, error.to_string()),
        }
    }
}
