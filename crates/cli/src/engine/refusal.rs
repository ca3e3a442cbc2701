//! What it means to the caller that the data directory cannot be opened.

use recalld_store::sqlite::OpenError;

use crate::failure::{Failure, RESTORE, chain};

impl From<OpenError> for Failure {
    fn from(error: OpenError) -> Failure {
        let hint = error.hint();
        match &error {
            OpenError::Directory { directory, .. } if directory.is_file() => {
                let message = format!("the data directory {} is a file", directory.display());
                Failure::bad_input("data_directory", message).hint("name a directory with --data DIR")
            }
            OpenError::Directory { .. } => Failure::failed("data_directory", chain(&error))
                .hint("name a directory that you may write to with --data DIR"),
            OpenError::Locked { .. } => Failure::failed("locked", error.to_string()).maybe_hint(hint),
            OpenError::Foreign { .. } => Failure::bad_input("foreign", chain(&error)).maybe_hint(hint),
            OpenError::Newer { .. } => Failure::failed("newer", chain(&error)).maybe_hint(hint),
            OpenError::Corrupt { .. } => Failure::failed("corrupt", chain(&error)).hint(RESTORE),
            _ => Failure::failed("store", chain(&error)).maybe_hint(hint),
        }
    }
}
