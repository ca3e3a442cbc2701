//! What stands around every request: its id and log line, limits, time-outs, compression, and for
//! most of them a caller.
//!
//! All of it is one layer, because each one costs every request a copy of what is inside it and a
//! future on the heap.

mod compression;
mod cors;
mod figures;
mod pace;
mod rates;
mod request_id;

pub(crate) use rates::Rates;

use std::convert::Infallible;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Instant;

use axum::extract::{Request, State};
use axum::http::{HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures::FutureExt;
use futures::future::BoxFuture;
use tokio::sync::Semaphore;
use tower::{Layer, Service};
use tower_http::cors::CorsLayer;

use crate::app::App;
use crate::auth;
use crate::error::{ApiError, Code};
use crate::once;
use compression::Wanted;
use figures::{Asked, Figures};
use pace::paced;
use request_id::REQUEST_ID;

/// A route, or what stands around it.
pub(crate) trait Inner:
    Service<Request, Response = Response, Error = Infallible, Future: Send> + Clone + Send
{
}

impl<S> Inner for S where
    S: Service<Request, Response = Response, Error = Infallible, Future: Send> + Clone + Send
{
}

/// Puts what stands around every request around a route.
#[derive(Clone, Debug)]
pub(crate) struct Surroundings {
    house: Arc<House>,
    door: Door,
}

/// Who may pass.
#[derive(Clone, Copy, Debug)]
enum Door {
    Open,
    Guarded,
}

/// What all routes have in common.
#[derive(Debug)]
struct House {
    app: App,
    /// How many requests are served at a time.
    places: Semaphore,
    cors: Option<CorsLayer>,
}

impl Surroundings {
    pub(crate) fn new(app: &App) -> Surroundings {
        let house = House {
            app: app.clone(),
            places: Semaphore::new(app.limits.concurrent_max),
            cors: cors::of(&app.limits.cors_origins),
        };
        Surroundings {
            house: Arc::new(house),
            door: Door::Open,
        }
    }

    /// The same for routes that need a caller: see [`guard`].
    pub(crate) fn guarded(&self) -> Surroundings {
        Surroundings {
            house: Arc::clone(&self.house),
            door: Door::Guarded,
        }
    }
}

impl<S> Layer<S> for Surroundings {
    type Service = Surrounded<S>;

    fn layer(&self, inner: S) -> Surrounded<S> {
        Surrounded(Arc::new(Place {
            house: Arc::clone(&self.house),
            door: self.door,
            figures: Figures::default(),
            inner,
        }))
    }
}

/// A route with all that stands around it. Every request takes a clone, so that is one count more
/// and no copy.
#[derive(Debug)]
pub(crate) struct Surrounded<S>(Arc<Place<S>>);

impl<S> Clone for Surrounded<S> {
    fn clone(&self) -> Surrounded<S> {
        Surrounded(Arc::clone(&self.0))
    }
}

impl<S: Inner + Sync + 'static> Service<Request> for Surrounded<S> {
    type Response = Response;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Response, Infallible>>;

    fn poll_ready(&mut self, _context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let place = Arc::clone(&self.0);
        Box::pin(async move { Ok(place.observe(request).await) })
    }
}

#[derive(Debug)]
struct Place<S> {
    house: Arc<House>,
    door: Door,
    figures: Figures,
    inner: S,
}

impl<S: Inner + Sync> Place<S> {
    /// Gives each request an id, one line in the log and its place in the metrics. Neither holds
    /// content, query or user.
    async fn observe(&self, request: Request) -> Response {
        let began = Instant::now();
        let asked = Asked::new(request.method().clone(), request.extensions().get().cloned());
        let id = request_id::of(request.headers());
        let mut response = self.bound(request).await;
        let (status, took) = (response.status(), began.elapsed());
        self.figures.note(&asked, status, took);
        tracing::info!(target: "recalld::http", request = id.to_str().unwrap_or_default(), method = %asked.method,
            route = asked.route(), status = status.as_u16(), micros = took.as_micros() as u64, "request served");
        let headers = response.headers_mut();
        headers.insert(REQUEST_ID, id);
        headers.insert(
            header::X_CONTENT_TYPE_OPTIONS,
            HeaderValue::from_static("nosniff"),
        );
        response
    }

    /// Turns away what is too much instead of letting everybody wait, and gives up on an answer
    /// that takes too long.
    async fn bound(&self, request: Request) -> Response {
        let Ok(_place) = self.house.places.try_acquire() else {
            return ApiError::new(Code::Busy, "too many requests at a time")
                .retry_after(1)
                .into_response();
        };
        let answer = tokio::time::timeout(self.house.app.limits.request_timeout, self.open_to_pages(request));
        answer.await.unwrap_or_else(|_| {
            ApiError::new(Code::Overdue, "the answer was not ready in time")
                .retry_after(2)
                .into_response()
        })
    }

    /// Answers pages of the origins that are named.
    async fn open_to_pages(&self, request: Request) -> Response {
        let Some(cors) = &self.house.cors else {
            return self.carry(request).await;
        };
        let inner = tower::service_fn(async |request| Ok::<_, Infallible>(self.carry(request).await));
        let Ok(response) = Box::pin(cors.layer(inner).call(request)).await;
        response
    }

    /// Holds the body to its pace, and gives the answer as the client wants it, even when the
    /// handler fails.
    async fn carry(&self, request: Request) -> Response {
        let wanted = Wanted::of(request.headers());
        let request = request.map(|body| paced(body, self.house.app.limits.body_timeout));
        let answer = AssertUnwindSafe(self.pass(request)).catch_unwind().await;
        let answer =
            answer.unwrap_or_else(|_| ApiError::new(Code::Internal, "the server failed").into_response());
        wanted.applied(answer).await
    }

    async fn pass(&self, request: Request) -> Response {
        let inner = self.inner.clone();
        match self.door {
            Door::Open => run(inner, request).await,
            Door::Guarded => admit(&self.house.app, request, inner)
                .await
                .unwrap_or_else(IntoResponse::into_response),
        }
    }
}

/// Runs what is inside.
pub(crate) async fn run(mut inner: impl Inner, request: Request) -> Response {
    let Ok(response) = inner.call(request).await;
    response
}

/// Stands before what needs a caller and has its own layers.
pub(crate) async fn guard(
    State(app): State<App>,
    request: Request,
    next: Next,
) -> Result<Response, ApiError> {
    admit(&app, request, next).await
}

/// Finds out who asks, how often, and whether it was asked before.
async fn admit(app: &App, request: Request, inner: impl Inner) -> Result<Response, ApiError> {
    let caller = auth::authenticate(app, request.headers(), request.extensions().get()).await?;
    app.rates.check(&caller)?;
    Ok(once::carry_out(app, caller, request, inner).await)
}
