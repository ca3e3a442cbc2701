//! Why a command did not do what was asked: a message, a hint, a stable code and the exit code.

mod sources;

pub(crate) use sources::{RESTORE, chain};

use std::process::ExitCode;

use crate::output::Output;

/// How the program ends when something went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// It could not be done.
    Failed = 1,
    /// What was given cannot be right.
    BadInput = 2,
    /// There is no such thing.
    NotFound = 3,
}

/// What is told to whoever called the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) exit: Exit,
    /// A stable word for programs.
    pub(crate) code: &'static str,
    pub(crate) message: String,
    /// What to do about it.
    pub(crate) hint: Option<String>,
}

impl Failure {
    /// It could not be done.
    pub(crate) fn failed(code: &'static str, message: impl Into<String>) -> Failure {
        Failure::new(Exit::Failed, code, message)
    }

    /// What was given cannot be right.
    pub(crate) fn bad_input(code: &'static str, message: impl Into<String>) -> Failure {
        Failure::new(Exit::BadInput, code, message)
    }

    /// There is no such thing.
    pub(crate) fn not_found(message: impl Into<String>) -> Failure {
        Failure::new(Exit::NotFound, "not_found", message)
    }

    fn new(exit: Exit, code: &'static str, message: impl Into<String>) -> Failure {
        Failure {
            exit,
            code,
            message: message.into(),
            hint: None,
        }
    }

    /// Adds what to do about it.
    pub(crate) fn hint(self, hint: impl Into<String>) -> Failure {
        Failure {
            hint: Some(hint.into()),
            ..self
        }
    }

    /// Adds what to do about it, if there is anything.
    pub(crate) fn maybe_hint(self, hint: Option<impl Into<String>>) -> Failure {
        match hint {
            Some(hint) => self.hint(hint),
            None => self,
        }
    }

    /// Prints it and gives the exit code.
    pub(crate) fn report(&self, output: &Output) -> ExitCode {
        output.failure(self);
        ExitCode::from(self.exit as u8)
    }
}
