//! Paths of documents.

use recalld_memory::items::is_composed;
use recalld_memory::screening::invisible::visible;

use super::super::super::json_body::invalid;
use crate::error::ApiError;

/// The most bytes of a path, and the most segments.
const BYTES_MAX: usize = 1024;
const SEGMENTS_MAX: usize = 20;

/// Checks a path: segments between slashes, none of which is empty, `.` or `..`.
pub(super) fn checked(path: String) -> Result<String, ApiError> {
    let refused = |why: &str| Err(invalid(format!("path {why}")));
    if BYTES_MAX < path.len() {
        return refused("is over the limit of 1024 bytes");
    }
    let Some(inside) = path.strip_prefix('/') else {
        return refused("must start with /");
    };
    let segments: Vec<&str> = inside.split('/').collect();
    if SEGMENTS_MAX < segments.len() {
        return refused("has more than 20 segments");
    }
    if segments.iter().any(|segment| matches!(*segment, "" | "." | "..")) {
        return refused("has a segment that is empty, . or ..");
    }
    let separates = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    if path.contains(separates) || visible(&path) != path {
        return refused("holds a control or format character");
    }
    match is_composed(&path) {
        true => Ok(path),
        false => refused("must be in Unicode Normalization Form C"),
    }
}
