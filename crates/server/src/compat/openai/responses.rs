//! `/openai/v1/responses`: chat with memory in the shape of OpenAI's Responses.
//!
//! `previous_response_id` and `conversation` are kept here, whatever the model behind it does: what
//! was said so far is sent to it each time.

mod request;
mod threads;

use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use recalld_agent::chat;
use recalld_agent::wiring::AgentPorts;
use recalld_memory::items::{self, ItemChange, Items};
use recalld_memory::wiring::Ports;
use serde_json::{Value, json};

use super::super::begun::begun;
use super::super::json_body::Fields;
use crate::app::App;
use crate::auth::Caller;
use crate::chat_reply::memory_for;
use crate::error::ApiError;
use crate::extract::Path;
use crate::stream::{self, ResponseEvents, ResponseHead, Settle};
use threads::{RESPONSES, Thread, known};

pub(super) fn router() -> Router<App> {
    Router::new()
        .route("/v1/responses", post(create))
        .route("/v1/responses/{id}", get(read).delete(remove))
        .route("/v1/responses/{id}/input_items", get(input_items))
}

/// Responds, whole or as a stream of events.
async fn create(
    State(ports): State<AgentPorts>,
    caller: Caller,
    Fields(body): Fields,
) -> Result<Response, ApiError> {
    let scope = caller.scope()?;
    let asked = request::read(body, || scope.fresh_name(&*ports.memory.ids))?;
    let thread = Thread::open(&ports.memory, &scope, &asked).await?;
    let mut passthrough = asked.passthrough(&thread.history, thread.conversation.clone());
    passthrough.memory = memory_for(&caller);
    let callers: Vec<String> = passthrough.tools.iter().map(|tool| tool.name.clone()).collect();
    let talk = chat::begin_passthrough(&ports, &scope, passthrough)
        .await
        .map_err(ApiError::from)?;
    let head = ResponseHead {
        id: format!("resp_{}", scope.fresh_name(&*ports.memory.ids).replace('-', "")),
        created: scope.now.as_second(),
        model: asked.model.clone().unwrap_or_else(|| talk.started.model.clone()),
        echoed: asked.echoed.clone(),
    };
    let keeper = thread.keeper(&ports.memory, &scope, &asked);
    if asked.stream {
        let settle: Settle = Box::new(move |response| Box::pin(keeper.keep(response)));
        return begun(talk, Box::new(ResponseEvents::new(head, callers, settle))).await;
    }
    let reply = stream::whole(talk).await?;
    let response = head.whole(&reply);
    keeper.keep(response.clone()).await;
    Ok(axum::Json(response).into_response())
}

async fn read(
    State(ports): State<Ports>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<axum::Json<Value>, ApiError> {
    let item = known(&ports, &caller.scope()?, &id).await?;
    Ok(axum::Json(item.value["response"].clone()))
}

/// Forgets a response. What was said stays in its conversation.
async fn remove(
    State(ports): State<Ports>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<axum::Json<Value>, ApiError> {
    let scope = caller.scope()?;
    known(&ports, &scope, &id).await?;
    let gone = ItemChange::Remove(id.clone());
    items::update(&ports, &scope, RESPONSES, move |_: Items<'_>| {
        (vec![gone.clone()], ())
    })
    .await?;
    Ok(axum::Json(
        json!({ "id": id, "object": "response", "deleted": true }),
    ))
}

/// Lists what a response answered, the newest first.
async fn input_items(
    State(ports): State<Ports>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<axum::Json<Value>, ApiError> {
    let item = known(&ports, &caller.scope()?, &id).await?;
    let mut input = item.value["input"].as_array().cloned().unwrap_or_default();
    input.reverse();
    let id = |item: Option<&Value>| item.map_or(Value::Null, |item| item["id"].clone());
    Ok(axum::Json(json!({
        "object": "list", "first_id": id(input.first()), "last_id": id(input.last()), "has_more": false, "data": input,
    })))
}
