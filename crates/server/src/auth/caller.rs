//! The authenticated caller of a request, and the scope that follows from it.

use std::sync::Arc;

use axum::extract::{FromRequestParts, MatchedPath};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, header};
use jiff::Timestamp;
use recalld_memory::id::{ConversationId, MessageId, Namespace, UserId};
use recalld_memory::scope::Scope;

use super::gate::Checked;
use super::proof::{Identity, Role};
use super::token::TokenError;
use crate::app::App;
use crate::error::{ApiError, Code};

/// The header in which a service names the user it acts for.
const USER: HeaderName = HeaderName::from_static("recalld-user");
const CONVERSATION: HeaderName = HeaderName::from_static("recalld-conversation");
const MESSAGE: HeaderName = HeaderName::from_static("recalld-message");
const API_KEY: HeaderName = HeaderName::from_static("x-api-key");

/// Whoever proved who they are.
#[derive(Clone, Debug)]
pub(crate) struct Caller {
    identity: Arc<Identity>,
    /// The user whom the request names.
    named: Option<UserId>,
    conversation: Option<ConversationId>,
    message: Option<MessageId>,
    now: Timestamp,
    /// Whether the key or token was checked just now. Who was known only before the store went away
    /// gets nothing that is stored.
    proven: bool,
    /// Set for a request that must not be carried out twice.
    pub(crate) once: Option<[u8; 32]>,
}

impl Caller {
    /// Opens the space of the user that the caller is or acts for.
    pub(crate) fn scope(&self) -> Result<Scope, ApiError> {
        let Some(user) = self.user().cloned() else {
            let detail = "this key acts for users, and the request names none";
            return Err(ApiError::new(Code::InvalidRequest, detail)
                .hint("send the user's id in the header Recalld-User"));
        };
        let actor = self.identity.actor.clone();
        let mut scope = match &self.identity.namespace {
            Some(namespace) => Scope::of_user_in(namespace, user, actor, self.now),
            None => Scope::of_user(user, actor, self.now),
        };
        scope.conversation = self.conversation.clone();
        scope.message = self.message.clone();
        scope.once = self.once;
        Ok(scope)
    }

    /// The user that the caller is, or acts for.
    pub(crate) fn user(&self) -> Option<&UserId> {
        match &self.identity.role {
            Role::User(own) => Some(own),
            Role::Service | Role::Admin => self.named.as_ref(),
        }
    }

    /// The same caller, acting for `user`. A user's own key or token acts for that user alone.
    pub(crate) fn acting_for(self, user: UserId) -> Result<Caller, ApiError> {
        match self.user() {
            Some(own) if *own != user => Err(ApiError::new(
                Code::Forbidden,
                "this key or token does not act for that user",
            )),
            _ => Ok(Caller {
                named: Some(user),
                ..self
            }),
        }
    }

    /// Names what the key may do: `user`, `service` or `admin`.
    pub(crate) fn kind(&self) -> &'static str {
        match &self.identity.role {
            Role::User(_) => "user",
            Role::Service => "service",
            Role::Admin => "admin",
        }
    }

    /// The namespace to which the key is confined, if it is.
    pub(crate) fn namespace(&self) -> Option<&Namespace> {
        self.identity.namespace.as_ref()
    }

    /// Names whose requests are counted together.
    pub(crate) fn counted_as(&self) -> &String {
        &self.identity.counted_as
    }

    /// Tells whether the caller may see what is stored.
    pub(crate) fn is_proven(&self) -> bool {
        self.proven
    }

    /// Tells the time of the request.
    pub(crate) fn now(&self) -> Timestamp {
        self.now
    }
}

/// A caller who may administer.
#[derive(Clone, Debug)]
pub(crate) struct Administrator(pub(crate) Caller);

impl Administrator {
    /// Opens the space that all may read, in which only administrators write.
    pub(crate) fn shared_scope(&self) -> Scope {
        let actor = &self.0.identity.actor;
        let by = UserId::new(actor.as_str()).expect("an actor is short and printable");
        Scope::of_shared(by, actor.clone(), self.0.now)
    }
}

impl From<TokenError> for ApiError {
    fn from(error: TokenError) -> ApiError {
        match error {
            TokenError::KeysUnavailable => ApiError::new(Code::Busy, error.to_string()).retry_after(5),
            _ => ApiError::new(Code::Unauthenticated, error.to_string()),
        }
    }
}

/// The routes that go on without anything that is stored.
const TALKS: [&str; 2] = ["/api/chat", "/openai/v1/chat/completions"];

/// Finds out who asks; nobody gets further who cannot say, and who was only known a while ago gets
/// no further than to talk.
pub(crate) async fn authenticate(
    app: &App,
    headers: &HeaderMap,
    route: Option<&MatchedPath>,
) -> Result<Caller, ApiError> {
    let caller = identify(app, headers).await?;
    if !caller.proven && !route.is_some_and(|route| TALKS.contains(&route.as_str())) {
        let detail = "keys cannot be checked at the moment";
        return Err(ApiError::new(Code::StorageUnavailable, detail).retry_after(2));
    }
    Ok(caller)
}

async fn identify(app: &App, headers: &HeaderMap) -> Result<Caller, ApiError> {
    let presented = presented(headers)?;
    let now = app.ports.clock.now();
    let named = header(headers, &USER)?
        .map(UserId::new)
        .transpose()
        .map_err(|error| bad_header(&USER, &error))?;
    let Checked { identity, proven } = prove(app, presented, now).await?;
    if let (Role::User(own), Some(named)) = (&identity.role, &named)
        && own != named
    {
        let detail = "a user's key or token acts for that user alone";
        return Err(
            ApiError::new(Code::Forbidden, detail).hint("leave out Recalld-User, or use a service key")
        );
    }
    let conversation = header(headers, &CONVERSATION)?
        .map(ConversationId::new)
        .transpose();
    let message = header(headers, &MESSAGE)?.map(MessageId::new).transpose();
    Ok(Caller {
        identity,
        named,
        conversation: conversation.map_err(|error| bad_header(&CONVERSATION, &error))?,
        message: message.map_err(|error| bad_header(&MESSAGE, &error))?,
        now,
        proven,
        once: None,
    })
}

async fn prove(app: &App, presented: &str, now: Timestamp) -> Result<Checked, ApiError> {
    let is_token = !presented.starts_with("rk_") && presented.matches('.').count() == 2;
    if let Some(tokens) = app.tokens.as_ref().filter(|_| is_token) {
        let user = tokens.user(presented).await?;
        return Ok(Checked {
            identity: Arc::new(Identity::of_token(user)),
            proven: true,
        });
    }
    let checked = app.gate.check(presented, now).await?;
    checked.ok_or_else(|| ApiError::new(Code::Unauthenticated, "the key is not valid"))
}

/// Finds the key: `Authorization: Bearer …`, or `X-API-Key` as many clients send it.
pub(crate) fn presented(headers: &HeaderMap) -> Result<&str, ApiError> {
    let missing = || {
        ApiError::new(Code::Unauthenticated, "the request carries no key")
            .hint("send Authorization: Bearer <key>")
    };
    if let Some(value) = headers.get(header::AUTHORIZATION) {
        let value = value.to_str().map_err(|_| missing())?;
        let (scheme, key) = value.split_once(' ').ok_or_else(missing)?;
        return match scheme.eq_ignore_ascii_case("bearer") {
            true => Ok(key.trim()),
            false => Err(missing()),
        };
    }
    headers
        .get(&API_KEY)
        .and_then(|key| key.to_str().ok())
        .ok_or_else(missing)
}

/// Reads a header that may hold any text. A header that is given twice could mean two things, and
/// means none.
fn header<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Result<Option<&'h str>, ApiError> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => {
            let text =
                std::str::from_utf8(value.as_bytes()).map_err(|_| bad_header(name, &"it is not UTF-8"))?;
            Ok(Some(text.trim()))
        }
        (Some(_), Some(_)) => Err(bad_header(name, &"it is given twice")),
    }
}

fn bad_header(name: &HeaderName, reason: &dyn std::fmt::Display) -> ApiError {
    ApiError::new(Code::InvalidRequest, format!("header {name}: {reason}"))
}

impl<S: Send + Sync> FromRequestParts<S> for Caller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Caller, ApiError> {
        let caller = parts.extensions.get::<Caller>().cloned();
        // Only a route outside the guarded part has none: refuse rather than guess.
        caller.ok_or_else(|| ApiError::new(Code::Unauthenticated, "the request carries no key"))
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Administrator {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Administrator, ApiError> {
        let caller = Caller::from_request_parts(parts, state).await?;
        match (&caller.identity.role, &caller.identity.namespace) {
            (Role::Admin, None) => Ok(Administrator(caller)),
            (Role::Admin, Some(_)) => Err(ApiError::new(
                Code::Forbidden,
                "this needs an admin key of the whole deployment",
            )),
            (Role::User(_) | Role::Service, _) => {
                Err(ApiError::new(Code::Forbidden, "this needs an admin key"))
            }
        }
    }
}
