//! The page on which the description is read and tried: Swagger UI, kept compressed and sent as it
//! is kept.

use std::io::Read;

use axum::Router;
use axum::extract::Path;
use axum::http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, VARY};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use flate2::read::GzDecoder;

use crate::app::App;
use crate::error::{ApiError, Code};

pub(super) fn router() -> Router<App> {
    Router::new()
        .route("/docs", get(async || Redirect::to("/docs/")))
        .route("/docs/", get(async |headers: HeaderMap| served(&PAGE, &headers)))
        .route("/docs/{file}", get(file))
}

/// Everything comes from this server. Swagger UI sets styles on its elements.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
     connect-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

enum Content {
    Plain(&'static str),
    Gzip(&'static [u8]),
}

struct File {
    name: &'static str,
    content_type: &'static str,
    content: Content,
}

static PAGE: File = File {
    name: "index.html",
    content_type: "text/html; charset=utf-8",
    content: Content::Plain(include_str!("../../docs/index.html")),
};

static FILES: [File; 3] = [
    File {
        name: "swagger-initializer.js",
        content_type: "text/javascript; charset=utf-8",
        content: Content::Plain(include_str!("../../docs/swagger-initializer.js")),
    },
    File {
        name: "swagger-ui-bundle.js",
        content_type: "text/javascript; charset=utf-8",
        content: Content::Gzip(include_bytes!("../../docs/vendor/swagger-ui-bundle.js.gz")),
    },
    File {
        name: "swagger-ui.css",
        content_type: "text/css; charset=utf-8",
        content: Content::Gzip(include_bytes!("../../docs/vendor/swagger-ui.css.gz")),
    },
];

async fn file(Path(name): Path<String>, headers: HeaderMap) -> Response {
    match FILES.iter().find(|file| file.name == name) {
        Some(file) => served(file, &headers),
        None => ApiError::new(Code::NotFound, "there is no such file").into_response(),
    }
}

fn served(file: &'static File, request: &HeaderMap) -> Response {
    let mut response = match file.content {
        Content::Plain(text) => text.into_response(),
        Content::Gzip(bytes) if takes_gzip(request) => {
            let mut response = bytes.into_response();
            let headers = response.headers_mut();
            headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
            response
        }
        Content::Gzip(bytes) => inflated(bytes).into_response(),
    };
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(file.content_type));
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
    response
}

/// Whether the client names gzip and does not refuse it by a weight of zero.
fn takes_gzip(request: &HeaderMap) -> bool {
    let accepted = request
        .get_all(ACCEPT_ENCODING)
        .iter()
        .filter_map(|value| value.to_str().ok());
    accepted.flat_map(|value| value.split(',')).any(|coding| {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
        let refused = weight
            .trim()
            .strip_prefix("q=")
            .is_some_and(|weight| weight.parse() == Ok(0.0));
        name.trim().eq_ignore_ascii_case("gzip") && !refused
    })
}

fn inflated(bytes: &[u8]) -> Vec<u8> {
    let mut plain = Vec::new();
    GzDecoder::new(bytes)
        .read_to_end(&mut plain)
        .expect("the files of this build are whole");
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gzip_is_sent_to_those_who_take_it() {
        let asks = |value: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT_ENCODING, HeaderValue::from_static(value));
            takes_gzip(&headers)
        };
        assert!(asks("gzip") && asks("br, GZIP;q=0.5") && asks("deflate, gzip, br"));
        assert!(!asks("identity") && !asks("gzip;q=0") && !asks("gzip; q=0.0, br") && !asks(""));
        assert!(!takes_gzip(&HeaderMap::new()));
    }

    #[test]
    fn compressed_files_are_whole() {
        for file in &FILES {
            if let Content::Gzip(bytes) = file.content {
                assert!(100_000 < inflated(bytes).len(), "{}", file.name);
            }
        }
    }
}
