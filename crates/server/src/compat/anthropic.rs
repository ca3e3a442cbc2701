//! `/anthropic`: messages, the memory tool and the memory stores of Anthropic, for its SDKs.

mod memory_stores;
mod memory_tool;
mod messages;

use axum::Router;
use axum::routing::post;
use serde_json::{Value, json};

use crate::app::App;

pub(super) fn router() -> Router<App> {
    memory_stores::router()
        .route("/v1/tools/memory", post(memory_tool::run))
        .route("/v1/messages", post(messages::create))
}

/// The body of an error.
pub(super) fn error_body(status: u16, code: &str, message: &str) -> Value {
    let kind = match status {
        409 if code.starts_with("memory_") => code,
        401 => "authentication_error",
        403 => "permission_error",
        404 => "not_found_error",
        409 => "conflict_error",
        413 => "request_too_large",
        429 => "rate_limit_error",
        400..500 => "invalid_request_error",
        503 => "overloaded_error",
        _ => "api_error",
    };
    json!({ "type": "error", "error": { "type": kind, "message": message }, "request_id": null })
}
