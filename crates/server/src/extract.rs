//! Reads requests strictly: JSON within its depth, no unknown fields, no unknown parameters, and
//! problems that name the place.

mod objects;

use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::header::CONTENT_TYPE;
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderValue};
use bytes::BytesMut;
use http_body_util::BodyExt;
use serde::de::DeserializeOwned;

use recalld_index::text::json_words::in_json_words;

use self::objects::Objects;
use crate::error::{ApiError, Code};
use crate::limits::Limits;
use crate::off_workers;

/// A JSON body.
pub(crate) struct Json<T>(pub(crate) T);

/// The most bytes of JSON that are parsed on the worker that received them. What is larger would
/// hold up the other requests of that worker.
const INLINE_BYTES_MAX: usize = 64 * 1024;

impl<T: DeserializeOwned + Send + 'static, S: Send + Sync> FromRequest<S> for Json<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, _state: &S) -> Result<Json<T>, ApiError> {
        if !request.headers().get(CONTENT_TYPE).is_some_and(is_json) {
            let detail = "the body must be JSON, and Content-Type must say so";
            return Err(
                ApiError::new(Code::UnsupportedMediaType, detail).hint("send Content-Type: application/json")
            );
        }
        let (parts, body) = request.into_parts();
        let body = read_body(&parts.extensions, body).await?;
        let depth_max = BodyLimits::of(&parts.extensions).json_depth_max;
        let bytes = body.len();
        let read = move || check_depth(&body, depth_max).and_then(|()| parse(&body));
        let value = match bytes <= INLINE_BYTES_MAX {
            true => read(),
            false => off_workers::short(read).await,
        };
        value.map(Json)
    }
}

/// Tells whether a content type is JSON: its own, or one that is built on it.
fn is_json(kind: &HeaderValue) -> bool {
    if kind == "application/json" {
        return true;
    }
    let essence = kind.to_str().unwrap_or("").split(';').next().unwrap_or("");
    let essence = essence.trim().to_ascii_lowercase();
    essence == "application/json" || (essence.starts_with("application/") && essence.ends_with("+json"))
}

/// How much a route takes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyLimits {
    pub(crate) bytes_max: usize,
    pub(crate) json_depth_max: usize,
}

impl BodyLimits {
    /// Finds the limits that the layer of the route set.
    fn of(extensions: &Extensions) -> BodyLimits {
        extensions.get().copied().unwrap_or_else(|| {
            let limits = Limits::default();
            BodyLimits {
                bytes_max: limits.body_bytes_max,
                json_depth_max: limits.json_depth_max,
            }
        })
    }
}

/// Reads the whole body, within the limit of the route.
pub(crate) async fn read_body(route: &Extensions, mut body: Body) -> Result<Bytes, ApiError> {
    let limit = BodyLimits::of(route).bytes_max;
    let mut left = limit;
    let mut next = async || next_piece(&mut body, &mut left, limit).await;
    // What comes in one piece, as most do, is not copied.
    let Some(first) = next().await? else {
        return Ok(Bytes::new());
    };
    let Some(second) = next().await? else {
        return Ok(first);
    };
    // Pieces that were kept apart could be of one byte each, and take far more room than they are
    // long.
    let mut whole = BytesMut::from(first);
    whole.extend_from_slice(&second);
    while let Some(piece) = next().await? {
        whole.extend_from_slice(&piece);
    }
    Ok(whole.freeze())
}

async fn next_piece(body: &mut Body, left: &mut usize, limit: usize) -> Result<Option<Bytes>, ApiError> {
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| ApiError::new(Code::Timeout, "the body did not arrive whole"))?;
        // Trailers are not read.
        let Ok(piece) = frame.into_data() else { continue };
        let Some(rest) = left.checked_sub(piece.len()) else {
            discard(body).await;
            let detail = format!("the body is over the limit of {limit} bytes");
            return Err(ApiError::new(Code::BodyTooLarge, detail));
        };
        *left = rest;
        return Ok(Some(piece));
    }
    Ok(None)
}

/// How much of a body that is too large is read, and for how long, before it is refused.
const DISCARDED_BYTES_MAX: usize = 16 << 20;
const DISCARDING_MAX: Duration = Duration::from_secs(1);

/// Reads on for a while. Closing a connection on which a client still sends resets it, and a proxy
/// then tells its client 502 instead of the refusal.
async fn discard(body: &mut Body) {
    let reading = async {
        let mut read = 0;
        while let Some(Ok(frame)) = body.frame().await {
            read += frame.data_ref().map_or(0, Bytes::len);
            if DISCARDED_BYTES_MAX < read {
                break;
            }
        }
    };
    let _ = tokio::time::timeout(DISCARDING_MAX, reading).await;
}

/// Parses the body; only what cannot be parsed is read once more, to say where.
fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, ApiError> {
    let mut reader = serde_json::Deserializer::from_slice(body);
    let value = T::deserialize(Objects(&mut reader)).and_then(|value| reader.end().map(|()| value));
    value.or_else(|_| parse_telling_where(body))
}

fn parse_telling_where<T: DeserializeOwned>(body: &[u8]) -> Result<T, ApiError> {
    let mut reader = serde_json::Deserializer::from_slice(body);
    let value = serde_path_to_error::deserialize(Objects(&mut reader)).map_err(|error| {
        let pointer = pointer(error.path());
        let reason = in_json_words(&error.into_inner().to_string());
        ApiError::new(Code::InvalidJson, reason.clone()).at(pointer, reason)
    })?;
    reader
        .end()
        .map_err(|error| ApiError::new(Code::InvalidJson, error.to_string()))?;
    Ok(value)
}

/// Writes where in the body a problem is, as a JSON pointer.
fn pointer(path: &serde_path_to_error::Path) -> String {
    use serde_path_to_error::Segment;
    path.iter()
        .map(|segment| match segment {
            Segment::Seq { index } => format!("/{index}"),
            Segment::Map { key } => format!("/{}", key.replace('~', "~0").replace('/', "~1")),
            Segment::Enum { .. } | Segment::Unknown => String::new(),
        })
        .collect()
}

/// Refuses JSON that is nested too deep before anything recursive reads it.
fn check_depth(body: &[u8], limit: usize) -> Result<(), ApiError> {
    // Nothing is deeper than it has openings, and to count those is quick.
    let openings = body.iter().filter(|byte| matches!(byte, b'[' | b'{')).count();
    if openings <= limit {
        return Ok(());
    }
    let (mut depth, mut in_text, mut escaped) = (0_usize, false, false);
    for byte in body {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_text => escaped = true,
            b'"' => in_text = !in_text,
            b'[' | b'{' if !in_text => depth += 1,
            b']' | b'}' if !in_text => depth = depth.saturating_sub(1),
            _ => {}
        }
        if limit < depth {
            return Err(ApiError::new(
                Code::InvalidJson,
                format!("the JSON is nested more than {limit} deep"),
            ));
        }
    }
    Ok(())
}

/// The parameters in the query string. A type that denies unknown fields refuses what it does not
/// know.
pub(crate) struct Query<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Query<T>, ApiError> {
        let axum::extract::Query(value) =
            axum::extract::Query::try_from_uri(&parts.uri).map_err(|error| {
                let reason =
                    std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string);
                ApiError::new(Code::InvalidRequest, format!("query string: {reason}"))
            })?;
        Ok(Query(value))
    }
}

/// One part of the path, decoded.
pub(crate) struct Path<T>(pub(crate) T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Path<T>, ApiError> {
        let path = axum::extract::Path::from_request_parts(parts, state).await;
        path.map(|axum::extract::Path(value)| Path(value))
            .map_err(|error| ApiError::new(Code::InvalidRequest, format!("path: {}", error.body_text())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_may_be_called_by_other_names() {
        let is_json = |kind| is_json(&HeaderValue::from_static(kind));
        for kind in [
            "application/json",
            "Application/JSON; charset=utf-8",
            "application/merge-patch+json",
        ] {
            assert!(is_json(kind), "{kind}");
        }
        for kind in [
            "",
            "text/json",
            "application/jsonp",
            "text/plain; application/json",
        ] {
            assert!(!is_json(kind), "{kind}");
        }
    }

    #[test]
    fn brackets_in_texts_are_not_depth() {
        assert!(check_depth(br#"{"a": "[[[[\"[[[["}"#, 2).is_ok());
        assert!(check_depth(b"[[[1]]]", 2).is_err());
        assert!(check_depth(&b"[".repeat(100_000), 32).is_err());
        assert!(check_depth(b"[1],[2],[3]", 1).is_ok());
    }
}
