//! What happens around every request: its id and log line, limits, time-outs, compression, and for
//! most routes authentication.
//!
//! All of it is one layer, because each layer costs every request a copy of the service inside it
//! and a future on the heap. What it does for a route follows from the route's [`RoutePolicy`].

mod body_timeout;
mod compression;
mod cors;
mod guards;
mod metrics;
mod request_id;
mod request_span;
mod space_owner;
mod unpersisted;
mod write;

use std::convert::Infallible;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Instant;

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use futures::FutureExt;
use futures::future::BoxFuture;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tower::{Layer, Service};
use tower_http::cors::CorsLayer;

use crate::access_log::Served;
use crate::app::{App, Persistence};
use crate::auth::{Caller, Permission, Unproven};
use crate::error::{ApiError, Code};
use crate::extract::{BodyLimits, read_body};
use crate::host_check::HostCheck;
use crate::idempotency;
use crate::inner_service::{InnerService, call};
use crate::route_policy::{
    Access, Answers, BodySize, Bounds, QueryParameters, Repetition, RoutePolicy, ScopeRule,
};
use body_timeout::with_timeout;
use compression::AcceptedEncoding;
pub(crate) use guards::{guard, guard_tools};
use guards::{refuse_key_in_address, refuse_query};
use metrics::{RequestLabels, RouteMetrics};
use request_id::REQUEST_ID;
use write::Deadline;

/// Makes the layers of all routes.
#[derive(Clone, Debug)]
pub(crate) struct RouteLayers(Arc<Shared>);

/// What all routes share.
#[derive(Debug)]
struct Shared {
    app: App,
    /// How many more requests may be served at a time.
    permits: Arc<Semaphore>,
    cors: Option<CorsLayer>,
    /// The names by which REST may be addressed; none: any.
    host_check: Option<HostCheck>,
}

impl RouteLayers {
    pub(crate) fn new(app: &App) -> RouteLayers {
        let host_check = || HostCheck::new(&app.mcp, &app.limits.cors_origins);
        RouteLayers(Arc::new(Shared {
            app: app.clone(),
            permits: Arc::new(Semaphore::new(app.limits.concurrent_max)),
            cors: cors::of(&app.limits.cors_origins),
            host_check: app.checks_host.then(host_check),
        }))
    }

    fn layer(&self, policy: RoutePolicy) -> RouteLayer {
        RouteLayer {
            shared: Arc::clone(&self.0),
            policy,
        }
    }

    /// The layer of a route for anybody.
    pub(crate) fn open(&self) -> RouteLayer {
        self.layer(RoutePolicy::OPEN)
    }

    /// The layer of a route that answers whatever else happens.
    pub(crate) fn unlimited(&self) -> RouteLayer {
        self.layer(RoutePolicy {
            bounds: Bounds::None,
            ..RoutePolicy::OPEN
        })
    }

    /// The layer of a route for callers.
    pub(crate) fn caller(&self) -> RouteLayer {
        self.layer(RoutePolicy::CALLER)
    }

    /// The layer of a route for administrators.
    pub(crate) fn admin(&self) -> RouteLayer {
        self.layer(RoutePolicy::ADMIN)
    }
}

/// The layer of one route.
#[derive(Clone, Debug)]
pub(crate) struct RouteLayer {
    shared: Arc<Shared>,
    policy: RoutePolicy,
}

impl RouteLayer {
    /// The route reads parameters of the query string.
    pub(crate) fn with_query(mut self) -> RouteLayer {
        self.policy.query = QueryParameters::Handled;
        self
    }

    /// The answers belong to a user, though the layer asks for no caller: inner layers do, or the
    /// handler.
    pub(crate) fn with_private_answers(mut self) -> RouteLayer {
        self.policy.answers = Answers::Private;
        self
    }

    /// A request with an `Idempotency-Key` is carried out once.
    pub(crate) fn idempotent(mut self) -> RouteLayer {
        self.policy.repetition = Repetition::Idempotent;
        self
    }

    /// The body may be as large as a document.
    pub(crate) fn with_documents(mut self) -> RouteLayer {
        self.policy.body = BodySize::Document;
        self
    }

    /// The handler reads the body piece by piece, as large as a document.
    pub(crate) fn with_streamed_body(mut self) -> RouteLayer {
        self.policy.body = BodySize::Streamed;
        self
    }

    /// The route only reads, though it is called by POST.
    pub(crate) fn reading(mut self) -> RouteLayer {
        self.policy = self.policy.reading();
        self
    }

    /// The route calls tools: the handler asks for the scope of the tool.
    pub(crate) fn for_tools(mut self) -> RouteLayer {
        self.policy.scope = ScopeRule::ByTool;
        self
    }

    /// The route is about the key itself, and takes any.
    pub(crate) fn for_any_key(mut self) -> RouteLayer {
        self.policy.scope = ScopeRule::AnyKey;
        self
    }

    /// The route works without anything that is stored.
    pub(crate) fn without_store(mut self) -> RouteLayer {
        self.policy.unproven = Unproven::Accepted;
        self
    }
}

impl<S> Layer<S> for RouteLayer {
    type Service = RouteService<S>;

    fn layer(&self, inner: S) -> RouteService<S> {
        RouteService(Arc::new(Route {
            shared: Arc::clone(&self.shared),
            policy: self.policy,
            metrics: RouteMetrics::default(),
            inner,
        }))
    }
}

/// A route with its layer. Cloning it copies nothing.
#[derive(Debug)]
pub(crate) struct RouteService<S>(Arc<Route<S>>);

impl<S> Clone for RouteService<S> {
    fn clone(&self) -> RouteService<S> {
        RouteService(Arc::clone(&self.0))
    }
}

impl<S: InnerService + Sync + 'static> Service<Request> for RouteService<S> {
    type Response = Response;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Response, Infallible>>;

    fn poll_ready(&mut self, _context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let route = Arc::clone(&self.0);
        Box::pin(async move { Ok(route.observed(request).await) })
    }
}

#[derive(Debug)]
struct Route<S> {
    shared: Arc<Shared>,
    policy: RoutePolicy,
    metrics: RouteMetrics,
    inner: S,
}

impl<S: InnerService + Sync + 'static> Route<S> {
    /// Gives each request an id, one line in the log and its place in the metrics. Neither holds
    /// content, query or user.
    async fn observed(self: &Arc<Self>, request: Request) -> Response {
        let began = Instant::now();
        let labels = RequestLabels::new(request.method().clone(), request.extensions().get().cloned());
        let id = request_id::of(request.headers());
        let span = request_span::begin(&self.shared.app, request.headers(), &labels);
        let mut response = span.around(self.limited(request)).await;
        let (status, took) = (response.status(), began.elapsed());
        self.metrics.record(&labels, status, took);
        let served = Served {
            request: id.to_str().unwrap_or_default(),
            method: &labels.method,
            route: labels.route(),
            status,
            took,
            caller: response.extensions_mut().remove(),
        };
        served.log(self.shared.app.access_log.as_deref());
        request_span::end(span, &labels, id.to_str().unwrap_or_default(), status);
        let headers = response.headers_mut();
        headers.insert(REQUEST_ID, id);
        headers.insert(
            header::X_CONTENT_TYPE_OPTIONS,
            HeaderValue::from_static("nosniff"),
        );
        if self.policy.answers == Answers::Private {
            headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        }
        response
    }

    /// Refuses what is too much instead of letting everybody wait.
    async fn limited(self: &Arc<Self>, request: Request) -> Response {
        if self.policy.bounds == Bounds::None {
            return self.encoded(request, None).await;
        }
        let Ok(permit) = Arc::clone(&self.shared.permits).try_acquire_owned() else {
            return ApiError::new(Code::Busy, "too many requests at a time")
                .retry_after(1)
                .into_response();
        };
        let deadline = Deadline::after(self.shared.app.limits.request_timeout, permit);
        let Some(cors) = &self.shared.cors else {
            return self.encoded(request, Some(deadline)).await;
        };
        let mut deadline = Some(deadline);
        let inner = tower::service_fn(move |request| {
            let (route, deadline) = (Arc::clone(self), deadline.take());
            async move { Ok::<_, Infallible>(route.encoded(request, deadline).await) }
        });
        let Ok(response) = Box::pin(cors.layer(inner).call(request)).await;
        response
    }

    /// Bounds the pauses of the body, and gives the answer in an encoding that the client accepts,
    /// even when the handler fails.
    async fn encoded(self: &Arc<Self>, request: Request, deadline: Option<Deadline>) -> Response {
        let accepted = AcceptedEncoding::of(request.headers());
        let request = request.map(|body| with_timeout(body, self.shared.app.limits.body_timeout));
        let answer = AssertUnwindSafe(self.answered(request, deadline)).catch_unwind();
        let answer = answer.await.unwrap_or_else(|_| failed());
        accepted.applied(answer).await
    }

    /// Admits the request and runs the handler. A read that takes too long is abandoned; a write is
    /// not, because nobody could say how much of it was done.
    async fn answered(self: &Arc<Self>, request: Request, deadline: Option<Deadline>) -> Response {
        let Some(deadline) = deadline else {
            return match self.admitted(request).await {
                Ok((caller, request)) => self.handled(caller, request).await,
                Err(error) => error.into_response(),
            };
        };
        let admitted = tokio::time::timeout_at(deadline.at, self.admitted(request)).await;
        let (caller, request) = match admitted {
            Ok(Ok(admitted)) => admitted,
            Ok(Err(error)) => return error.into_response(),
            Err(_) => return overdue(),
        };
        let logged = caller.as_ref().map(Caller::logged);
        let owner = caller
            .as_ref()
            .and_then(|caller| space_owner::of(caller, &self.shared.app.limits.peers));
        let mut response = if self.policy.writes(request.method()) {
            let answer = write::run(self, caller, request, deadline).await;
            match self.shared.app.persistence {
                Persistence::Fallback => unpersisted::marked(answer).await,
                Persistence::Stored | Persistence::Volatile => answer,
            }
        } else {
            let answer = tokio::time::timeout_at(deadline.at, self.handled(caller, request)).await;
            answer.unwrap_or_else(|_| overdue())
        };
        if let Some(logged) = logged {
            response.extensions_mut().insert(logged);
        }
        if let Some(owner) = owner {
            response.headers_mut().insert(space_owner::HEADER, owner);
        }
        response
    }

    /// Checks whether the request may reach the handler. The body of a write is read here: while
    /// it arrives, nothing has been written.
    async fn admitted(&self, mut request: Request) -> Result<(Option<Caller>, Request), ApiError> {
        let (shared, policy) = (&self.shared, &self.policy);
        refuse_key_in_address(&request)?;
        if policy.query == QueryParameters::None {
            refuse_query(&request)?;
        }
        let limits = &shared.app.limits;
        request.extensions_mut().insert(BodyLimits {
            bytes_max: match policy.body {
                BodySize::Usual => limits.body_bytes_max,
                BodySize::Document | BodySize::Streamed => limits.document_body_bytes_max,
            },
            json_depth_max: limits.json_depth_max,
        });
        if policy.access == Access::Open {
            return Ok((None, request));
        }
        if let Some(host_check) = &shared.host_check {
            host_check.checked_host(&request)?;
        }
        let caller = identified(&shared.app, request.headers(), policy.unproven).await?;
        if let Some(needed) = policy.permission(request.method()) {
            caller.require_within(needed, policy.extent)?;
            if needed == Permission::Write {
                shared.app.write_limit.check(&caller)?;
            }
        }
        if policy.access == Access::Admin {
            caller.require_admin()?;
        }
        if policy.writes(request.method()) && policy.body != BodySize::Streamed {
            let (parts, body) = request.into_parts();
            let body = read_body(&parts.extensions, body).await?;
            request = Request::from_parts(parts, body.into());
        }
        Ok((Some(caller), request))
    }

    async fn handled(&self, caller: Option<Caller>, mut request: Request) -> Response {
        let inner = self.inner.clone();
        let Some(caller) = caller else {
            return call(inner, request).await;
        };
        if self.policy.repetition == Repetition::Idempotent && idempotency::is_keyed(&request) {
            // On the heap, so that the many requests without a key need no room for it.
            let idempotency = self.shared.app.idempotency();
            let once = Box::pin(async move { idempotency.once(caller, request, inner).await });
            return once.await.unwrap_or_else(IntoResponse::into_response);
        }
        request.extensions_mut().insert(caller);
        call(inner, request).await
    }
}

/// Finds out who calls, and whether they may call now.
async fn identified(app: &App, headers: &HeaderMap, unproven: Unproven) -> Result<Caller, ApiError> {
    let caller = app.authenticator.authenticate(headers, unproven).await?;
    app.rate_limit.check(&caller)?;
    Ok(caller)
}

fn overdue() -> Response {
    ApiError::new(Code::Overdue, "the answer was not ready in time")
        .retry_after(2)
        .into_response()
}

fn failed() -> Response {
    ApiError::new(Code::Internal, "the server failed").into_response()
}

/// The right to be served, which a write keeps until it is done.
type Permit = OwnedSemaphorePermit;
