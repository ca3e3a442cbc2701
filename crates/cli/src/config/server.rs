//! The values that the server goes by.

use std::time::Duration;

use recalld_server::{Limits, TokenKeys, TokenRules};

use crate::failure::Failure;

/// How the server is reached, and what callers may ask of it.
#[derive(Clone, Debug)]
pub(crate) struct ServerValues {
    pub(crate) listen: String,
    /// Whether the operator has said that other machines may reach it.
    pub(crate) public: bool,
    pub(crate) body_bytes_max: usize,
    pub(crate) concurrent_max: usize,
    pub(crate) per_key_second_max: u32,
    pub(crate) request_timeout_s: u64,
    pub(crate) cors_origins: Vec<String>,
    pub(crate) jwt_secret: Option<String>,
    pub(crate) jwt_issuer: Option<String>,
    pub(crate) jwt_audience: Option<String>,
}

impl Default for ServerValues {
    fn default() -> ServerValues {
        let limits = Limits::default();
        ServerValues {
            listen: "127.0.0.1:7077".to_owned(),
            public: false,
            body_bytes_max: limits.body_bytes_max,
            concurrent_max: limits.concurrent_max,
            per_key_second_max: limits.per_key_second_max,
            request_timeout_s: limits.request_timeout.as_secs(),
            cors_origins: Vec::new(),
            jwt_secret: None,
            jwt_issuer: None,
            jwt_audience: None,
        }
    }
}

/// A shorter secret could be guessed.
const SECRET_BYTES_MIN: usize = 32;

impl ServerValues {
    /// Gives the limits of the server.
    pub(crate) fn limits(&self) -> Limits {
        Limits {
            body_bytes_max: self.body_bytes_max,
            concurrent_max: self.concurrent_max,
            per_key_second_max: self.per_key_second_max,
            request_timeout: Duration::from_secs(self.request_timeout_s),
            cors_origins: self.cors_origins.clone(),
            ..Limits::default()
        }
    }

    /// Tells whether the operator has said how callers from elsewhere are known.
    pub(crate) fn authentication_is_configured(&self) -> bool {
        self.public || self.jwt_secret.is_some()
    }

    /// Gives the rules for tokens, if any are accepted.
    pub(crate) fn token_rules(&self) -> Result<Option<TokenRules>, Failure> {
        let Some(secret) = &self.jwt_secret else {
            return Ok(None);
        };
        if secret.len() < SECRET_BYTES_MIN {
            let message = format!(
                "server.jwt_secret is {} bytes, and must be at least {SECRET_BYTES_MIN}",
                secret.len()
            );
            return Err(Failure::bad_input("configuration", message).hint("such as: openssl rand -hex 32"));
        }
        Ok(Some(TokenRules {
            keys: TokenKeys::Secret(secret.clone().into_bytes()),
            issuer: self.jwt_issuer.clone(),
            audience: self.jwt_audience.clone(),
        }))
    }
}
