//! What the transport refuses by itself, told as everything else is: as a problem in JSON, not as a
//! line of text.

use axum::body::to_bytes;
use axum::extract::Request;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::error::{ApiError, Code};

/// The most bytes of a reason. The transport's own are one line.
const REASON_BYTES_MAX: usize = 4096;

/// Rewrites refusals that are plain text.
pub(super) async fn layer(request: Request, next: Next) -> Response {
    let says_json = begins(request.headers(), "application/json");
    let response = next.run(request).await;
    let Some(code) =
        code(response.status(), says_json).filter(|_| !begins(response.headers(), "application/"))
    else {
        return response;
    };
    let (parts, body) = response.into_parts();
    let reason = to_bytes(body, REASON_BYTES_MAX).await.unwrap_or_default();
    let reason = String::from_utf8_lossy(&reason).into_owned();
    let mut told = ApiError::new(code, reason).into_response();
    for (name, value) in &parts.headers {
        if *name != CONTENT_TYPE && *name != CONTENT_LENGTH {
            told.headers_mut().append(name.clone(), value.clone());
        }
    }
    told
}

/// Gives the code of a refusal. The transport calls a body that cannot be read an unsupported one,
/// also when it says that it is JSON.
fn code(status: StatusCode, says_json: bool) -> Option<Code> {
    Some(match status {
        StatusCode::BAD_REQUEST => Code::InvalidRequest,
        StatusCode::NOT_FOUND => Code::NotFound,
        StatusCode::METHOD_NOT_ALLOWED => Code::MethodNotAllowed,
        StatusCode::NOT_ACCEPTABLE => Code::NotAcceptable,
        StatusCode::PAYLOAD_TOO_LARGE => Code::BodyTooLarge,
        StatusCode::UNSUPPORTED_MEDIA_TYPE if says_json => Code::InvalidJson,
        StatusCode::UNSUPPORTED_MEDIA_TYPE => Code::UnsupportedMediaType,
        _ => return None,
    })
}

fn begins(headers: &HeaderMap, kind: &str) -> bool {
    let given = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    given.is_some_and(|given| given.starts_with(kind))
}
