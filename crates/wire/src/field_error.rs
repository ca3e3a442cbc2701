//! What is wrong with a request that is valid JSON.

use std::fmt::{self, Display};

/// A field whose value is not acceptable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldError {
    /// A JSON pointer into the body.
    pub pointer: String,
    /// What is wrong with the value.
    pub reason: String,
}

impl FieldError {
    pub fn new(pointer: impl Into<String>, reason: impl Display) -> FieldError {
        FieldError {
            pointer: pointer.into(),
            reason: reason.to_string(),
        }
    }
}

impl Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.pointer, self.reason)
    }
}

impl std::error::Error for FieldError {}
