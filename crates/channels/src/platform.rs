//! What a chat platform must be able to do.

use std::fmt::Debug;
use std::time::Duration;

use async_trait::async_trait;
use jiff::Timestamp;
use serde_json::Value;
use thiserror::Error;

use crate::message::{IncomingMessage, ReplyTarget};
use crate::outgoing::OutgoingReply;

/// A chat platform: verifies and reads its events, and sends replies.
#[async_trait]
pub trait Platform: Debug + Send + Sync {
    /// The platform's name, as it stands in addresses, settings and conversation ids.
    fn name(&self) -> &'static str;

    /// Verifies a request of the platform, and reads what it says. Nothing of a request that does
    /// not verify is looked at.
    async fn receive(&self, request: &WebhookRequest<'_>) -> Result<Received, Refusal>;

    /// Sends a reply. What an earlier attempt sent is not sent again.
    async fn send(
        &self,
        target: &ReplyTarget,
        reply: &OutgoingReply,
        delivery: &Delivery,
    ) -> Result<(), SendError>;

    /// Looks up what [`Platform::receive`] needs of the platform, so that no event waits for it.
    async fn warm_up(&self) {}

    /// Tries the settings against the platform.
    async fn check(&self) -> Vec<Finding>;
}

/// Which reply is sent, and whether it may have been sent before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// The same for every attempt at the same reply.
    pub key: String,
    /// Whether an earlier attempt was made, which may have sent all of it or a part.
    pub is_repeated: bool,
}

/// A request that claims to be from the platform.
#[derive(Clone, Copy)]
pub struct WebhookRequest<'a> {
    /// Looks a header up by its name in lower case.
    pub header: &'a (dyn Fn(&str) -> Option<&'a str> + Send + Sync),
    pub body: &'a [u8],
    pub now: Timestamp,
}

impl<'a> WebhookRequest<'a> {
    /// The value of a header; refused if it is missing.
    pub fn required(&self, name: &'static str) -> Result<&'a str, Refusal> {
        (self.header)(name).ok_or(Refusal::Unsigned { header: name })
    }
}

/// What a verified request says.
#[derive(Clone, Debug, PartialEq)]
pub enum Received {
    /// The platform tries the address: it expects this answer.
    Challenge(Value),
    Message(Box<IncomingMessage>),
    /// Nothing to answer, and why.
    Ignored(&'static str),
}

/// Why a request is refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    /// A header that proves who sent it is missing.
    #[error("the request has no {header} header")]
    Unsigned { header: &'static str },
    /// The signature or token does not match.
    #[error("the signature does not match")]
    Forged,
    /// The request is too old, or from the future: perhaps one that was recorded.
    #[error("the request is {seconds} s away from the present; up to {limit} s are accepted")]
    Stale { seconds: i64, limit: i64 },
    /// It is verified, but not what the platform documents.
    #[error("the event is malformed: {0}")]
    Malformed(&'static str),
    /// Something that is needed to read it cannot be had now; the platform will send it again.
    #[error("the event cannot be read yet: {0}")]
    NotNow(&'static str),
}

/// Why a reply could not be sent.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SendError {
    /// Trying again later may work.
    #[error("{reason}")]
    Later {
        reason: String,
        /// When the platform says to try again.
        after: Option<Duration>,
    },
    /// Trying again will not work.
    #[error("{reason}")]
    Refused { reason: String },
}

/// One result of trying the settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The setting or step that was tried.
    pub what: &'static str,
    /// What is wrong with it, and what to do; none if it is fine.
    pub problem: Option<String>,
}

impl Finding {
    /// A step that worked.
    pub fn fine(what: &'static str) -> Finding {
        Finding { what, problem: None }
    }

    /// A step that did not.
    pub fn wrong(what: &'static str, problem: impl Into<String>) -> Finding {
        Finding {
            what,
            problem: Some(problem.into()),
        }
    }
}

/// Refuses a request that was made more than `limit` seconds before or after now.
pub(crate) fn refuse_stale(sent_s: i64, now: Timestamp, limit: i64) -> Result<(), Refusal> {
    let seconds = now.as_second().saturating_sub(sent_s).saturating_abs();
    match seconds <= limit {
        true => Ok(()),
        false => Err(Refusal::Stale { seconds, limit }),
    }
}
