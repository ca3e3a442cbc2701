//! What a user says about an endpoint.

use std::time::Duration;

use super::breaker::BreakerLimits;
use super::retry::RetryLimits;
use crate::http::ApiKey;
use crate::transformer::Prefixes;

/// How many components the vectors have, and who decides it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dimension {
    /// The model's own number. It is expected, not asked for.
    Native(usize),
    /// Asked for with each request (`dimensions`), for models that can shorten their vectors.
    Asked(usize),
}

impl Dimension {
    /// Gives the number.
    pub(super) fn count(self) -> usize {
        match self {
            Dimension::Native(count) | Dimension::Asked(count) => count,
        }
    }
}

/// Where an endpoint is and what it serves.
#[derive(Clone, Debug)]
pub struct RemoteConfig {
    /// The address up to and including the version, as in `https://api.example.com/v1`.
    pub base_url: String,
    /// The key, where one is needed.
    pub key: Option<ApiKey>,
    /// The model's name at the endpoint.
    pub model: String,
    /// The number of components of its vectors.
    pub dimension: Dimension,
    /// What to put in front of texts.
    pub prefixes: Prefixes,
    /// How much to ask, and how long to wait.
    pub limits: RemoteLimits,
}

/// Bounds on requests.
#[derive(Clone, Copy, Debug)]
pub struct RemoteLimits {
    /// How many texts a request holds at most.
    pub texts_max: usize,
    /// How many tokens a request holds at most, by a cautious estimate.
    pub tokens_max: usize,
    /// Where a longer text is cut.
    pub text_bytes_max: usize,
    /// How many requests of one call run at a time.
    pub requests_at_once: usize,
    /// How long connecting may take.
    pub connect_timeout: Duration,
    /// How long one attempt may take.
    pub attempt_timeout: Duration,
    /// How long a request may take with all its attempts and pauses.
    pub total_timeout: Duration,
    /// How often it is tried.
    pub retry: RetryLimits,
    /// When to stop retrying.
    pub breaker: BreakerLimits,
}

impl Default for RemoteLimits {
    fn default() -> RemoteLimits {
        RemoteLimits {
            texts_max: 64,
            tokens_max: 64_000,
            text_bytes_max: 24_000,
            requests_at_once: 4,
            connect_timeout: Duration::from_secs(3),
            attempt_timeout: Duration::from_secs(15),
            total_timeout: Duration::from_secs(30),
            retry: RetryLimits::default(),
            breaker: BreakerLimits::default(),
        }
    }
}
