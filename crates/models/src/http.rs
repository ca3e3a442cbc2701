//! The one HTTP client of the house: bounded in time and size, and silent about secrets.

use std::fmt;
use std::time::Duration;

use recalld_memory::trace;
use reqwest::header::HeaderValue;
use reqwest::redirect::Policy;
use reqwest::{Client, RequestBuilder, Response, Url};
use thiserror::Error;

/// Why an endpoint's settings cannot be used.
#[derive(Debug, Error)]
pub enum InvalidEndpoint {
    /// The address is not one. It is not repeated, since it may carry a password.
    #[error("the address of the endpoint is not usable: {0}")]
    Address(&'static str),
    /// The key has characters that no header may have. It is not repeated either.
    #[error("the key is empty or has characters that cannot be sent")]
    Key,
    /// A number is out of range.
    #[error("{name} is {value}, not between {min} and {max}")]
    Number {
        name: &'static str,
        value: usize,
        min: usize,
        max: usize,
    },
    /// The client could not be set up (no certificates, for example).
    #[error("the HTTP client cannot be set up: {0}")]
    Client(String),
}

/// A key for an endpoint. It can be sent, and never shown.
#[derive(Clone)]
pub struct ApiKey(HeaderValue);

impl ApiKey {
    /// Takes a key as it is, without the word `Bearer`.
    pub fn new(key: &str) -> Result<ApiKey, InvalidEndpoint> {
        let key = key.trim();
        if key.is_empty() {
            return Err(InvalidEndpoint::Key);
        }
        let mut value = HeaderValue::from_str(&format!("Bearer {key}")).map_err(|_| InvalidEndpoint::Key)?;
        value.set_sensitive(true);
        Ok(ApiKey(value))
    }

    pub(crate) fn header(&self) -> HeaderValue {
        self.0.clone()
    }

    /// Gives the key alone, as `x-api-key` takes it.
    pub(crate) fn bare(&self) -> Option<HeaderValue> {
        let key = self.0.to_str().ok()?.strip_prefix("Bearer ")?;
        let mut value = HeaderValue::from_str(key).ok()?;
        value.set_sensitive(true);
        Some(value)
    }

    /// Takes the key out of a text that a server sent back.
    pub(crate) fn redact(&self, text: &str) -> String {
        match self
            .0
            .to_str()
            .ok()
            .and_then(|value| value.strip_prefix("Bearer "))
        {
            Some(key) => text.replace(key, "[key]"),
            None => text.to_string(),
        }
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("ApiKey([key])")
    }
}

/// Whether a client goes where an answer points.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Redirects {
    /// Never: what is posted, and the key with it, is for one address only.
    Refused,
    /// A few times, as downloads need.
    Followed,
}

/// Makes a client.
pub(crate) fn client(connect_timeout: Duration, redirects: Redirects) -> Result<Client, InvalidEndpoint> {
    let policy = match redirects {
        Redirects::Refused => Policy::none(),
        Redirects::Followed => Policy::limited(5),
    };
    Client::builder()
        .connect_timeout(connect_timeout)
        .redirect(policy)
        .user_agent(concat!("recalld/", env!("CARGO_PKG_VERSION")))
        .build()
        .map_err(|error| InvalidEndpoint::Client(reason(error)))
}

/// Parses an address that may be logged: http or https, without a password.
pub(crate) fn address(raw: &str) -> Result<Url, InvalidEndpoint> {
    let url = Url::parse(raw.trim()).map_err(|_| InvalidEndpoint::Address("it is not a URL"))?;
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
        return Err(InvalidEndpoint::Address(
            "it does not start with http:// or https://",
        ));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(InvalidEndpoint::Address(
            "it holds a user name or a password; give a key instead",
        ));
    }
    Ok(url)
}

/// Makes a request part of the trace of what it is sent for, so that the endpoint can continue it.
pub(crate) fn traced(request: RequestBuilder) -> RequestBuilder {
    match trace::traceparent() {
        Some(context) => request.header("traceparent", context),
        None => request,
    }
}

/// Tells an error and its causes in one line, without the address.
pub(crate) fn reason(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(&error);
    while let Some(inner) = cause {
        text = format!("{text}: {inner}");
        cause = inner.source();
    }
    text
}

/// Why a body could not be read.
#[derive(Debug)]
pub(crate) enum BodyError {
    Broken(String),
    TooLong { bytes_max: usize },
}

/// Reads a body of at most `bytes_max`.
pub(crate) async fn read_body(mut response: Response, bytes_max: usize) -> Result<Vec<u8>, BodyError> {
    let mut body = Vec::new();
    while let Some(chunk) = response
        .chunk()
        .await
        .map_err(|error| BodyError::Broken(reason(error)))?
    {
        if bytes_max - body.len() < chunk.len() {
            return Err(BodyError::TooLong { bytes_max });
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_never_shown() {
        let key = ApiKey::new(" sk-1234 ").unwrap();
        assert!(!format!("{key:?} {:?}", key.header()).contains("1234"));
        assert_eq!(key.redact("wrong key sk-1234!"), "wrong key [key]!");
        for bad in ["", "  ", "a\nb"] {
            assert!(ApiKey::new(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn only_plain_web_addresses_are_taken() {
        assert!(address("https://example.org/v1").is_ok());
        for bad in [
            "",
            "example.org",
            "file:///x",
            "https://u:p@example.org",
            "http://",
        ] {
            let error = address(bad).unwrap_err().to_string();
            assert!(!error.contains("u:p"), "{error}");
        }
    }
}
