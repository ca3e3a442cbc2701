//! `POST /api/chat`: a message in, a reply out, plain or as a stream.

use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use recalld_agent::chat::{self, ChatRefusal, MemoryState, Request};
use recalld_agent::rollout::Mode;
use recalld_agent::wiring::AgentPorts;
use recalld_memory::conversation::MessageText;
use recalld_memory::id::{ConversationId, MessageId, UserId};
use recalld_memory::ports::ChatError;
use recalld_memory::ports::chat::{DaySpent, Part, Turn};
use serde::Deserialize;
use serde_json::{Map, Value};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouterExt};
use utoipa_axum::routes;

use crate::app::App;
use crate::auth::Caller;
use crate::chat_reply::{ChatReply, memory_for};
use crate::error::{ApiError, Code};
use crate::extract::{Json, Query};
use crate::middleware::RouteLayers;
use crate::stream::{self, Chunks, Own, Shape, Ui};

pub(super) fn router(layers: &RouteLayers) -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(chat).layer(layers.caller().with_query().without_store()))
}

/// A message: as `message`, or as `messages` with `id`, the way the AI SDK sends a chat.
#[derive(Debug, Deserialize, ToSchema)]
struct ChatBody {
    #[schema(example = "does this match my ICP?")]
    message: Option<String>,
    /// The conversation; a new one if none is named.
    session_id: Option<String>,
    /// The user, for a service key.
    user_id: Option<String>,
    /// `task` or `conversation`; chosen by the message if none is given.
    mode: Option<String>,
    /// A model of the deployment.
    model: Option<String>,
    /// Whether the reply comes as a stream.
    stream: Option<bool>,
    /// The AI SDK's id of the chat.
    id: Option<String>,
    /// The AI SDK's messages; the last one is answered.
    #[schema(value_type = Option<Vec<Object>>)]
    messages: Option<Vec<UiMessage>>,
    /// The AI SDK's reason, such as `regenerate-message`.
    trigger: Option<String>,
    /// The AI SDK's id of the message that is made again.
    #[serde(rename = "messageId")]
    message_id: Option<String>,
    #[serde(flatten)]
    #[schema(ignore)]
    others: Map<String, Value>,
}

/// A message as the AI SDK has it.
#[derive(Debug, Deserialize)]
struct UiMessage {
    id: Option<String>,
    role: String,
    #[serde(default)]
    parts: Vec<Value>,
    content: Option<String>,
}

impl UiMessage {
    fn text(&self) -> String {
        let texts = self.parts.iter().filter(|part| part["type"] == "text");
        let texts: Vec<&str> = texts.filter_map(|part| part["text"].as_str()).collect();
        match texts.is_empty() {
            true => self.content.clone().unwrap_or_default(),
            false => texts.join("\n"),
        }
    }

    fn files(&self) -> Vec<Part> {
        let image = |part: &&Value| {
            part["type"] == "file"
                && part["mediaType"]
                    .as_str()
                    .is_some_and(|kind| kind.starts_with("image/"))
        };
        let url = |part: &Value| {
            part["url"]
                .as_str()
                .map(|url| Part::Image { url: url.to_owned() })
        };
        self.parts.iter().filter(image).filter_map(url).collect()
    }

    fn turn(&self) -> Option<Turn> {
        let text = self.text();
        match self.role.as_str() {
            _ if text.trim().is_empty() => None,
            "user" => Some(Turn::user(text)),
            "assistant" => Some(Turn::assistant(text)),
            _ => None,
        }
    }
}

/// How the reply comes.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ChatParams {
    /// `ui` (AI SDK UI message stream), `events` (recalld's own), `openai` (chat completion chunks)
    /// or `none`.
    stream: Option<String>,
}

/// Replies to a message, with memory.
#[utoipa::path(post, path = "/api/chat", tag = "chat", request_body = ChatBody, params(ChatParams),
    responses((status = 200, body = ChatReply)))]
async fn chat(
    State(ports): State<AgentPorts>,
    caller: Caller,
    headers: HeaderMap,
    Query(params): Query<ChatParams>,
    Json(body): Json<ChatBody>,
) -> Result<Response, ApiError> {
    let form = reply_form(&params, &headers, &body)?;
    let caller = match &body.user_id {
        Some(user) => {
            let user = UserId::named(user.as_str()).map_err(|error| ApiError::field("/user_id", &error))?;
            caller.acting_for(user)?
        }
        None => caller,
    };
    let scope = caller.scope()?;
    let created = scope.now.as_second();
    let mut request = request(body, &scope.conversation)?;
    request.memory = memory_for(&caller);
    let talk = chat::begin(&ports, &scope, request).await?;
    match shape(form, created) {
        Some(shape) => Ok(stream::respond(talk, shape, None)),
        None => Ok(axum::Json(ChatReply::from(&stream::whole(talk).await?)).into_response()),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ReplyForm {
    Plain,
    Ui,
    Own,
    OpenAi,
}

/// The parameter has the first word, then the body, then `Accept`; a chat of the AI SDK is a stream
/// by itself.
fn reply_form(params: &ChatParams, headers: &HeaderMap, body: &ChatBody) -> Result<ReplyForm, ApiError> {
    if let Some(name) = &params.stream {
        return match name.as_str() {
            "ui" => Ok(ReplyForm::Ui),
            "events" => Ok(ReplyForm::Own),
            "openai" => Ok(ReplyForm::OpenAi),
            "none" => Ok(ReplyForm::Plain),
            _ => Err(ApiError::new(
                Code::InvalidRequest,
                "stream must be ui, events, openai or none",
            )),
        };
    }
    let accept = headers
        .get(header::ACCEPT)
        .and_then(|accept| accept.to_str().ok());
    let accept = accept.unwrap_or("");
    Ok(match body.stream {
        Some(true) => ReplyForm::Ui,
        Some(false) => ReplyForm::Plain,
        None if accept.contains("text/event-stream") => ReplyForm::Ui,
        None if accept.contains("application/json") => ReplyForm::Plain,
        None if body.messages.is_some() => ReplyForm::Ui,
        None => ReplyForm::Plain,
    })
}

fn shape(form: ReplyForm, created: i64) -> Option<Box<dyn Shape>> {
    match form {
        ReplyForm::Plain => None,
        ReplyForm::Ui => Some(Box::new(Ui::default())),
        ReplyForm::Own => Some(Box::new(Own)),
        ReplyForm::OpenAi => Some(Box::new(Chunks::new(created, Vec::new(), true))),
    }
}

fn request(body: ChatBody, named: &Option<ConversationId>) -> Result<Request, ApiError> {
    let is_chat = body.messages.is_some();
    // The AI SDK sends whatever fields its user adds; who writes a message by hand should learn of
    // a slip.
    if let Some(name) = body.others.keys().next().filter(|_| !is_chat) {
        let detail = format!("unknown field {name:?}");
        return Err(ApiError::new(Code::InvalidJson, detail.clone()).at(format!("/{name}"), detail));
    }
    let mode = body.mode.as_deref().map(|mode| {
        Mode::parse(mode).ok_or_else(|| ApiError::field("/mode", &"must be task or conversation"))
    });
    let conversation = body
        .session_id
        .as_deref()
        .or(body.id.as_deref().filter(|_| is_chat));
    let conversation = conversation.map(ConversationId::new).transpose();
    let conversation = conversation.map_err(|error| ApiError::field("/session_id", &error))?;
    let (mut messages, regenerates) = (
        body.messages.unwrap_or_default(),
        body.trigger.as_deref() == Some("regenerate-message"),
    );
    let asked = messages.iter().rposition(|message| message.role == "user");
    let (text, parts, message_id) = match (&body.message, asked) {
        (Some(text), _) => (text.clone(), Vec::new(), None),
        (None, Some(at)) => {
            messages.truncate(at + 1);
            let last = messages.remove(at);
            (last.text(), last.files(), last.id)
        }
        (None, None) => {
            return Err(ApiError::field("/message", &"is missing").hint("send {\"message\": \"…\"}"));
        }
    };
    let id = |id: Option<String>, pointer: &str| {
        let id = id.map(MessageId::new).transpose();
        id.map_err(|error| ApiError::field(pointer, &error))
    };
    Ok(Request {
        message: MessageText::new(text).map_err(|error| ApiError::field("/message", &error))?,
        parts,
        conversation: conversation.or_else(|| named.clone()),
        message_id: id(message_id, "/messages")?,
        sender: None,
        reply_id: id(body.message_id.filter(|_| regenerates), "/messageId")?,
        mode: mode.transpose()?,
        model: body.model.filter(|_| !is_chat),
        earlier: messages.iter().filter_map(UiMessage::turn).collect(),
        memory: MemoryState::On,
    })
}

impl From<ChatRefusal> for ApiError {
    fn from(refusal: ChatRefusal) -> ApiError {
        match refusal {
            ChatRefusal::NoModel => ApiError::new(Code::NoModel, refusal.to_string()).hint(
                "set OPENAI_API_KEY or ANTHROPIC_API_KEY, or openai.url for a server of your own; memory works without",
            ),
            ChatRefusal::UnknownModel { .. } => ApiError::field("/model", &refusal),
            ChatRefusal::Spent(spent) => day_spent(&spent),
            ChatRefusal::Message(error) => ApiError::field("/message", &error),
        }
    }
}

/// Tells when the user may spend tokens again.
fn day_spent(spent: &DaySpent) -> ApiError {
    ApiError::new(Code::RateLimited, spent.to_string())
        .retry_after(spent.wait.as_secs().max(1))
        .hint("wait, or ask the administrator to raise quotas.model_tokens_per_day_max")
}

impl From<&ChatError> for ApiError {
    fn from(error: &ChatError) -> ApiError {
        tracing::warn!(%error, "a model did not answer");
        match error {
            ChatError::Spent(spent) => day_spent(spent),
            ChatError::Unavailable { retry_after, .. } => {
                let seconds = retry_after.map_or(5, |pause| pause.as_secs().max(1));
                ApiError::new(Code::ModelUnavailable, error.to_string()).retry_after(seconds)
            }
            // What the caller sent is more than the model takes.
            ChatError::Refused {
                status: 400 | 413 | 422,
                ..
            } => ApiError::new(Code::InvalidRequest, error.to_string()),
            ChatError::Refused { .. } | ChatError::BadAnswer { .. } => {
                ApiError::new(Code::ModelFailed, error.to_string())
            }
        }
    }
}
