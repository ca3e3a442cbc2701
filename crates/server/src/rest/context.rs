//! Text ready for a prompt: `/v1/context`, `/v1/prompt`, and the memory document `/v1/document`.

use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use recalld_memory::context::{self, TOKENS_DEFAULT};
use recalld_memory::prompt::{self, Moment};
use recalld_memory::whole_number;
use recalld_memory::wiring::Ports;
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouterExt};
use utoipa_axum::routes;

use crate::app::App;
use crate::auth::Caller;
use crate::error::ApiError;
use crate::extract::{Json, Query};
use crate::middleware::RouteLayers;
use recalld_wire as wire;

pub(super) fn router(layers: &RouteLayers) -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(gather).layer(layers.caller().reading().within_project()))
        .routes(routes!(block).layer(layers.caller().with_query()))
        .routes(routes!(document).layer(layers.caller().with_query()))
}

/// What the text is for.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ContextRequest {
    /// What the conversation or task is about.
    #[schema(example = "PostgreSQL 18")]
    topic: String,
    /// The most tokens of the text, in either encoding; 1500 if none is given.
    #[schema(minimum = 0, maximum = 1_000_000)]
    #[serde(default, deserialize_with = "whole_number::optional")]
    max_tokens: Option<u32>,
}

/// Gathers core memories, what bears on the topic, and recent notes, within a token budget.
#[utoipa::path(post, path = "/v1/context", tag = "context", request_body = ContextRequest,
    responses((status = 200, body = wire::ContextText)))]
async fn gather(
    State(ports): State<Ports>,
    caller: Caller,
    Json(request): Json<ContextRequest>,
) -> Result<axum::Json<wire::ContextText>, ApiError> {
    let budget = token_budget(request.max_tokens)?.unwrap_or(TOKENS_DEFAULT);
    let context = context::gather(&ports, &caller.scope()?, &request.topic, budget).await?;
    Ok(axum::Json(context.into()))
}

/// The most tokens that can be asked for.
const TOKENS_MAX: u32 = 1_000_000;

/// Checks how many tokens are wanted.
pub(super) fn token_budget(given: Option<u32>) -> Result<Option<usize>, ApiError> {
    match given {
        Some(tokens) if TOKENS_MAX < tokens => Err(ApiError::field(
            "/max_tokens",
            &format!("max_tokens is {tokens}, over the limit of {TOKENS_MAX}"),
        )),
        _ => Ok(given.map(|tokens| tokens as usize)),
    }
}

/// For which moment of a conversation.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct PromptParams {
    /// Whether the conversation opens now (default): only then the memories come along.
    first_message: Option<bool>,
    /// The most tokens of the block; the document's cap if none is given.
    #[param(minimum = 0, maximum = 1_000_000)]
    max_tokens: Option<u32>,
}

/// Gives the block for a system prompt: the time, and at the first message what is remembered.
#[utoipa::path(get, path = "/v1/prompt", tag = "context", params(PromptParams),
    responses((status = 200, body = wire::PromptText)))]
async fn block(
    State(ports): State<Ports>,
    caller: Caller,
    Query(params): Query<PromptParams>,
) -> Result<axum::Json<wire::PromptText>, ApiError> {
    let moment = match params.first_message {
        None | Some(true) => Moment::FirstMessage,
        Some(false) => Moment::FollowUp,
    };
    let budget = token_budget(params.max_tokens)?.unwrap_or(ports.settings.document_tokens_max);
    let block = prompt::block(&ports, &caller.scope()?, moment, budget).await?;
    Ok(axum::Json(block.into()))
}

/// How the document is written.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct DocumentParams {
    /// What the list of places is called: `places_of_interest` if none is given.
    #[param(inline)]
    places_as: Option<PlacesName>,
}

/// A name for the list of places.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum PlacesName {
    PlacesOfInterest,
    PlacerUserDatapoints,
}

/// Gives the memory document. Its tokens are counted on this very text, with the list of places
/// under its usual name.
#[utoipa::path(get, path = "/v1/document", tag = "context", params(DocumentParams),
    responses((status = 200, body = wire::MemoryDocument)))]
async fn document(
    State(ports): State<Ports>,
    caller: Caller,
    Query(params): Query<DocumentParams>,
) -> Result<Response, ApiError> {
    let scope = caller.scope()?;
    let text = ports
        .spaces
        .read(scope.space(), |view| view.document(scope.lens()).to_json())
        .await?;
    let text = match params.places_as {
        None | Some(PlacesName::PlacesOfInterest) => text,
        // No fact can hold this: a quotation mark inside a text is escaped.
        Some(PlacesName::PlacerUserDatapoints) => {
            text.replacen("\"places_of_interest\": [", "\"placer_user_datapoints\": [", 1)
        }
    };
    Ok(([(CONTENT_TYPE, "application/json")], text).into_response())
}
