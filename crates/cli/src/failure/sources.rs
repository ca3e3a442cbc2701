//! Converts the errors of the engine to failures.

use std::error::Error;

use recalld_memory::browse::HistoryError;
use recalld_memory::entities::AddError;
use recalld_memory::entity::InvalidEntityName;
use recalld_memory::id::InvalidId;
use recalld_memory::memory::{InvalidContent, InvalidLabel};
use recalld_memory::ports::StoreError;
use recalld_memory::remember::RememberError;
use recalld_memory::retire::RestoreError;
use recalld_memory::revise::ReviseError;
use recalld_memory::screening::secrets::Secret;
use recalld_memory::space::SpaceError;
use recalld_memory::validity::{InvalidMoment, InvalidPeriod};

use super::Failure;

/// Joins an error and its causes on one line, without repetition.
pub(crate) fn chain(error: &dyn Error) -> String {
    let mut line = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        let cause_text = cause.to_string();
        if !line.ends_with(&cause_text) {
            line = format!("{line}: {cause_text}");
        }
        next = cause.source();
    }
    line
}

impl From<InvalidContent> for Failure {
    fn from(error: InvalidContent) -> Failure {
        let hint = match &error {
            InvalidContent::Blank => "state what to remember",
            InvalidContent::TooLong { .. } => "a memory is one statement; split the text into several",
            InvalidContent::Character { .. } => "remove that character",
        };
        Failure::bad_input("invalid_content", error.to_string()).hint(hint)
    }
}

impl From<InvalidLabel> for Failure {
    fn from(error: InvalidLabel) -> Failure {
        Failure::bad_input("invalid_label", error.to_string())
    }
}

impl From<InvalidPeriod> for Failure {
    fn from(error: InvalidPeriod) -> Failure {
        Failure::bad_input("invalid_period", error.to_string())
    }
}

impl From<InvalidMoment> for Failure {
    fn from(error: InvalidMoment) -> Failure {
        Failure::bad_input("invalid_time", error.to_string())
    }
}

impl From<InvalidId> for Failure {
    fn from(error: InvalidId) -> Failure {
        Failure::bad_input("invalid_id", error.to_string())
    }
}

impl From<InvalidEntityName> for Failure {
    fn from(error: InvalidEntityName) -> Failure {
        Failure::bad_input("invalid_name", error.to_string())
    }
}

/// What to do about a damaged store.
pub(crate) const RESTORE_HINT: &str = "restore the latest backup: `recalld restore FILE --replace`";

/// The code and hint of a store error.
fn of_store(error: &StoreError) -> (&'static str, &'static str) {
    match error {
        StoreError::Conflict { .. } | StoreError::Unavailable { .. } => ("unavailable", "try again"),
        StoreError::Full(_) => (
            "full",
            "nothing was changed; free some disk space, then try again",
        ),
        StoreError::Damaged { .. } | StoreError::Corrupt { .. } => ("corrupt", RESTORE_HINT),
        StoreError::Failed(_) => ("store", "run `recalld doctor` to check the store"),
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Failure {
        let (code, hint) = of_store(&error);
        Failure::failed(code, chain(&error)).hint(hint)
    }
}

impl From<SpaceError> for Failure {
    fn from(error: SpaceError) -> Failure {
        match &error {
            SpaceError::Store(store) => {
                let (code, hint) = of_store(store);
                Failure::failed(code, chain(&**store)).hint(hint)
            }
            SpaceError::OverQuota(_) => Failure::failed("quota", error.to_string())
                .hint("erase what is not needed, or raise quotas.memories_max and quotas.bytes_max"),
            SpaceError::Contended => Failure::failed("contended", error.to_string()).hint("try again"),
            SpaceError::Stopping => Failure::failed("stopping", error.to_string()).hint("try again"),
        }
    }
}

fn secret(error: &dyn Error, _: Secret) -> Failure {
    Failure::bad_input("secret", error.to_string())
        .hint("nothing was stored; keep secrets in a password manager")
}

impl From<RememberError> for Failure {
    fn from(error: RememberError) -> Failure {
        match error {
            RememberError::Secret(found) => secret(&error, found),
            RememberError::Space(space) => space.into(),
        }
    }
}

impl From<ReviseError> for Failure {
    fn from(error: ReviseError) -> Failure {
        match error {
            ReviseError::Secret(found) => secret(&error, found),
            ReviseError::Period(invalid) => invalid.into(),
            ReviseError::Space(space) => space.into(),
        }
    }
}

impl From<AddError> for Failure {
    fn from(error: AddError) -> Failure {
        match error {
            AddError::Secret(found) => secret(&error, found),
            AddError::Space(space) => space.into(),
        }
    }
}

impl From<RestoreError> for Failure {
    fn from(error: RestoreError) -> Failure {
        match error {
            RestoreError::History(store) => store.into(),
            RestoreError::Space(space) => space.into(),
        }
    }
}

impl From<HistoryError> for Failure {
    fn from(error: HistoryError) -> Failure {
        match error {
            HistoryError::Store(store) => store.into(),
            HistoryError::Space(space) => space.into(),
        }
    }
}
