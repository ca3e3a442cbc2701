//! `/openai/v1`: chat completions with memory, for clients of OpenAI's API.
//!
//! The caller's messages, tools and settings pass through; what is remembered is added behind their
//! instructions, and memory tools are called inside, unseen.

mod request;

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use recalld_agent::chat::{self, PendingReply};
use recalld_agent::wiring::AgentPorts;
use serde_json::{Value, json};

use crate::app::App;
use crate::auth::Caller;
use crate::chat_reply::memory_for;
use crate::error::{ApiError, Code};
use crate::extract::Json;
use crate::stream::{self, Chunks};

pub(super) fn router() -> Router<App> {
    Router::new()
        .route("/openai/v1/chat/completions", post(completions))
        .route("/openai/v1/models", get(models))
        .route("/openai/v1/models/{model}", get(model))
}

/// An error as OpenAI's clients read it.
struct OpenAiError(ApiError);

impl From<ApiError> for OpenAiError {
    fn from(error: ApiError) -> OpenAiError {
        OpenAiError(error)
    }
}

impl IntoResponse for OpenAiError {
    fn into_response(self) -> Response {
        let (status, code, message, retry_after) = self.0.told();
        let body = error_body(status, code, &message);
        let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = (status, axum::Json(body)).into_response();
        if let Some(seconds) = retry_after {
            response
                .headers_mut()
                .insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
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
) -> Result<Response, OpenAiError> {
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

/// Streams once the model has begun, so that a failure to begin still has its status.
async fn begun(mut talk: PendingReply, shape: Box<Chunks>) -> Result<Response, ApiError> {
    // The first event only says that the model is asked.
    let asked = talk.events.recv().await;
    let first = match asked {
        Some(_) => talk.events.recv().await,
        None => None,
    };
    match first {
        Some(event) => Ok(stream::respond(talk, shape, Some(event))),
        None => match stream::whole(talk).await {
            Ok(_) => Err(ApiError::new(Code::ModelFailed, "the model said nothing")),
            Err(error) => Err(error),
        },
    }
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
) -> Result<axum::Json<Value>, OpenAiError> {
    let known = ports.models.as_ref().and_then(|models| models.find(&name));
    match known {
        Some(_) => Ok(axum::Json(model_body(&name))),
        None => Err(ApiError::not_found("model").into()),
    }
}
