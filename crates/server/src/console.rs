//! The console: a web page on which people see, correct and steer what is remembered.
//!
//! It is static, compiled into the binary, and uses the public REST API like any other client.

mod assets;
mod bundle;

use axum::Router;
use axum::body::Bytes;
use axum::extract::Path;
use axum::http::header::{self, HeaderName};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use crate::app::App;
use crate::error::{ApiError, Code};
use crate::middleware::RouteLayers;
use assets::{Asset, assets, page};

pub(crate) fn router(layers: &RouteLayers) -> Router<App> {
    Router::new()
        .route("/", get(async |headers: HeaderMap| served(page(), &headers)))
        .route("/console/{file}", get(file))
        .layer(layers.open().with_query())
}

/// Everything comes from this server, and nothing is evaluated: no inline script or style, no
/// frames, no forms.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
     img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

async fn file(Path(name): Path<String>, headers: HeaderMap) -> Response {
    match assets().iter().find(|asset| asset.name == name) {
        Some(asset) => served(asset, &headers),
        None => ApiError::new(Code::NotFound, "the console has no such file").into_response(),
    }
}

/// Sends an asset, or 304 if the browser has it.
fn served(asset: &Asset, request: &HeaderMap) -> Response {
    let known = request
        .get(header::IF_NONE_MATCH)
        .and_then(|tags| tags.to_str().ok());
    let is_known = known.is_some_and(|tags| tags.split(',').any(|tag| same_tag(tag, &asset.tag)));
    let mut response = match is_known {
        true => StatusCode::NOT_MODIFIED.into_response(),
        false => Bytes::from_static(asset.content.as_bytes()).into_response(),
    };
    let tag = HeaderValue::from_str(&asset.tag).expect("a digest in hexadecimal is plain ASCII");
    let fixed: [(HeaderName, &'static str); 7] = [
        (header::CONTENT_TYPE, asset.content_type),
        (header::CACHE_CONTROL, asset.caching),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (
            HeaderName::from_static("cross-origin-opener-policy"),
            "same-origin",
        ),
        (
            HeaderName::from_static("cross-origin-resource-policy"),
            "same-origin",
        ),
    ];
    let headers = response.headers_mut();
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.insert(header::ETAG, tag);
    response
}

/// Compares entity tags weakly, as `If-None-Match` asks.
fn same_tag(given: &str, own: &str) -> bool {
    let given = given.trim();
    given == "*" || given.strip_prefix("W/").unwrap_or(given) == own
}
