//! Converts the errors of opening a store to failures, with the hints of the store.

use recalld_store::{postgres, sqlite};

use crate::failure::{Failure, RESTORE_HINT, chain};

impl From<sqlite::OpenError> for Failure {
    fn from(error: sqlite::OpenError) -> Failure {
        use sqlite::OpenError;
        let hint = error.hint();
        match &error {
            OpenError::Directory { directory, .. } if directory.is_file() => {
                let message = format!("the data directory {} is a file", directory.display());
                Failure::bad_input("data_directory", message).hint("name a directory with --data DIR")
            }
            OpenError::Directory { .. } => Failure::failed("data_directory", chain(&error))
                .hint("name a directory that you can write to with --data DIR"),
            OpenError::Locked { .. } => Failure::failed("locked", error.to_string()).maybe_hint(hint),
            OpenError::Foreign { .. } => Failure::bad_input("foreign", chain(&error)).maybe_hint(hint),
            OpenError::Newer { .. } => Failure::failed("newer", chain(&error)).maybe_hint(hint),
            OpenError::Corrupt { .. } => Failure::failed("corrupt", chain(&error)).hint(RESTORE_HINT),
            _ => Failure::failed("store", chain(&error)).maybe_hint(hint),
        }
    }
}

impl From<postgres::OpenError> for Failure {
    fn from(error: postgres::OpenError) -> Failure {
        use postgres::OpenError;
        let hint = error.hint();
        let message = chain(&error);
        let failure = match &error {
            OpenError::Address { .. } | OpenError::Certificates { .. } => {
                Failure::bad_input("configuration", message)
            }
            OpenError::Unreachable { .. } => Failure::failed("unavailable", message),
            OpenError::Unsafe(_) => Failure::failed("unsafe", message),
            OpenError::Refused { .. } => Failure::failed("refused", message),
            OpenError::Behind { .. } => Failure::failed("behind", message),
            OpenError::Newer { .. } => Failure::failed("newer", message),
            OpenError::Migration { .. } | OpenError::Failed(_) => Failure::failed("store", message),
        };
        failure.maybe_hint(hint)
    }
}
