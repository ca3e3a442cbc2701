//! Why a model gave no answer, or no more of it.

use std::time::Duration;

use serde_json::Value;

/// How much of a refusal is quoted.
pub(super) const EXCERPT_CHARS_MAX: usize = 300;

/// Why an answer failed or ended early, which decides what to do about it.
#[derive(Debug)]
pub(super) enum Failure {
    /// It may work later.
    Passing {
        reason: String,
        asked_pause: Option<Duration>,
    },
    /// It will not work, though the endpoint is alive.
    Refused { status: u16, reason: String },
    /// It cannot be understood.
    BadAnswer { reason: String },
}

impl Failure {
    pub(super) fn passing(reason: impl Into<String>) -> Failure {
        Failure::Passing {
            reason: reason.into(),
            asked_pause: None,
        }
    }
}

/// Reads the JSON of an event.
pub(super) fn answer_json<'d, T: serde::Deserialize<'d>>(data: &'d str) -> Result<T, Failure> {
    serde_json::from_str(data).map_err(|error| Failure::BadAnswer {
        reason: format!("not the JSON expected: {error}"),
    })
}

/// Makes a failure of an error that came in the middle of an answer.
pub(super) fn reported_failure(error: &Value) -> Failure {
    let text = |name: &str| error.get(name).and_then(Value::as_str).unwrap_or("");
    let said = match text("message") {
        "" => error.to_string(),
        message => message.to_owned(),
    };
    let said: String = said.chars().take(EXCERPT_CHARS_MAX).collect();
    let reason = format!("it failed while it answered: {said}");
    match text("type").contains("invalid") {
        true => Failure::Refused { status: 400, reason },
        false => Failure::passing(reason),
    }
}
