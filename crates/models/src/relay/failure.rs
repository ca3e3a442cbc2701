//! Why a message was not answered.

use reqwest::StatusCode;

/// Why a message got no answer.
#[derive(Debug)]
pub(super) enum Failure {
    Unreachable(String),
    Refused { status: StatusCode, body: Vec<u8> },
}
