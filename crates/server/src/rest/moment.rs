//! Reads a time of a query.

use jiff::Timestamp;
use recalld_memory::as_of;

use crate::error::{ApiError, Code};

/// Reads the time that the parameter `name` gives: a date, which means its end (UTC), or a date and
/// time.
pub(super) fn moment(name: &str, raw: &str) -> Result<Timestamp, ApiError> {
    as_of::moment(raw).ok_or_else(|| {
        ApiError::new(Code::InvalidRequest, format!("{name} is not a time"))
            .hint("such as 2026-03-01 or 2026-03-01T10:00:00Z")
    })
}
