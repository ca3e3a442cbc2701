//! What stands around every request: its id and log line, limits, time-outs, compression.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderName, HeaderValue, Method, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use tokio::sync::Semaphore;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::cors::{AllowOrigin, CorsLayer};
use tower_http::timeout::RequestBodyTimeoutLayer;

use crate::app::App;
use crate::auth::{self, Caller};
use crate::error::{ApiError, Code};
use crate::once;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Puts the layers that need no caller around `router`.
pub(crate) fn around(router: Router<App>, app: &App) -> Router<App> {
    let limits = &app.limits;
    let router = router
        .layer(CatchPanicLayer::custom(|_| {
            ApiError::new(Code::Internal, "the server failed").into_response()
        }))
        .layer(CompressionLayer::new())
        .layer(RequestBodyTimeoutLayer::new(limits.body_timeout));
    let router = match limits.cors_origins.is_empty() {
        true => router,
        false => router.layer(cors(&limits.cors_origins)),
    };
    let bounds = Bounds {
        places: Arc::new(Semaphore::new(limits.concurrent_max)),
        time: limits.request_timeout,
    };
    router.layer(from_fn_with_state(bounds, observe))
}

fn cors(origins: &[String]) -> CorsLayer {
    let origins = origins
        .iter()
        .filter_map(|origin| HeaderValue::from_str(origin).ok());
    let methods = [
        Method::GET,
        Method::POST,
        Method::PUT,
        Method::PATCH,
        Method::DELETE,
    ];
    CorsLayer::new()
        .allow_origin(AllowOrigin::list(origins))
        .allow_methods(methods)
        .allow_headers(SENT_BY_PAGES.map(HeaderName::from_static))
        .expose_headers(READ_BY_PAGES.map(HeaderName::from_static))
}

/// The headers that a page may send, those of MCP among them.
const SENT_BY_PAGES: [&str; 14] = [
    "authorization",
    "x-api-key",
    "content-type",
    "if-match",
    "if-none-match",
    "idempotency-key",
    "recalld-conversation",
    "recalld-message",
    "recalld-user",
    "mcp-protocol-version",
    "mcp-session-id",
    "mcp-method",
    "mcp-name",
    "last-event-id",
];

/// The headers that a page may read.
const READ_BY_PAGES: [&str; 6] = [
    "etag",
    "retry-after",
    "idempotency-replayed",
    "x-request-id",
    "www-authenticate",
    "mcp-session-id",
];

/// How many requests are served at a time, and how long each may take.
#[derive(Clone, Debug)]
struct Bounds {
    places: Arc<Semaphore>,
    time: Duration,
}

impl Bounds {
    /// Turns away what is too much instead of letting everybody wait, and gives up on an answer that takes too long.
    async fn run(&self, request: Request, next: Next) -> Response {
        let Ok(_place) = self.places.try_acquire() else {
            return ApiError::new(Code::Busy, "too many requests at a time")
                .retry_after(1)
                .into_response();
        };
        let answer = tokio::time::timeout(self.time, next.run(request)).await;
        answer.unwrap_or_else(|_| {
            ApiError::new(Code::Overdue, "the answer was not ready in time")
                .retry_after(2)
                .into_response()
        })
    }
}

/// How often each caller may ask.
#[derive(Debug)]
pub(crate) struct Rates(DefaultKeyedRateLimiter<String>);

impl Rates {
    pub(crate) fn new(per_second: u32) -> Rates {
        let per_second = NonZeroU32::new(per_second).unwrap_or(NonZeroU32::MIN);
        Rates(RateLimiter::keyed(Quota::per_second(per_second)))
    }
}

impl Rates {
    /// Turns away a caller who asks too often.
    fn check(&self, caller: &Caller) -> Result<(), ApiError> {
        self.0.check_key(caller.counted_as()).map_err(|until| {
            let wait = until.wait_time_from(DefaultClock::default().now()).as_secs() + 1;
            ApiError::new(Code::RateLimited, "this key asks too often").retry_after(wait)
        })
    }
}

/// Stands before everything that needs a caller: who asks, how often, and whether it was asked before. One layer, because
/// each costs every request some copies.
pub(crate) async fn guard(
    State(app): State<App>,
    request: Request,
    next: Next,
) -> Result<Response, ApiError> {
    let caller = auth::authenticate(&app, request.headers(), request.extensions().get()).await?;
    app.rates.check(&caller)?;
    Ok(once::carry_out(&app, caller, request, next).await)
}

/// Gives each request an id, one line in the log and its place in the metrics. Neither holds content, query or user.
async fn observe(State(bounds): State<Bounds>, request: Request, next: Next) -> Response {
    let began = Instant::now();
    let method = request.method().clone();
    let route = request
        .extensions()
        .get::<MatchedPath>()
        .map_or("unmatched", MatchedPath::as_str)
        .to_owned();
    let given = request.headers().get(&REQUEST_ID).and_then(|id| id.to_str().ok());
    let fits =
        |id: &&str| (1..=64).contains(&id.len()) && id.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    let id = given
        .filter(fits)
        .map_or_else(|| uuid::Uuid::now_v7().to_string(), str::to_owned);
    let mut response = bounds.run(request, next).await;
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, value);
    }
    response.headers_mut().insert(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    let (status, took) = (response.status().as_u16(), began.elapsed());
    let labels = [
        ("method", method.to_string()),
        ("route", route.clone()),
        ("status", format!("{}xx", status / 100)),
    ];
    metrics::counter!("recalld_http_requests_total", &labels).increment(1);
    metrics::histogram!("recalld_http_request_duration_seconds", &labels).record(took.as_secs_f64());
    let micros = took.as_micros() as u64;
    tracing::info!(target: "recalld::http", request = id, %method, route, status, micros, "request served");
    response
}
