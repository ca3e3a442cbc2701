//! What a route asks of its callers, and how it is bounded. It stands where the route is declared.

use axum::http::Method;

use crate::auth::{Extent, Permission, Unproven};

/// The properties of a route.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RoutePolicy {
    pub(crate) access: Access,
    pub(crate) unproven: Unproven,
    pub(crate) query: QueryParameters,
    pub(crate) body: BodySize,
    pub(crate) repetition: Repetition,
    pub(crate) answers: Answers,
    pub(crate) bounds: Bounds,
    pub(crate) reads_by_post: bool,
    pub(crate) scope: ScopeRule,
    pub(crate) extent: Extent,
}

/// Which scope the key of a caller needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ScopeRule {
    /// Reading or writing, as the request does.
    ByRequest,
    /// The handler asks for the scope of the tool that is called.
    ByTool,
    /// None: the route is about the key itself.
    AnyKey,
}

/// Who may call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// Anybody, or whom an inner layer lets in.
    Open,
    /// Holders of a key or token.
    Caller,
    /// Administrators of the whole deployment.
    Admin,
}

/// Whether the route takes parameters in the query string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum QueryParameters {
    /// Any is refused: whoever sends one means something that would not be done.
    None,
    /// The handler reads them, and refuses those that it does not know.
    Handled,
}

/// How large a body may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BodySize {
    Usual,
    /// As large as a document.
    Document,
    /// As large as a document, and read by the handler piece by piece.
    Streamed,
}

/// What an `Idempotency-Key` does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Repetition {
    /// Nothing.
    Repeats,
    /// A repeated request gets the first answer.
    Idempotent,
}

/// What the answers hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answers {
    /// What everybody may see.
    Public,
    /// What belongs to a user: no cache may store it.
    Private,
}

/// Which limits hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bounds {
    /// The number of requests at a time, and the time-out.
    All,
    /// None: the route must answer whatever else happens.
    None,
}

impl RoutePolicy {
    /// A route for anybody, with public answers.
    pub(crate) const OPEN: RoutePolicy = RoutePolicy {
        access: Access::Open,
        unproven: Unproven::Refused,
        query: QueryParameters::None,
        body: BodySize::Usual,
        repetition: Repetition::Repeats,
        answers: Answers::Public,
        bounds: Bounds::All,
        reads_by_post: false,
        scope: ScopeRule::ByRequest,
        extent: Extent::Everything,
    };

    /// A route for callers, with private answers.
    pub(crate) const CALLER: RoutePolicy = RoutePolicy {
        access: Access::Caller,
        answers: Answers::Private,
        ..RoutePolicy::OPEN
    };

    /// A route for administrators, with private answers.
    pub(crate) const ADMIN: RoutePolicy = RoutePolicy {
        access: Access::Admin,
        ..RoutePolicy::CALLER
    };

    /// A route that only reads though it is called by POST, because its question is a body.
    pub(crate) const fn reading(self) -> RoutePolicy {
        RoutePolicy {
            reads_by_post: true,
            ..self
        }
    }

    /// Tells what the key of a request of this method must allow; none if the handler asks.
    pub(crate) fn permission(&self, method: &Method) -> Option<Permission> {
        match self.scope {
            ScopeRule::ByRequest if self.writes(method) => Some(Permission::Write),
            ScopeRule::ByRequest => Some(Permission::Read),
            ScopeRule::ByTool | ScopeRule::AnyKey => None,
        }
    }

    /// Tells whether a request of this method may change something.
    pub(crate) fn writes(&self, method: &Method) -> bool {
        !method.is_safe() && !self.reads_by_post
    }
}
