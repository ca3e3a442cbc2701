//! Why a database cannot be opened or migrated, and what to do about it.

use recalld_memory::ports::StoreError;
use thiserror::Error;

use super::violation::Violation;

/// Why a store on PostgreSQL could not be opened.
#[derive(Debug, Error)]
pub enum OpenError {
    /// The address is none.
    #[error("the address of the database cannot be used: {reason}")]
    Address { reason: String },
    /// The certificates that the address names cannot be read.
    #[error("the certificates in {path} cannot be read: {reason}")]
    Certificates { path: String, reason: String },
    /// The server cannot be reached, or does not let us in.
    #[error("the database cannot be reached: {reason}")]
    Unreachable { reason: String },
    /// The schema is older than this program, and steps are not taken by themselves.
    #[error("the schema is at step {found} of {known}")]
    Behind { found: usize, known: usize },
    /// The schema was made by a later version of this program.
    #[error("the schema is at step {found}, and this version of recalld knows {known}")]
    Newer { found: usize, known: usize },
    /// A step of the schema could not be taken. What was there before is untouched.
    #[error("the schema step {step} failed: {reason}")]
    Migration { step: &'static str, reason: String },
    /// The database is set up so that it would not keep its promises.
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
    /// Says what a person can do about it, where there is something.
    pub fn hint(&self) -> Option<String> {
        match self {
            OpenError::Address { .. } => {
                Some("write it as postgres://user:password@host:5432/database".to_owned())
            }
            OpenError::Behind { .. } => Some("run `recalld migrate`".to_owned()),
            OpenError::Migration { reason, .. } if reason.contains("42501") => Some(
                "let an administrator of the server run: GRANT recalld_user, recalld_shared, recalld_upkeep, \
                 recalld_gate, recalld_reader, recalld_revisions TO the role you connect as"
                    .to_owned(),
            ),
            OpenError::Newer { .. } => Some("use the newer version of recalld that made it".to_owned()),
            OpenError::Unsafe(violations) => {
                let all: Vec<&str> = violations.iter().map(|violation| violation.fix.as_str()).collect();
                Some(format!("fix it with: {}", all.join(" ")))
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
