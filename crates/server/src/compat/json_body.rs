//! Bodies of doors: JSON whose unknown fields are ignored, as the vendors' own servers do, and
//! which may be absent or come without a content type.

use axum::extract::{FromRequest, Request};
use axum::http::HeaderValue;
use axum::http::header::CONTENT_TYPE;
use serde_json::{Map, Value};

use crate::error::{ApiError, Code};
use crate::extract::Json;

/// The fields of a body; none for an empty one.
#[derive(Debug)]
pub(super) struct Fields(pub(super) Map<String, Value>);

impl<S: Send + Sync> FromRequest<S> for Fields {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Fields, ApiError> {
        let (mut parts, body) = request.into_parts();
        let bytes = crate::extract::read_body(&parts.extensions, body).await?;
        if bytes.is_empty() {
            return Ok(Fields(Map::new()));
        }
        parts
            .headers
            .insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        let request = Request::from_parts(parts, bytes.into());
        match Json::<Value>::from_request(request, state).await?.0 {
            Value::Object(fields) => Ok(Fields(fields)),
            _ => Err(invalid("the body must be a JSON object")),
        }
    }
}

impl Fields {
    /// Takes a field; none if it is absent or null.
    pub(super) fn take(&mut self, name: &str) -> Option<Value> {
        self.0.shift_remove(name).filter(|value| !value.is_null())
    }

    /// Takes a text.
    pub(super) fn text(&mut self, name: &str) -> Result<Option<String>, ApiError> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(invalid(format!("{name} must be a string"))),
        }
    }

    /// Takes a text that must be there.
    pub(super) fn required_text(&mut self, name: &str) -> Result<String, ApiError> {
        self.text(name)?
            .ok_or_else(|| invalid(format!("{name} is required")))
    }

    /// Takes a whole number within bounds.
    pub(super) fn number(
        &mut self,
        name: &str,
        default: usize,
        bounds: std::ops::RangeInclusive<usize>,
    ) -> Result<usize, ApiError> {
        let Some(given) = self.take(name) else {
            return Ok(default);
        };
        let number = given.as_u64().and_then(|number| usize::try_from(number).ok());
        number.filter(|number| bounds.contains(number)).ok_or_else(|| {
            let (least, most) = bounds.into_inner();
            invalid(format!("{name} must be a whole number from {least} to {most}"))
        })
    }

    /// Takes an object.
    pub(super) fn object(&mut self, name: &str) -> Result<Option<Map<String, Value>>, ApiError> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::Object(fields)) => Ok(Some(fields)),
            Some(_) => Err(invalid(format!("{name} must be an object"))),
        }
    }
}

pub(super) fn invalid(detail: impl Into<String>) -> ApiError {
    ApiError::new(Code::InvalidRequest, detail.into())
}
