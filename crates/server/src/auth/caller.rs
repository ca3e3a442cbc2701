//! The authenticated caller of a request, and the scope that follows from it.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use jiff::Timestamp;
use recalld_memory::id::{ConversationId, MessageId, Namespace, SpaceId, UserId};
use recalld_memory::memory::Project;
use recalld_memory::scope::Scope;

use super::identity::{Identity, Role};
use crate::access_log::LoggedCaller;
use crate::error::{ApiError, Code};
use crate::receipt::PendingReceipt;

/// An authenticated caller.
#[derive(Clone, Debug)]
pub(crate) struct Caller {
    pub(super) identity: Arc<Identity>,
    /// The user whom the request names.
    pub(super) named: Option<UserId>,
    pub(super) conversation: Option<ConversationId>,
    pub(super) message: Option<MessageId>,
    /// The project in which the request happens.
    pub(super) project: Option<Project>,
    pub(super) now: Timestamp,
    /// Whether the key or token was checked just now. A caller that was known only before the store
    /// became unavailable gets nothing that is stored.
    pub(super) proven: bool,
    /// Set for a request that must not be carried out twice: the seed of the ids that it makes.
    pub(crate) once: Option<[u8; 32]>,
    /// Set for the same: what is to be stored together with what the request changes.
    pub(crate) receipt: Option<Arc<PendingReceipt>>,
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
        scope.project = self.project.clone();
        scope.confined = self.identity.scopes.project().is_some();
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

    /// Gives the space whose outcomes the caller may ask for: the user's, or else the shared one.
    pub(crate) fn space(&self) -> SpaceId {
        self.scope()
            .map_or_else(|_| SpaceId::shared(), |scope| scope.space().clone())
    }

    /// Opens the space that all may read, to read in it.
    pub(crate) fn shared_scope(&self) -> Scope {
        let actor = &self.identity.actor;
        let by = UserId::new(actor.as_str()).expect("an actor is short and printable");
        Scope::of_shared(by, actor.clone(), self.now)
    }

    /// Fails unless the caller is an administrator of the whole deployment.
    pub(crate) fn require_admin(&self) -> Result<(), ApiError> {
        match (&self.identity.role, &self.identity.namespace) {
            (Role::Admin, None) => Ok(()),
            (Role::Admin, Some(_)) => Err(ApiError::new(
                Code::Forbidden,
                "this needs an admin key of the whole deployment",
            )),
            (Role::User(_) | Role::Service, _) => {
                Err(ApiError::new(Code::Forbidden, "this needs an admin key"))
            }
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

    /// What the log may know of the caller.
    pub(crate) fn logged(&self) -> LoggedCaller {
        LoggedCaller {
            key: self.identity.actor.as_str().to_owned(),
            user: self.user().map(ToString::to_string),
        }
    }

    /// Lists what the key may do.
    pub(crate) fn scopes(&self) -> Vec<String> {
        self.identity.scopes.words()
    }

    /// The project to which the key is confined, if it is.
    pub(crate) fn confined_to(&self) -> Option<&Project> {
        self.identity.scopes.project()
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
        self.0.shared_scope()
    }
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
        caller.require_admin()?;
        Ok(Administrator(caller))
    }
}
