//! How documents and versions are shown.

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use super::super::super::json_body::invalid;
use super::paging::param;
use crate::error::ApiError;

/// Gives the digest of a content, as clients compute it.
pub(super) fn sha256(text: &str) -> String {
    let digest = Sha256::digest(text);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Whether a document is shown with its content.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum View {
    Basic,
    Full,
}

impl View {
    pub(super) fn of(params: &Map<String, Value>, default: View) -> Result<View, ApiError> {
        match param(params, "view") {
            None => Ok(default),
            Some("basic") => Ok(View::Basic),
            Some("full") => Ok(View::Full),
            Some(_) => Err(invalid("view must be basic or full")),
        }
    }

    /// The most things of one page.
    pub(super) fn most(self) -> usize {
        match self {
            View::Basic => 100,
            View::Full => 20,
        }
    }
}
