//! ETags: the version of a thing, so that nobody overwrites what they have not seen.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use recalld_memory::record::Record;
use recalld_memory::record_update::ExpectedVersion;

use crate::error::{ApiError, Code};

/// A body with its ETag.
pub(super) type Tagged<T> = ([(HeaderName, HeaderValue); 1], axum::Json<T>);

/// Gives `body` the ETag of `version`.
pub(super) fn tagged<T>(version: u32, body: T) -> Tagged<T> {
    with_tag(&format!("v{version}"), body)
}

/// Gives `body` the ETag of a record, which differs from that of one that was cleared since.
pub(super) fn tagged_record<T>(record: &Record, body: T) -> Tagged<T> {
    let (version, ms) = (record.version, record.written_at.as_millisecond());
    with_tag(&format!("v{version}-{ms:x}"), body)
}

fn with_tag<T>(tag: &str, body: T) -> Tagged<T> {
    let tag = HeaderValue::from_str(&format!("\"{tag}\"")).expect("letters and numbers are a valid header");
    ([(header::ETAG, tag)], axum::Json(body))
}

/// Reads the version that the client saw.
pub(super) fn if_match(headers: &HeaderMap) -> Result<Option<u32>, ApiError> {
    matched(headers, |version| version.parse().ok())
}

/// Reads what the client saw of a record.
pub(super) fn if_match_record(headers: &HeaderMap) -> Result<Option<ExpectedVersion>, ApiError> {
    matched(headers, |tag| {
        let (version, ms) = match tag.split_once('-') {
            None => (tag, None),
            Some((version, ms)) => (version, Some(i64::from_str_radix(ms, 16).ok()?)),
        };
        Some(ExpectedVersion {
            version: version.parse().ok()?,
            written_ms: ms,
        })
    })
}

/// Reads the one ETag of `If-Match`, without its quotation marks and the letter that begins it.
fn matched<T>(headers: &HeaderMap, read: impl FnOnce(&str) -> Option<T>) -> Result<Option<T>, ApiError> {
    let Some(value) = headers.get(header::IF_MATCH) else {
        return Ok(None);
    };
    let text = value.to_str().unwrap_or_default().trim();
    if text == "*" {
        return Ok(None);
    }
    let tag = text.strip_prefix("\"v").and_then(|text| text.strip_suffix('"'));
    match tag.and_then(read) {
        Some(seen) => Ok(Some(seen)),
        // The ETag of something else does not match; what is no ETag at all is a mistake.
        None if !is_tag(text) => Err(ApiError::new(
            Code::InvalidRequest,
            "If-Match must be one ETag, or *",
        )),
        None => Err(ApiError::new(
            Code::Stale,
            "If-Match is not an ETag of this resource",
        )),
    }
}

fn is_tag(text: &str) -> bool {
    let opaque = text.strip_prefix("W/").unwrap_or(text);
    2 <= opaque.len() && opaque.starts_with('"') && opaque.ends_with('"')
}

/// The same for what may not be there yet: `If-None-Match: *` asks that nothing is.
pub(super) fn if_match_or_none(headers: &HeaderMap) -> Result<Option<ExpectedVersion>, ApiError> {
    let wants_none = match headers.get(header::IF_NONE_MATCH) {
        None => false,
        Some(value) if value.as_bytes() == b"*" => true,
        Some(_) => return Err(ApiError::new(Code::InvalidRequest, "If-None-Match can only be *")),
    };
    let seen = if_match_record(headers)?;
    Ok(if wants_none {
        Some(ExpectedVersion::ABSENT)
    } else {
        seen
    })
}

/// Tells that a thing has moved on.
pub(super) fn stale(version: u32) -> ApiError {
    ApiError::new(Code::Stale, format!("it is at version {version} now"))
        .hint("read it again, and decide again")
}
