//! Which pages of other origins may call from a browser.

use axum::http::{HeaderName, HeaderValue, Method};
use tower_http::cors::{AllowOrigin, CorsLayer};

/// Lets pages of `origins` in; there is nothing to do if there are none.
pub(super) fn of(origins: &[String]) -> Option<CorsLayer> {
    if origins.is_empty() {
        return None;
    }
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
    let layer = CorsLayer::new()
        .allow_origin(AllowOrigin::list(origins))
        .allow_methods(methods)
        .allow_headers(SENT_BY_PAGES.map(HeaderName::from_static))
        .expose_headers(READ_BY_PAGES.map(HeaderName::from_static));
    Some(layer)
}

/// The headers that a page may send, those of MCP among them.
const SENT_BY_PAGES: [&str; 15] = [
    "authorization",
    "x-api-key",
    "content-type",
    "if-match",
    "if-none-match",
    "idempotency-key",
    "recalld-conversation",
    "recalld-message",
    "recalld-project",
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
