//! `/v1/conversations`: threads of messages, and what a model needs to go on with one.

use axum::extract::State;
use axum::http::StatusCode;
use jiff::Timestamp;
use recalld_memory::conversations::{self, ContextRequest, ConversationError, Derived, MESSAGES_MAX};
use recalld_memory::id::ConversationId;
use recalld_memory::prompt::Moment;
use recalld_memory::whole_number;
use recalld_memory::wiring::Ports;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouterExt};
use utoipa_axum::routes;

use super::context::token_budget;
use crate::app::App;
use crate::auth::Caller;
use crate::error::{ApiError, Code};
use crate::extract::{Json, Path, Query};
use crate::middleware::RouteLayers;
use recalld_wire as wire;

pub(super) fn router(layers: &RouteLayers) -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(open).layer(layers.caller().idempotent()))
        .routes(routes!(list).layer(layers.caller().with_query()))
        .routes(routes!(read, rename).layer(layers.caller()))
        .routes(routes!(erase).layer(layers.caller().with_query()))
        .routes(routes!(gather).layer(layers.caller().reading()))
        .routes(routes!(gather_usual).layer(layers.caller().with_query()))
}

/// A conversation to open: by `id`, or by `channel`, `chat` and `root`; with neither it gets an id.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewConversation {
    #[schema(min_length = 1, max_length = 256)]
    id: Option<String>,
    /// Where the chat is, such as `slack`.
    #[schema(min_length = 1, max_length = 256)]
    channel: Option<String>,
    /// The chat's id there.
    #[schema(min_length = 1, max_length = 256)]
    chat: Option<String>,
    /// The id of the message that the thread began with.
    #[schema(min_length = 1, max_length = 256)]
    root: Option<String>,
    #[schema(min_length = 1, max_length = 200)]
    title: Option<String>,
}

impl NewConversation {
    fn id(&self) -> Result<Option<ConversationId>, ApiError> {
        match (&self.id, &self.channel, &self.chat, &self.root) {
            (None, None, None, None) => Ok(None),
            (Some(id), None, None, None) => ConversationId::new(id.as_str())
                .map(Some)
                .map_err(|error| ApiError::field("/id", &error)),
            (None, Some(channel), Some(chat), Some(root)) => ConversationId::of_thread(channel, chat, root)
                .map(Some)
                .map_err(|error| ApiError::field("/root", &error)),
            _ => Err(ApiError::field(
                "/id",
                &"give either id, or channel, chat and root",
            )),
        }
    }
}

/// Opens a conversation. Answers 201 when it is new, 200 when it was known.
#[utoipa::path(post, path = "/v1/conversations", tag = "conversations", request_body = NewConversation,
    params(("Idempotency-Key" = Option<String>, Header, description = "Carry the request out once, however often it is sent")),
    responses((status = 201, body = wire::Conversation), (status = 200, body = wire::Conversation)))]
async fn open(
    State(ports): State<Ports>,
    caller: Caller,
    Json(new): Json<NewConversation>,
) -> Result<(StatusCode, axum::Json<wire::Conversation>), ApiError> {
    let scope = caller.scope()?;
    let id = match new.id()? {
        Some(id) => id,
        None => ConversationId::new(scope.fresh_id(&*ports.ids).to_string()).expect("a uuid is a valid id"),
    };
    let title = new.title.map(|title| checked_title(&title)).transpose()?;
    let status = match conversations::find(&ports, &scope, &id).await {
        Ok(_) => StatusCode::OK,
        Err(ConversationError::NotFound { .. }) => StatusCode::CREATED,
        Err(error) => return Err(error.into()),
    };
    let conversation = conversations::open(&ports, &scope, id, title).await?;
    Ok((status, axum::Json((&*conversation).into())))
}

/// A title is one short line.
fn checked_title(raw: &str) -> Result<String, ApiError> {
    let title = raw.trim();
    match title.is_empty() || 200 < title.chars().count() || title.contains(char::is_control) {
        true => Err(ApiError::field(
            "/title",
            &"the title must be one line of 1 to 200 characters",
        )),
        false => Ok(title.to_owned()),
    }
}

/// Which conversations are listed.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ListParams {
    /// The most conversations of a page; 50 if none is given.
    #[param(minimum = 1, maximum = 500)]
    limit: Option<u32>,
    /// The `next_page` of the page before.
    after: Option<String>,
}

/// Pages through the conversations, the last touched first.
#[utoipa::path(get, path = "/v1/conversations", tag = "conversations", params(ListParams),
    responses((status = 200, body = wire::ConversationPage)))]
async fn list(
    State(ports): State<Ports>,
    caller: Caller,
    Query(params): Query<ListParams>,
) -> Result<axum::Json<wire::ConversationPage>, ApiError> {
    let limit = page_limit(params.limit)?;
    let after = params.after.map(|after| cursor(&after)).transpose()?;
    let found = conversations::list(&ports, &caller.scope()?, after, limit + 1).await?;
    let last = found.get(limit - 1).filter(|_| limit < found.len());
    let next_page = last.map(|last| format!("{}.{}", last.touched_at.as_microsecond(), last.id));
    let conversations = found
        .iter()
        .take(limit)
        .map(|conversation| (&**conversation).into())
        .collect();
    Ok(axum::Json(wire::ConversationPage {
        conversations,
        next_page,
    }))
}

/// Checks how long a page should be.
pub(super) fn page_limit(given: Option<u32>) -> Result<usize, ApiError> {
    match given.unwrap_or(50) {
        limit @ 1..=500 => Ok(limit as usize),
        _ => Err(ApiError::new(Code::InvalidRequest, "limit must be from 1 to 500")),
    }
}

fn cursor(raw: &str) -> Result<(Timestamp, ConversationId), ApiError> {
    let place = raw.split_once('.').and_then(|(at, id)| {
        let at = Timestamp::from_microsecond(at.parse().ok()?).ok()?;
        Some((at, ConversationId::new(id).ok()?))
    });
    place.ok_or_else(|| ApiError::new(Code::InvalidRequest, "after is not a next_page of this list"))
}

/// Reads one conversation, without its messages.
#[utoipa::path(get, path = "/v1/conversations/{id}", tag = "conversations", params(("id" = String, Path)),
    responses((status = 200, body = wire::Conversation)))]
async fn read(
    State(ports): State<Ports>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<axum::Json<wire::Conversation>, ApiError> {
    let found = conversations::find(&ports, &caller.scope()?, &conversation_id(id)?).await?;
    Ok(axum::Json((&*found).into()))
}

/// What should change of a conversation.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ConversationEdit {
    #[schema(min_length = 1, max_length = 200)]
    title: String,
}

/// Renames a conversation.
#[utoipa::path(patch, path = "/v1/conversations/{id}", tag = "conversations", request_body = ConversationEdit,
    params(("id" = String, Path)), responses((status = 200, body = wire::Conversation)))]
async fn rename(
    State(ports): State<Ports>,
    caller: Caller,
    Path(id): Path<String>,
    Json(edit): Json<ConversationEdit>,
) -> Result<axum::Json<wire::Conversation>, ApiError> {
    let (scope, id) = (caller.scope()?, conversation_id(id)?);
    let title = checked_title(&edit.title)?;
    conversations::find(&ports, &scope, &id).await?;
    let renamed = conversations::open(&ports, &scope, id, Some(title)).await?;
    Ok(axum::Json((&*renamed).into()))
}

/// What goes with a conversation.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct EraseParams {
    /// Keep the memories that came out of it.
    #[serde(default)]
    keep_memories: bool,
}

/// What went with a conversation.
#[derive(Debug, Serialize, ToSchema)]
struct Erased {
    erased_memories: usize,
}

/// Removes a conversation with its messages and working memory for good, and what was learned from
/// it unless that is kept.
#[utoipa::path(delete, path = "/v1/conversations/{id}", tag = "conversations",
    params(("id" = String, Path), EraseParams), responses((status = 200, body = Erased)))]
async fn erase(
    State(ports): State<Ports>,
    caller: Caller,
    Path(id): Path<String>,
    Query(params): Query<EraseParams>,
) -> Result<axum::Json<Erased>, ApiError> {
    let derived = match params.keep_memories {
        true => Derived::Keep,
        false => Derived::Erase,
    };
    let erased_memories =
        conversations::erase(&ports, &caller.scope()?, conversation_id(id)?, derived).await?;
    Ok(axum::Json(Erased { erased_memories }))
}

/// How much of a conversation a model should get.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ConversationContextBody {
    /// Your own instructions, which open the system message. They are not part of the budget.
    #[serde(default)]
    instructions: String,
    /// The most messages; 10 if none is given.
    #[schema(minimum = 0, maximum = 1000)]
    #[serde(default, deserialize_with = "whole_number::optional")]
    max_messages: Option<u32>,
    /// The most tokens of what memory adds; 4000 if none is given.
    #[schema(minimum = 0, maximum = 1_000_000)]
    #[serde(default, deserialize_with = "whole_number::optional")]
    max_tokens: Option<u32>,
    /// Whether the conversation opens now, and memories come along; without it, that is so until
    /// something was answered.
    first_message: Option<bool>,
}

/// Gives the system message with memory, and the last messages, within a token budget.
#[utoipa::path(post, path = "/v1/conversations/{id}/context", tag = "conversations",
    request_body = ConversationContextBody, params(("id" = String, Path)),
    responses((status = 200, body = wire::ConversationText)))]
async fn gather(
    State(ports): State<Ports>,
    caller: Caller,
    Path(id): Path<String>,
    Json(body): Json<ConversationContextBody>,
) -> Result<axum::Json<wire::ConversationText>, ApiError> {
    gathered(&ports, &caller, id, &body).await
}

/// The same without instructions of your own.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ConversationContextParams {
    /// The most messages; 10 if none is given.
    #[param(minimum = 0, maximum = 1000)]
    max_messages: Option<u32>,
    /// The most tokens of what memory adds; 4000 if none is given.
    #[param(minimum = 0, maximum = 1_000_000)]
    max_tokens: Option<u32>,
    /// Whether the conversation opens now, and memories come along; without it, that is so until
    /// something was answered.
    first_message: Option<bool>,
}

/// Gives the same as POST, for a caller without instructions of its own.
#[utoipa::path(get, path = "/v1/conversations/{id}/context", tag = "conversations",
    params(("id" = String, Path), ConversationContextParams),
    responses((status = 200, body = wire::ConversationText)))]
async fn gather_usual(
    State(ports): State<Ports>,
    caller: Caller,
    Path(id): Path<String>,
    Query(params): Query<ConversationContextParams>,
) -> Result<axum::Json<wire::ConversationText>, ApiError> {
    let body = ConversationContextBody {
        instructions: String::new(),
        max_messages: params.max_messages,
        max_tokens: params.max_tokens,
        first_message: params.first_message,
    };
    gathered(&ports, &caller, id, &body).await
}

async fn gathered(
    ports: &Ports,
    caller: &Caller,
    id: String,
    body: &ConversationContextBody,
) -> Result<axum::Json<wire::ConversationText>, ApiError> {
    let usual = ContextRequest::default();
    let messages_max = match body.max_messages.map(|most| most as usize) {
        Some(most) if MESSAGES_MAX < most => {
            let reason = format!("max_messages is {most}, over the limit of {MESSAGES_MAX}");
            return Err(ApiError::field("/max_messages", &reason));
        }
        most => most.unwrap_or(usual.messages_max),
    };
    let moment = body.first_message.map(|first| match first {
        true => Moment::FirstMessage,
        false => Moment::FollowUp,
    });
    let request = ContextRequest {
        instructions: &body.instructions,
        messages_max,
        tokens_max: token_budget(body.max_tokens)?.unwrap_or(usual.tokens_max),
        moment,
    };
    let id = conversation_id(id)?;
    let context = conversations::conversation_context(ports, &caller.scope()?, &id, &request).await?;
    Ok(axum::Json(context.into()))
}

/// An id that cannot be one names nothing.
pub(super) fn conversation_id(raw: String) -> Result<ConversationId, ApiError> {
    ConversationId::new(raw).map_err(|_| ApiError::not_found("conversation"))
}

impl From<ConversationError> for ApiError {
    fn from(error: ConversationError) -> ApiError {
        match error {
            ConversationError::NotFound { what, .. } => ApiError::not_found(what),
            ConversationError::Store(error) => error.into(),
            ConversationError::Space(error) => error.into(),
        }
    }
}
