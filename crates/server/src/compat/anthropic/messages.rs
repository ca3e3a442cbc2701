//! `/anthropic/v1/messages`: chat with memory, for clients of Anthropic's API.
//!
//! The caller's messages, tools and settings pass through; what is remembered is added behind their
//! instructions, and memory tools are called inside, unseen.

mod request;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use recalld_agent::chat;
use recalld_agent::wiring::AgentPorts;

use super::super::begun::begun;
use super::super::json_body::Fields;
use crate::auth::Caller;
use crate::chat_reply::memory_for;
use crate::error::ApiError;
use crate::stream::{self, AnthropicEvents, anthropic_message};

/// Answers a list of messages, whole or as a stream of events.
pub(super) async fn create(
    State(ports): State<AgentPorts>,
    caller: Caller,
    Fields(body): Fields,
) -> Result<Response, ApiError> {
    let scope = caller.scope()?;
    let mut asked = request::read(body, scope.conversation.clone())?;
    asked.passthrough.memory = memory_for(&caller);
    let tools = asked.passthrough.tools.iter();
    let callers: Vec<String> = tools.map(|tool| tool.name.clone()).collect();
    let talk = chat::begin_passthrough(&ports, &scope, asked.passthrough)
        .await
        .map_err(ApiError::from)?;
    let model = asked.model.unwrap_or_else(|| talk.started.model.clone());
    if asked.stream {
        return begun(talk, Box::new(AnthropicEvents::new(model, callers))).await;
    }
    let reply = stream::whole(talk).await?;
    Ok(axum::Json(anthropic_message(&reply, &model)).into_response())
}
