//! `/v1/admin/store`: the server and its store, in figures.

use std::collections::BTreeMap;

use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouterExt};
use utoipa_axum::routes;

use super::users::administration;
use crate::app::App;
use crate::auth::Administrator;
use crate::error::ApiError;
use crate::middleware::RouteLayers;

pub(super) fn router(layers: &RouteLayers) -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(figures).layer(layers.admin()))
}

/// The server and its store.
#[derive(Debug, Serialize, ToSchema)]
struct StoreBody {
    version: &'static str,
    /// The model that search goes by; null if it goes by words alone.
    embedding_model: Option<String>,
    /// The model that chat uses if a request names none; null without one.
    chat_model: Option<String>,
    /// What the store says of itself, by name.
    figures: BTreeMap<String, String>,
}

/// Describes the server and its store.
#[utoipa::path(get, path = "/v1/admin/store", tag = "admin", responses((status = 200, body = StoreBody)))]
async fn figures(
    State(app): State<App>,
    _administrator: Administrator,
) -> Result<axum::Json<StoreBody>, ApiError> {
    let figures = administration(&app)?.stats().await?;
    Ok(axum::Json(StoreBody {
        version: env!("CARGO_PKG_VERSION"),
        embedding_model: app
            .ports
            .embedder
            .as_ref()
            .map(|embedder| embedder.model().name.clone()),
        chat_model: app
            .agent
            .models
            .as_ref()
            .map(|models| models.names().next().unwrap_or_default().to_owned()),
        figures: figures.into_iter().collect(),
    }))
}
