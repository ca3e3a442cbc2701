//! What takes in the events of chat platforms.

use std::fmt::Debug;

use async_trait::async_trait;
use axum::http::HeaderMap;
use serde_json::Value;

/// Takes in events of chat platforms.
#[async_trait]
pub trait Webhooks: Debug + Send + Sync {
    /// Takes in a request of the platform `name`. When this returns, a message that it brought is
    /// stored. Returns what the platform expects as an answer, if it expects something.
    async fn take(&self, name: &str, webhook: Webhook<'_>) -> Result<Option<Value>, WebhookRefusal>;
}

/// A request that claims to be from a platform.
#[derive(Clone, Copy, Debug)]
pub struct Webhook<'a> {
    pub(crate) headers: &'a HeaderMap,
    pub body: &'a [u8],
}

impl<'a> Webhook<'a> {
    /// The value of a header, if it is text.
    pub fn header(&self, name: &str) -> Option<&'a str> {
        self.headers.get(name)?.to_str().ok()
    }
}

/// Why an event is not taken in.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WebhookRefusal {
    /// No such platform is configured.
    #[error("no channel {0:?} is configured")]
    Unknown(String),
    /// Nothing proves that the platform sent it.
    #[error("{0}")]
    Unproven(String),
    /// The platform sent something else than it documents.
    #[error("{0}")]
    Malformed(String),
    /// It cannot be stored now; the platform will send it again.
    #[error("{0}")]
    NotNow(String),
}
