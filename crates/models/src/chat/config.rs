//! What a user says about a model that talks.

use std::time::Duration;

use crate::http::ApiKey;
use crate::remote::{BreakerLimits, RetryLimits};

/// How an endpoint is spoken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// `/chat/completions`, as most servers have it.
    OpenAiChat,
    /// `/responses`.
    OpenAiResponses,
    /// `/messages`.
    Anthropic,
}

/// Where a model is.
#[derive(Clone, Debug)]
pub struct ChatConfig {
    pub protocol: Protocol,
    /// The address up to and including the version, as in `https://api.example.com/v1`.
    pub base_url: String,
    /// The key, where one is needed.
    pub key: Option<ApiKey>,
    /// The model's name at the endpoint.
    pub model: String,
    pub limits: ChatLimits,
}

/// Bounds on answers.
#[derive(Clone, Copy, Debug)]
pub struct ChatLimits {
    /// How many answers are under way at a time.
    pub answers_at_once: usize,
    /// How long a request waits for its place.
    pub place_timeout: Duration,
    /// How long connecting may take.
    pub connect_timeout: Duration,
    /// How long the endpoint may take to begin, in one attempt.
    pub head_timeout: Duration,
    /// How long all attempts to begin may take together.
    pub begin_timeout: Duration,
    /// How long an answer may pause.
    pub stall_timeout: Duration,
    /// How long an answer may take in all.
    pub answer_timeout: Duration,
    /// The most bytes of an answer.
    pub answer_bytes_max: usize,
    /// The most tokens of an answer, for protocols that must say so.
    pub tokens_default: u32,
    pub retry: RetryLimits,
    pub breaker: BreakerLimits,
}

impl Default for ChatLimits {
    fn default() -> ChatLimits {
        ChatLimits {
            answers_at_once: 64,
            place_timeout: Duration::from_secs(20),
            connect_timeout: Duration::from_secs(5),
            head_timeout: Duration::from_secs(60),
            begin_timeout: Duration::from_secs(90),
            stall_timeout: Duration::from_secs(60),
            answer_timeout: Duration::from_secs(300),
            answer_bytes_max: 16 * 1024 * 1024,
            tokens_default: 16_000,
            retry: RetryLimits::default(),
            breaker: BreakerLimits::default(),
        }
    }
}
