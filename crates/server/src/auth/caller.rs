//! The authenticated caller of a request, and the scope that follows from it.

use axum::extract::{FromRequestParts, MatchedPath};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use jiff::Timestamp;
use recalld_memory::change::Actor;
use recalld_memory::id::{ConversationId, MessageId, Namespace, UserId};
use recalld_memory::ports::KeyKind;
use recalld_memory::scope::Scope;

use super::gate::Checked;
use super::token::TokenError;
use crate::app::App;
use crate::error::{ApiError, Code};

/// The header in which a service names the user it acts for.
const USER: &str = "recalld-user";
const CONVERSATION: &str = "recalld-conversation";
const MESSAGE: &str = "recalld-message";

/// The actor of whoever comes with a token.
const TOKEN: &str = "token";

/// Whoever proved who they are.
#[derive(Clone, Debug)]
pub(crate) struct Caller {
    user: Option<UserId>,
    namespace: Option<Namespace>,
    actor: Actor,
    is_admin: bool,
    conversation: Option<ConversationId>,
    message: Option<MessageId>,
    now: Timestamp,
    /// Whether the key or token was checked just now. Who was known only before the store went away gets nothing that is stored.
    proven: bool,
    /// Set for a request that must not be carried out twice.
    pub(crate) once: Option<[u8; 32]>,
}

impl Caller {
    /// Opens the space of the user that the caller is or acts for.
    pub(crate) fn scope(&self) -> Result<Scope, ApiError> {
        let Some(user) = self.user.clone() else {
            let detail = "this key acts for users, and the request names none";
            return Err(ApiError::new(Code::InvalidRequest, detail)
                .hint("send the user's id in the header Recalld-User"));
        };
        let actor = self.actor.clone();
        let mut scope = match &self.namespace {
            Some(namespace) => Scope::of_user_in(namespace, user, actor, self.now),
            None => Scope::of_user(user, actor, self.now),
        };
        scope.conversation = self.conversation.clone();
        scope.message = self.message.clone();
        scope.once = self.once;
        Ok(scope)
    }

    /// The same caller, acting for `user`. A user's own key or token acts for that user alone.
    pub(crate) fn acting_for(self, user: UserId) -> Result<Caller, ApiError> {
        match &self.user {
            Some(own) if *own != user => Err(ApiError::new(
                Code::Forbidden,
                "this key or token does not act for that user",
            )),
            _ => Ok(Caller {
                user: Some(user),
                ..self
            }),
        }
    }

    /// Names whose requests are counted together: a key's, or those of one user's tokens.
    pub(crate) fn counted_as(&self) -> String {
        match (&self.user, self.actor.as_str()) {
            (Some(user), TOKEN) => format!("{TOKEN}:{user}"),
            (_, key) => key.to_owned(),
        }
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
        let by = UserId::new(self.0.actor.as_str()).expect("an actor is short and printable");
        Scope::of_shared(by, self.0.actor.clone(), self.0.now)
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

/// Finds out who asks; nobody gets further who cannot say, and who was only known a while ago gets no further than to talk.
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
    let named = header(headers, USER)?
        .map(UserId::new)
        .transpose()
        .map_err(|error| bad_header(USER, &error))?;
    let proof = prove(app, presented, now).await?;
    let (user, is_admin) = match proof.role {
        Role::User(user) if named.as_ref().is_none_or(|named| *named == user) => (Some(user), false),
        Role::User(_) => {
            let detail = "a user's key or token acts for that user alone";
            return Err(
                ApiError::new(Code::Forbidden, detail).hint("leave out Recalld-User, or use a service key")
            );
        }
        Role::Service => (named, false),
        Role::Admin => (named, true),
    };
    let conversation = header(headers, CONVERSATION)?
        .map(ConversationId::new)
        .transpose();
    let message = header(headers, MESSAGE)?.map(MessageId::new).transpose();
    Ok(Caller {
        user,
        namespace: proof.namespace,
        actor: proof.actor,
        is_admin,
        conversation: conversation.map_err(|error| bad_header(CONVERSATION, &error))?,
        message: message.map_err(|error| bad_header(MESSAGE, &error))?,
        now,
        proven: proof.proven,
        once: None,
    })
}

/// What a key or token proves.
struct Proof {
    role: Role,
    namespace: Option<Namespace>,
    actor: Actor,
    proven: bool,
}

enum Role {
    User(UserId),
    Service,
    Admin,
}

async fn prove(app: &App, presented: &str, now: Timestamp) -> Result<Proof, ApiError> {
    let is_token = !presented.starts_with("rk_") && presented.matches('.').count() == 2;
    if let Some(tokens) = app.tokens.as_ref().filter(|_| is_token) {
        let user = tokens.user(presented).await?;
        return Ok(Proof {
            role: Role::User(user),
            namespace: None,
            actor: Actor::new(TOKEN),
            proven: true,
        });
    }
    let Some(Checked { key, proven }) = app.gate.check(presented, now).await? else {
        return Err(ApiError::new(Code::Unauthenticated, "the key is not valid"));
    };
    let role = match key.kind {
        KeyKind::User { user } => Role::User(user),
        KeyKind::Service => Role::Service,
        KeyKind::Admin => Role::Admin,
    };
    Ok(Proof {
        role,
        namespace: key.namespace,
        actor: Actor::new(&key.id),
        proven,
    })
}

/// Finds the key: `Authorization: Bearer …`, or `X-API-Key` as many clients send it.
fn presented(headers: &HeaderMap) -> Result<&str, ApiError> {
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
        .get("x-api-key")
        .and_then(|key| key.to_str().ok())
        .ok_or_else(missing)
}

/// Reads a header that may hold any text. A header that is given twice could mean two things, and means none.
fn header<'h>(headers: &'h HeaderMap, name: &'static str) -> Result<Option<&'h str>, ApiError> {
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

fn bad_header(name: &str, reason: &dyn std::fmt::Display) -> ApiError {
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
        match (caller.is_admin, &caller.namespace) {
            (true, None) => Ok(Administrator(caller)),
            (true, Some(_)) => Err(ApiError::new(
                Code::Forbidden,
                "this needs an admin key of the whole deployment",
            )),
            (false, _) => Err(ApiError::new(Code::Forbidden, "this needs an admin key")),
        }
    }
}
