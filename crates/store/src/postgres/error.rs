//! Failures of statements and connections, and the [`StoreError`] that each becomes.

use recalld_memory::ports::StoreError;
use thiserror::Error;
use tokio_postgres::error::{DbError, Severity, SqlState};

/// What the server refused, without the values it was about: the server's own details would name
/// them.
#[derive(Debug, Error)]
#[error("the database refused: {message} (SQLSTATE {state})")]
pub(super) struct Refused {
    message: String,
    state: String,
}

/// What a pipeline of statements or a row gave instead of an answer.
#[derive(Debug)]
pub(super) enum Failure {
    Sql(tokio_postgres::Error),
    Store(StoreError),
    /// The connection ended, or took too long, before the server answered.
    Lost(String),
}

/// The answer of everything that runs on a connection.
pub(super) type DbResult<T> = Result<T, Failure>;

impl Failure {
    /// Tells whether the server is gone or going, so that another connection may do better.
    pub(super) fn is_lost(&self) -> bool {
        match self {
            Failure::Lost(_) => true,
            Failure::Store(_) => false,
            Failure::Sql(error) => error.is_closed() || error.as_db_error().is_none_or(is_farewell),
        }
    }

    /// Tells whether the server itself reported the failure. Of a distributed database, the rest
    /// may then still answer.
    pub(super) fn is_reported(&self) -> bool {
        matches!(self, Failure::Sql(error) if error.as_db_error().is_some())
    }

    /// Tells whether the server took the transaction back because of others, so that it may be
    /// tried again.
    pub(super) fn is_rolled_back(&self) -> bool {
        let Failure::Sql(error) = self else { return false };
        let states = [
            &SqlState::T_R_SERIALIZATION_FAILURE,
            &SqlState::T_R_DEADLOCK_DETECTED,
        ];
        error.code().is_some_and(|state| states.contains(&state))
    }
}

impl From<tokio_postgres::Error> for Failure {
    fn from(error: tokio_postgres::Error) -> Failure {
        Failure::Sql(error)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Failure {
        Failure::Store(error)
    }
}

impl From<Failure> for StoreError {
    fn from(failure: Failure) -> StoreError {
        match failure {
            Failure::Store(error) => error,
            Failure::Lost(reason) => StoreError::Unavailable { reason },
            Failure::Sql(error) => match error.as_db_error() {
                Some(refusal) => refused(refusal),
                None if is_about_a_row(&error) => StoreError::Corrupt {
                    what: error.to_string(),
                },
                None => StoreError::Unavailable {
                    reason: describe(&error),
                },
            },
        }
    }
}

/// Says what happened with all its causes, in one line and without values.
pub(super) fn describe(error: &tokio_postgres::Error) -> String {
    if let Some(refusal) = error.as_db_error() {
        return format!("{} (SQLSTATE {})", refusal.message(), refusal.code().code());
    }
    let mut said = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(inner) = cause {
        said = format!("{said}: {inner}");
        cause = inner.source();
    }
    said
}

/// A column that cannot be read as what it should be. The library offers no other way to tell.
fn is_about_a_row(error: &tokio_postgres::Error) -> bool {
    error.to_string().starts_with("error deserializing column")
}

fn refused(refusal: &DbError) -> StoreError {
    let error = Refused {
        message: refusal.message().to_owned(),
        state: refusal.code().code().to_owned(),
    };
    let state = refusal.code();
    match state {
        _ if *state == SqlState::DISK_FULL => StoreError::Full(error.into()),
        _ if *state == SqlState::DATA_CORRUPTED || *state == SqlState::INDEX_CORRUPTED => {
            StoreError::Corrupt {
                what: error.to_string(),
            }
        }
        _ if is_leaving(state) || is_passing(state) => StoreError::Unavailable {
            reason: error.to_string(),
        },
        _ => StoreError::Failed(error.into()),
    }
}

/// The server ends the connection. One that only reports that another node is gone is there.
fn is_farewell(refusal: &DbError) -> bool {
    is_leaving(refusal.code()) && refusal.parsed_severity() != Some(Severity::Error)
}

/// The server is shutting down, starting up, or the connection broke.
fn is_leaving(state: &SqlState) -> bool {
    state.code().starts_with("08") || state.code().starts_with("57P")
}

/// The server is there but cannot do it now: out of connections or memory, too slow, or only a copy
/// to read from.
fn is_passing(state: &SqlState) -> bool {
    let states = [
        &SqlState::TOO_MANY_CONNECTIONS,
        &SqlState::OUT_OF_MEMORY,
        &SqlState::QUERY_CANCELED,
        &SqlState::LOCK_NOT_AVAILABLE,
        &SqlState::READ_ONLY_SQL_TRANSACTION,
        &SqlState::T_R_SERIALIZATION_FAILURE,
        &SqlState::T_R_DEADLOCK_DETECTED,
        &SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT,
    ];
    states.contains(&state)
}
