//! What an OAuth client is told when something is wrong (RFC 6749, 5.2).

use axum::extract::Request;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;

use crate::error::ApiError;

/// The most bytes that a client sends.
const BODY_BYTES_MAX: usize = 32 * 1024;

/// An error with a code of the specification.
#[derive(Clone, Debug)]
pub(crate) struct OAuthError {
    code: &'static str,
    detail: String,
}

impl OAuthError {
    pub(super) fn new(code: &'static str, detail: impl Into<String>) -> OAuthError {
        OAuthError {
            code,
            detail: detail.into(),
        }
    }

    /// What is wrong, for people.
    pub(crate) fn detail(&self) -> &str {
        &self.detail
    }
}

impl From<ApiError> for OAuthError {
    fn from(error: ApiError) -> OAuthError {
        tracing::error!(detail = error.detail(), "sign-in failed");
        OAuthError::new("temporarily_unavailable", "try again later")
    }
}

impl IntoResponse for OAuthError {
    fn into_response(self) -> Response {
        let status = match self.code {
            "invalid_client" => StatusCode::UNAUTHORIZED,
            "temporarily_unavailable" => StatusCode::SERVICE_UNAVAILABLE,
            _ => StatusCode::BAD_REQUEST,
        };
        let body = json!({ "error": self.code, "error_description": self.detail });
        (status, axum::Json(body)).into_response()
    }
}

/// Reads a body that must be of that kind.
pub(super) async fn body(request: Request, kind: &str) -> Result<String, OAuthError> {
    let given = request.headers().get(header::CONTENT_TYPE);
    let given = given.and_then(|given| given.to_str().ok()).unwrap_or("");
    let given = given.split(';').next().unwrap_or("").trim();
    if !given.eq_ignore_ascii_case(kind) {
        return Err(OAuthError::new(
            "invalid_request",
            format!("the body must be {kind}"),
        ));
    }
    let bytes = axum::body::to_bytes(request.into_body(), BODY_BYTES_MAX).await;
    let bytes = bytes.map_err(|_| OAuthError::new("invalid_request", "the body is too large"))?;
    String::from_utf8(bytes.to_vec()).map_err(|_| OAuthError::new("invalid_request", "the body is not UTF-8"))
}
