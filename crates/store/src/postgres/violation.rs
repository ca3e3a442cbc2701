//! What a check of the database finds.

use std::fmt;

/// One respect in which the database is not safe to serve from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// What is wrong, with the name of the object.
    pub message: String,
    /// The statement or the action that fixes it.
    pub fix: String,
}

impl Violation {
    pub(super) fn new(message: impl Into<String>, fix: impl Into<String>) -> Violation {
        Violation {
            message: message.into(),
            fix: fix.into(),
        }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}
