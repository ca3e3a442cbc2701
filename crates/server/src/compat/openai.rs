//! `/openai/v1`: chat completions with memory, for clients of OpenAI's API.
//!
//! The caller's messages, tools and settings pass through; what is remembered is added behind their
//! instructions, and memory tools are called inside, unseen.

mod conversations;
mod embeddings;
mod request;
mod responses;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::HeaderValue;
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use recalld_agent::chat;
use recalld_agent::wiring::AgentPorts;
use serde_json::{Value, json};

use super::begun::begun;
use crate::app::App;
use crate::auth::Caller;
use crate::chat_reply::memory_for;
use crate::error::{ApiError, Code};
use crate::extract::Json;
use crate::stream::{self, Chunks};

pub(super) fn router() -> Router<App> {
    conversations::router()
        .merge(responses::router())
        .route("/v1/embeddings", post(embeddings::create))
        .route("/v1/chat/completions", post(completions))
        .route("/v1/models", get(models))
        .route("/v1/models/{model}", get(model))
        .layer(from_fn(refuse_unknown_parameters))
}

/// The parameters that OpenAI's clients send.
const PARAMETERS: [&str; 6] = ["after", "api-version", "include", "include[]", "limit", "order"];

/// Refuses parameters that no route knows: whoever sends `?user_id=` believes that it chooses the
/// user.
async fn refuse_unknown_parameters(request: Request, next: Next) -> Result<Response, ApiError> {
    let query = request.uri().query().unwrap_or_default();
    let names = query.split('&').filter_map(|pair| pair.split('=').next());
    let unknown = names
        .map(|name| name.replace("%5B%5D", "[]"))
        .find(|name| !name.is_empty() && !PARAMETERS.contains(&name.as_str()));
    match unknown {
        None => Ok(next.run(request).await),
        Some(name) => {
            let name: String = name.chars().take(64).collect();
            let detail = format!("query string: unknown parameter {name:?}");
            Err(ApiError::new(Code::InvalidRequest, detail))
        }
    }
}

/// The body of an error.
pub(super) fn error_body(status: u16, code: &str, message: &str) -> Value {
    let kind = match status {
        401 => "authentication_error",
        403 => "permission_error",
        429 => "rate_limit_error",
        400..500 => "invalid_request_error",
        _ => "server_error",
    };
    json!({ "error": { "message": message, "type": kind, "param": null, "code": code } })
}

/// Completes a chat.
async fn completions(
    State(ports): State<AgentPorts>,
    caller: Caller,
    body: Result<Json<Value>, ApiError>,
) -> Result<Response, ApiError> {
    let Json(body) = body?;
    let scope = caller.scope()?;
    let mut asked = request::read(body, scope.conversation.clone())?;
    asked.passthrough.memory = memory_for(&caller);
    let callers: Vec<String> = asked
        .passthrough
        .tools
        .iter()
        .map(|tool| tool.name.clone())
        .collect();
    let created = scope.now.as_second();
    let talk = chat::begin_passthrough(&ports, &scope, asked.passthrough)
        .await
        .map_err(ApiError::from)?;
    if !asked.stream {
        let model = talk.started.model.clone();
        let conversation = talk.started.conversation.to_string();
        let reply = stream::whole(talk).await?;
        let body = stream::completion(&reply, &model, created);
        return Ok(with_conversation(axum::Json(body).into_response(), &conversation));
    }
    let conversation = talk.started.conversation.to_string();
    let shape = Box::new(Chunks::new(created, callers, asked.with_usage));
    let response = begun(talk, shape).await?;
    Ok(with_conversation(response, &conversation))
}

fn with_conversation(mut response: Response, conversation: &str) -> Response {
    if let Ok(value) = HeaderValue::from_str(conversation) {
        response.headers_mut().insert("recalld-conversation", value);
    }
    response
}

fn model_body(name: &str) -> Value {
    json!({ "id": name, "object": "model", "created": 0, "owned_by": "recalld" })
}

/// Lists the deployment's models.
async fn models(State(ports): State<AgentPorts>, _caller: Caller) -> axum::Json<Value> {
    let names = ports.models.iter().flat_map(|models| models.names());
    let data: Vec<Value> = names.map(model_body).collect();
    axum::Json(json!({ "object": "list", "data": data }))
}

/// Gives one of them.
async fn model(
    State(ports): State<AgentPorts>,
    _caller: Caller,
    axum::extract::Path(name): axum::extract::Path<String>,
) -> Result<axum::Json<Value>, ApiError> {
    let known = ports.models.as_ref().and_then(|models| models.find(&name));
    match known {
        Some(_) => Ok(axum::Json(model_body(&name))),
        None => Err(ApiError::not_found("model")),
    }
}
