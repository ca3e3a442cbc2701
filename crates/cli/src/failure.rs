//! Why a command failed: a message, a hint, a stable code and the exit code.

mod sources;

pub(crate) use sources::{RESTORE_HINT, chain};

/// The exit code of a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// The command could not be carried out.
    Failed = 1,
    /// The input is invalid.
    BadInput = 2,
    /// What the input names does not exist.
    NotFound = 3,
}

/// The code of a failure that the user knows already.
const REPORTED: &str = "reported";

/// The error that a command ends with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) exit: Exit,
    /// A stable identifier for programs.
    pub(crate) code: &'static str,
    pub(crate) message: String,
    /// What to do about it.
    pub(crate) hint: Option<String>,
}

impl Failure {
    /// Reports that the command could not be carried out.
    pub(crate) fn failed(code: &'static str, message: impl Into<String>) -> Failure {
        Failure::new(Exit::Failed, code, message)
    }

    /// Reports invalid input.
    pub(crate) fn bad_input(code: &'static str, message: impl Into<String>) -> Failure {
        Failure::new(Exit::BadInput, code, message)
    }

    /// Reports that what the input names does not exist.
    pub(crate) fn not_found(message: impl Into<String>) -> Failure {
        Failure::new(Exit::NotFound, "not_found", message)
    }

    /// Ends with an exit code whose reason another process has told the user.
    pub(crate) fn reported(code: u8) -> Failure {
        let exit = match code {
            2 => Exit::BadInput,
            3 => Exit::NotFound,
            _ => Exit::Failed,
        };
        Failure::new(exit, REPORTED, "")
    }

    /// Whether the user knows it already.
    pub(crate) fn is_reported(&self) -> bool {
        self.code == REPORTED
    }

    fn new(exit: Exit, code: &'static str, message: impl Into<String>) -> Failure {
        Failure {
            exit,
            code,
            message: message.into(),
            hint: None,
        }
    }

    /// Adds a hint.
    pub(crate) fn hint(self, hint: impl Into<String>) -> Failure {
        Failure {
            hint: Some(hint.into()),
            ..self
        }
    }

    /// Adds a hint, if there is one.
    pub(crate) fn maybe_hint(self, hint: Option<impl Into<String>>) -> Failure {
        match hint {
            Some(hint) => self.hint(hint),
            None => self,
        }
    }
}

/// The most characters of an offending value that a message quotes.
const QUOTED_CHARS_MAX: usize = 60;

/// Shortens an offending value, so that it can be quoted in a message.
pub(crate) fn shortened(text: &str) -> String {
    recalld_index::text::plain::shorten(text, QUOTED_CHARS_MAX)
}
