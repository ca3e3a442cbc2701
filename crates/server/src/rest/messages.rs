//! `/v1/conversations/{id}/messages`: what was said, in order.

use axum::extract::State;
use axum::http::StatusCode;
use recalld_agent::extract;
use recalld_agent::wiring::AgentPorts;
use recalld_memory::conversations::{self, HISTORY_DEFAULT, MESSAGES_MAX};
use recalld_memory::id::MessageId;
use recalld_memory::ports::MessagePage;
use recalld_memory::wiring::Ports;
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouterExt};
use utoipa_axum::routes;

use super::conversations::conversation_id;
use crate::app::App;
use crate::auth::Caller;
use crate::error::{ApiError, Code};
use crate::extract::{Json, Path, Query};
use crate::middleware::RouteLayers;
use recalld_wire as wire;

pub(super) fn router(layers: &RouteLayers) -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(append).layer(layers.caller().with_query().idempotent()))
        .routes(routes!(list).layer(layers.caller().with_query()))
        .routes(routes!(erase).layer(layers.caller()))
}

/// What becomes of what is appended.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct AppendParams {
    /// Whether lasting facts are looked for in what the user says; they are remembered a little
    /// later.
    extract: Option<bool>,
}

/// Appends one message or several, all or none, and begins the conversation if there is none.
#[utoipa::path(post, path = "/v1/conversations/{id}/messages", tag = "conversations", request_body = wire::NewMessages,
    params(("id" = String, Path), AppendParams,
        ("Idempotency-Key" = Option<String>, Header, description = "Carry the request out once, however often it is sent")),
    responses((status = 201, body = wire::Appended)))]
async fn append(
    State(agent): State<AgentPorts>,
    caller: Caller,
    Path(id): Path<String>,
    Query(params): Query<AppendParams>,
    Json(new): Json<wire::NewMessages>,
) -> Result<(StatusCode, axum::Json<wire::Appended>), ApiError> {
    let (scope, id, new) = (caller.scope()?, conversation_id(id)?, new.checked()?);
    let said = match params.extract {
        Some(true) => extract::append(&agent, &scope, id, new).await?,
        _ => conversations::append(&agent.memory, &scope, id, new).await?,
    };
    let messages = said.iter().map(wire::Message::from).collect();
    Ok((StatusCode::CREATED, axum::Json(wire::Appended { messages })))
}

/// Which messages are listed.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ListParams {
    /// The most messages; 10 if none is given.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<u32>,
    /// Only messages before this number: the `next_page` of the page before.
    #[param(minimum = 0)]
    before: Option<i64>,
}

/// Gives the last messages, the oldest first.
#[utoipa::path(get, path = "/v1/conversations/{id}/messages", tag = "conversations",
    params(("id" = String, Path), ListParams), responses((status = 200, body = wire::MessagePage)))]
async fn list(
    State(ports): State<Ports>,
    caller: Caller,
    Path(id): Path<String>,
    Query(params): Query<ListParams>,
) -> Result<axum::Json<wire::MessagePage>, ApiError> {
    let limit = params.limit.map_or(HISTORY_DEFAULT, |limit| limit as usize);
    if !(1..=MESSAGES_MAX).contains(&limit) {
        return Err(ApiError::new(
            Code::InvalidRequest,
            format!("limit must be from 1 to {MESSAGES_MAX}"),
        ));
    }
    let before = params.before.map(u64::try_from).transpose();
    let before = before.map_err(|_| ApiError::new(Code::InvalidRequest, "before must not be negative"))?;
    let (scope, id) = (caller.scope()?, conversation_id(id)?);
    conversations::find(&ports, &scope, &id).await?;
    let said = conversations::history(&ports, &scope, &id, MessagePage { before, limit }).await?;
    let next_page = said
        .first()
        .filter(|first| said.len() == limit && 1 < first.seq)
        .map(|first| first.seq);
    let messages = said.iter().map(wire::Message::from).collect();
    Ok(axum::Json(wire::MessagePage { messages, next_page }))
}

/// Removes one message for good, and what was learned from it.
#[utoipa::path(delete, path = "/v1/conversations/{id}/messages/{message}", tag = "conversations",
    params(("id" = String, Path), ("message" = String, Path)), responses((status = 204)))]
async fn erase(
    State(ports): State<Ports>,
    caller: Caller,
    Path((id, message)): Path<(String, String)>,
) -> Result<StatusCode, ApiError> {
    let message = MessageId::new(message).map_err(|_| ApiError::not_found("message"))?;
    conversations::erase_message(&ports, &caller.scope()?, conversation_id(id)?, message).await?;
    Ok(StatusCode::NO_CONTENT)
}
