//! A JSON answer that is written in one piece.

use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::error::{ApiError, Code};
use crate::json;

/// An answer of some thousand bytes, on the routes that are asked most. `axum::Json` begins with
/// room for 128 bytes and grows, and writes byte by byte.
pub(crate) struct JsonResponse<T>(pub(crate) T);

/// What most answers fit in.
const BYTES_EXPECTED: usize = 8 * 1024;

impl<T: Serialize> IntoResponse for JsonResponse<T> {
    fn into_response(self) -> Response {
        let mut bytes = Vec::with_capacity(BYTES_EXPECTED);
        match json::write(&mut bytes, &self.0) {
            Ok(()) => ([(CONTENT_TYPE, "application/json")], bytes).into_response(),
            Err(_) => ApiError::new(Code::Internal, "the answer could not be written").into_response(),
        }
    }
}
