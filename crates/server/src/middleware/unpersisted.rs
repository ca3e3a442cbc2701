//! Tells the caller of a write that it is not stored yet, because the database cannot be reached.

use axum::body::{Body, to_bytes};
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE, ETAG};
use axum::http::{HeaderValue, StatusCode};
use axum::response::Response;
use serde_json::{Value, json};

/// The most bytes of an answer that is rewritten; a longer one keeps its body.
const BODY_BYTES_MAX: usize = 8 * 1024 * 1024;

/// Turns the answer of a write that succeeded into 202 with `persisted: false`.
pub(super) async fn marked(response: Response) -> Response {
    if !response.status().is_success() {
        return response;
    }
    let is_json = response
        .headers()
        .get(CONTENT_TYPE)
        .is_some_and(|kind| kind == "application/json");
    let is_empty = response.status() == StatusCode::NO_CONTENT;
    let (mut parts, body) = response.into_parts();
    parts.status = StatusCode::ACCEPTED;
    // What is stored later has another version.
    parts.headers.remove(ETAG);
    if !is_json && !is_empty {
        return Response::from_parts(parts, body);
    }
    let Ok(bytes) = to_bytes(body, BODY_BYTES_MAX).await else {
        return Response::from_parts(parts, Body::empty());
    };
    let answer = match serde_json::from_slice(&bytes) {
        Ok(Value::Object(mut fields)) => {
            fields.insert("persisted".to_owned(), json!(false));
            Value::Object(fields)
        }
        Ok(other) => json!({ "answer": other, "persisted": false }),
        Err(_) => json!({ "persisted": false }),
    };
    parts.headers.remove(CONTENT_LENGTH);
    parts
        .headers
        .insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    Response::from_parts(parts, Body::from(answer.to_string()))
}
