//! Calls to a platform's API: bounded in time and size, and silent about secrets.

use std::time::Duration;

use reqwest::header::{HeaderMap, RETRY_AFTER};
use reqwest::redirect::Policy;
use reqwest::{Client, RequestBuilder, StatusCode};
use serde_json::Value;

use crate::platform::SendError;

/// How long a call may take.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The most bytes of an answer that are read.
const ANSWER_BYTES_MAX: usize = 1024 * 1024;

/// What a platform answered.
#[derive(Debug)]
pub(crate) struct ApiAnswer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Value,
}

impl ApiAnswer {
    /// How long the platform asks to wait, by the header `name` or else by `Retry-After`.
    pub(crate) fn wait(&self, name: &str) -> Option<Duration> {
        let seconds =
            |value: Option<&reqwest::header::HeaderValue>| value?.to_str().ok()?.trim().parse::<u64>().ok();
        let named = seconds(self.headers.get(name));
        named
            .or_else(|| seconds(self.headers.get(RETRY_AFTER)))
            .map(|seconds| Duration::from_secs(seconds.min(3_600)))
    }
}

/// Makes a client that goes where it is told and nowhere else.
pub(crate) fn client() -> Result<Client, reqwest::Error> {
    Client::builder()
        .timeout(TIMEOUT)
        .redirect(Policy::none())
        .user_agent(concat!("recalld/", env!("CARGO_PKG_VERSION")))
        .build()
}

/// Sends a request and reads its JSON answer.
pub(crate) async fn call(request: RequestBuilder) -> Result<ApiAnswer, SendError> {
    let unreachable = |error: reqwest::Error| SendError::Later {
        // Without the address, which may have a secret in its path.
        reason: format!("the platform cannot be reached: {}", error.without_url()),
        after: None,
    };
    let mut response = request.send().await.map_err(unreachable)?;
    let (status, headers) = (response.status(), response.headers().clone());
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(unreachable)? {
        bytes.extend_from_slice(&chunk);
        if ANSWER_BYTES_MAX < bytes.len() {
            return Err(SendError::Later {
                reason: format!("the platform's answer is over {ANSWER_BYTES_MAX} bytes"),
                after: None,
            });
        }
    }
    let body = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
    Ok(ApiAnswer {
        status,
        headers,
        body,
    })
}
