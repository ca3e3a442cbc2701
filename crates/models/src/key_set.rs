//! The key set that an issuer of tokens publishes (JWKS). Fetched here, since this crate is the one
//! that asks others; what the keys are trusted for is decided elsewhere.

use std::time::Duration;

use reqwest::{Client, Url};
use thiserror::Error;

use crate::http::{self, BodyError, InvalidEndpoint, Redirects};

/// How long connecting may take.
const CONNECT: Duration = Duration::from_secs(3);

/// How long all of it may take. A request with a token waits for it.
const ANSWER: Duration = Duration::from_secs(5);

/// The most bytes of a key set. Large issuers have a dozen keys.
const BYTES_MAX: usize = 256 * 1024;

/// Where a key set is published.
#[derive(Clone, Debug)]
pub struct KeySetEndpoint {
    client: Client,
    url: Url,
    answer_timeout: Duration,
}

/// Why a key set could not be fetched.
#[derive(Debug, Error)]
pub enum KeySetError {
    #[error("the issuer cannot be reached: {0}")]
    Unreachable(String),
    #[error("the issuer answered {0}")]
    Status(u16),
    #[error("the key set is over the limit of {BYTES_MAX} bytes")]
    TooLong,
}

impl KeySetEndpoint {
    /// Prepares the endpoint. Nothing is sent yet. Whoever can change the answer on its way can
    /// sign for anybody, so only this machine may be asked without TLS.
    pub fn new(url: &str) -> Result<KeySetEndpoint, InvalidEndpoint> {
        let url = http::address(url)?;
        if url.scheme() != "https" && !is_this_machine(&url) {
            return Err(InvalidEndpoint::Address("keys are only read over https://"));
        }
        Ok(KeySetEndpoint {
            client: http::client(CONNECT, Redirects::Refused)?,
            url,
            answer_timeout: ANSWER,
        })
    }

    /// The same, with another time to answer.
    pub fn with_answer_timeout(self, answer_timeout: Duration) -> KeySetEndpoint {
        KeySetEndpoint {
            answer_timeout,
            ..self
        }
    }

    /// Fetches the document.
    pub async fn fetch(&self) -> Result<Vec<u8>, KeySetError> {
        let request = self.client.get(self.url.clone()).timeout(self.answer_timeout);
        let response = request
            .send()
            .await
            .map_err(|error| KeySetError::Unreachable(http::reason(error)))?;
        if !response.status().is_success() {
            return Err(KeySetError::Status(response.status().as_u16()));
        }
        http::read_body(response, BYTES_MAX)
            .await
            .map_err(|error| match error {
                BodyError::Broken(reason) => KeySetError::Unreachable(reason),
                BodyError::TooLong { .. } => KeySetError::TooLong,
            })
    }
}

fn is_this_machine(url: &Url) -> bool {
    match url.host_str() {
        Some("localhost") => true,
        Some(host) => host
            .trim_matches(['[', ']'])
            .parse::<std::net::IpAddr>()
            .is_ok_and(|address| address.is_loopback()),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    use super::*;

    /// Answers one request with `answer`, or not at all.
    async fn publishing(answer: Option<String>) -> KeySetEndpoint {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/jwks", listener.local_addr().unwrap());
        tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut asked = [0; 1024];
            let _ = stream.read(&mut asked).await;
            match answer {
                Some(answer) => drop(stream.write_all(answer.as_bytes()).await),
                None => std::future::pending().await,
            }
        });
        KeySetEndpoint::new(&url).unwrap()
    }

    fn answer(status: &str, headers: &str, body: &str) -> Option<String> {
        let length = body.len();
        Some(format!(
            "HTTP/1.1 {status}\r\ncontent-length: {length}\r\n{headers}\r\n{body}"
        ))
    }

    #[tokio::test]
    async fn a_set_is_fetched_as_it_is() {
        let endpoint = publishing(answer("200 OK", "", "{\"keys\": []}")).await;
        assert_eq!(endpoint.fetch().await.unwrap(), b"{\"keys\": []}");
    }

    #[tokio::test]
    async fn what_is_no_good_answer_is_an_error() {
        let missing = publishing(answer("404 Not Found", "", "")).await;
        assert!(matches!(missing.fetch().await, Err(KeySetError::Status(404))));
        let elsewhere = publishing(answer("302 Found", "location: http://127.0.0.1:1/\r\n", "")).await;
        assert!(matches!(elsewhere.fetch().await, Err(KeySetError::Status(302))));
        let long = publishing(answer("200 OK", "", &"x".repeat(BYTES_MAX + 1))).await;
        assert!(matches!(long.fetch().await, Err(KeySetError::TooLong)));
        let silent = publishing(None)
            .await
            .with_answer_timeout(Duration::from_millis(20));
        assert!(matches!(silent.fetch().await, Err(KeySetError::Unreachable(_))));
        let nobody = KeySetEndpoint::new("http://127.0.0.1:1/jwks").unwrap();
        assert!(matches!(nobody.fetch().await, Err(KeySetError::Unreachable(_))));
    }

    #[test]
    fn keys_from_elsewhere_come_over_tls() {
        for good in [
            "https://id.example/jwks",
            "http://localhost:1/",
            "http://[::1]:1/",
            "http://127.0.0.1/",
        ] {
            assert!(KeySetEndpoint::new(good).is_ok(), "{good}");
        }
        for bad in [
            "http://id.example/jwks",
            "http://127.0.0.1.evil.example/",
            "file:///etc/jwks",
            "",
        ] {
            assert!(KeySetEndpoint::new(bad).is_err(), "{bad}");
        }
    }
}
