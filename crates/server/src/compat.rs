//! Doors in the shapes of others, each under a prefix of its own, so that their clients need only
//! another base URL.

mod openai;

use axum::Router;
use axum::extract::Request;
use axum::http::header::CONTENT_TYPE;
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};

use crate::app::App;
use crate::auth::Unproven;
use crate::middleware::{self, RouteLayers};

/// All such doors that need a caller.
pub(crate) fn router(app: &App, layers: &RouteLayers) -> Router<App> {
    let guard = from_fn_with_state((app.clone(), Unproven::Accepted), middleware::guard);
    openai::router()
        .layer(guard)
        .layer(from_fn(in_their_shape))
        .layer(layers.open().with_private_answers())
}

/// The most bytes of a problem.
const PROBLEM_BYTES_MAX: usize = 64 * 1024;

/// Turns a problem that was told before a door was reached (a wrong key, too many requests) into
/// that door's shape.
async fn in_their_shape(request: Request, next: Next) -> Response {
    let response = next.run(request).await;
    let is_problem = response
        .headers()
        .get(CONTENT_TYPE)
        .is_some_and(|kind| kind == "application/problem+json");
    if !is_problem {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let body = axum::body::to_bytes(body, PROBLEM_BYTES_MAX)
        .await
        .unwrap_or_default();
    let problem: serde_json::Value = serde_json::from_slice(&body).unwrap_or_default();
    let text = |name: &str| problem[name].as_str().unwrap_or("").to_owned();
    let shaped = openai::error_body(parts.status.as_u16(), &text("code"), &text("detail"));
    parts.headers.remove(CONTENT_TYPE);
    parts.headers.remove(axum::http::header::CONTENT_LENGTH);
    let mut response = axum::Json(shaped).into_response();
    *response.status_mut() = parts.status;
    response.headers_mut().extend(parts.headers);
    response
}
