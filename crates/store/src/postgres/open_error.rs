//! Why a database cannot be opened or migrated, and what to do about it.

use recalld_memory::ports::StoreError;
use thiserror::Error;

use super::violation::Violation;

/// Why a database cannot be opened or migrated.
#[derive(Debug, Error)]
pub enum OpenError {
    /// The address cannot be parsed.
    #[error("the address of the database cannot be used: {reason}")]
    Address { reason: String },
    /// The certificates that the address names cannot be read.
    #[error("the certificates in {path} cannot be read: {reason}")]
    Certificates { path: String, reason: String },
    /// The server cannot be reached, or refuses the connection.
    #[error("the database cannot be reached: {reason}")]
    Unreachable { reason: String },
    /// The schema is older than this program.
    #[error("the schema is at step {found} of {known}")]
    Behind { found: usize, known: usize },
    /// The schema was created by a later version of this program.
    #[error("the schema is at step {found}, and this version of recalld knows {known}")]
    Newer { found: usize, known: usize },
    /// The migration cannot be completed, and was not begun.
    #[error("the database cannot be migrated: {reason}")]
    Refused { reason: String, hint: String },
    /// A step of the schema failed. The steps before it remain.
    #[error("the schema step {step} failed: {reason}")]
    Migration { step: &'static str, reason: String },
    /// The database does not isolate users, or would lose acknowledged writes.
    #[error("the database is not safe to serve from: {}", list(.0))]
    Unsafe(Vec<Violation>),
    /// The store failed otherwise.
    #[error("the database cannot be examined")]
    Failed(#[source] StoreError),
}

fn list(violations: &[Violation]) -> String {
    let all: Vec<String> = violations.iter().map(ToString::to_string).collect();
    all.join("; ")
}

impl OpenError {
    /// Returns what a person can do about it, if there is something.
    pub fn hint(&self) -> Option<String> {
        match self {
            OpenError::Address { .. } => {
                Some("write it as postgres://user:password@host:5432/database".to_owned())
            }
            OpenError::Behind { .. } => Some(
                "run `recalld migrate --serving-role ROLE` with the address of an owner: a role that may create roles \
                 and does not serve; ROLE is the role that serves"
                    .to_owned(),
            ),
            OpenError::Refused { hint, .. } => Some(hint.clone()),
            OpenError::Migration { reason, .. } if reason.contains("42501") => Some(
                "migrate as an administrator of the server, or as a role that may create roles and owns the database"
                    .to_owned(),
            ),
            OpenError::Newer { .. } => Some(
                "use the version of recalld that created it, or a later one; to go back, restore a backup that was made before the upgrade".to_owned(),
            ),
            OpenError::Unsafe(violations) => {
                let mut fixes: Vec<&str> = Vec::new();
                for violation in violations {
                    if !fixes.contains(&violation.fix.as_str()) {
                        fixes.push(&violation.fix);
                    }
                }
                Some(format!("fix it with: {}", fixes.join(" ")))
            }
            _ => None,
        }
    }
}

impl From<StoreError> for OpenError {
    fn from(error: StoreError) -> OpenError {
        match error {
            StoreError::Unavailable { reason } => OpenError::Unreachable { reason },
            other => OpenError::Failed(other),
        }
    }
}
