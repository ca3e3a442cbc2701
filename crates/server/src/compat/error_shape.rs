//! Errors in the shape of the door at which they happen.

use axum::extract::State;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use serde_json::Value;

/// Writes the body of an error from its status, its stable word and what is wrong.
pub(super) type ErrorShape = fn(u16, &str, &str) -> Value;

/// The most bytes of a problem.
const PROBLEM_BYTES_MAX: usize = 64 * 1024;

/// Turns a problem, wherever it was told, into the shape of the door.
pub(super) async fn in_their_shape(State(shape): State<ErrorShape>, response: Response) -> Response {
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
    let problem: Value = serde_json::from_slice(&body).unwrap_or_default();
    let text = |name: &str| problem[name].as_str().unwrap_or("").to_owned();
    let hint = problem["hint"].as_str().map(|hint| format!(" ({hint})"));
    let told = format!("{}{}", text("detail"), hint.unwrap_or_default());
    let shaped = shape(parts.status.as_u16(), &text("code"), &told);
    parts.headers.remove(CONTENT_TYPE);
    parts.headers.remove(CONTENT_LENGTH);
    let mut response = axum::Json(shaped).into_response();
    *response.status_mut() = parts.status;
    response.headers_mut().extend(parts.headers);
    response
}
