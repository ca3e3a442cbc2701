//! The configured server.

pub(super) mod telemetry;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use recalld_agent::tools::ToolSet;
use recalld_models::key_set::KeySetEndpoint;
use recalld_server::{
    AddressRange, KeySetSource, Limits, McpSettings, TokenAlgorithm, TokenKeys, TokenRules,
};

use crate::failure::{Failure, chain};

pub(crate) use telemetry::TelemetryValues;

/// How the server is reached, and what callers may do.
#[derive(Clone, Debug)]
pub(crate) struct ServerValues {
    pub(crate) listen: String,
    /// Whether other machines may reach it.
    pub(crate) public: bool,
    pub(crate) body_bytes_max: usize,
    pub(crate) concurrent_max: usize,
    pub(crate) per_key_second_max: u32,
    /// None: unlimited.
    pub(crate) writes_per_minute_max: Option<u32>,
    pub(crate) request_timeout_s: u64,
    pub(crate) connections_max: usize,
    pub(crate) connections_per_address_max: usize,
    /// Proxies, which carry the connections of many clients.
    pub(crate) trusted_proxies: Vec<AddressRange>,
    pub(crate) cors_origins: Vec<String>,
    pub(crate) peers: Vec<String>,
    /// Whether everybody may see the metrics, wherever the server listens.
    pub(crate) metrics_public: bool,
    /// The file of the access log.
    pub(crate) access_log: Option<PathBuf>,
    /// Whether the access log names users.
    pub(crate) access_log_users: bool,
    /// The public URL.
    pub(crate) url: Option<String>,
    /// The tool sets that MCP clients see; all, if empty.
    pub(crate) tool_sets: Vec<ToolSet>,
    /// Whether MCP clients sign in through the console.
    pub(crate) oauth: bool,
    pub(crate) jwt_secret: Option<String>,
    pub(crate) jwt_jwks_url: Option<String>,
    pub(crate) jwt_algorithms: Vec<TokenAlgorithm>,
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
            writes_per_minute_max: None,
            request_timeout_s: limits.request_timeout.as_secs(),
            connections_max: limits.connections_max,
            connections_per_address_max: limits.connections_per_address_max,
            trusted_proxies: Vec::new(),
            cors_origins: Vec::new(),
            peers: Vec::new(),
            metrics_public: false,
            access_log: None,
            access_log_users: false,
            url: None,
            tool_sets: Vec::new(),
            oauth: true,
            jwt_secret: None,
            jwt_jwks_url: None,
            jwt_algorithms: TokenAlgorithm::ALL.to_vec(),
            jwt_issuer: None,
            jwt_audience: None,
        }
    }
}

/// The fewest bytes of a secret that cannot be guessed.
const SECRET_BYTES_MIN: usize = 32;

impl ServerValues {
    /// Returns the limits of the server.
    pub(crate) fn limits(&self) -> Limits {
        Limits {
            body_bytes_max: self.body_bytes_max,
            concurrent_max: self.concurrent_max,
            per_key_second_max: self.per_key_second_max,
            writes_per_minute_max: self.writes_per_minute_max,
            request_timeout: Duration::from_secs(self.request_timeout_s),
            connections_max: self.connections_max,
            connections_per_address_max: self.connections_per_address_max,
            trusted_proxies: self.trusted_proxies.clone(),
            cors_origins: self.cors_origins.clone(),
            peers: self.peers.clone(),
            ..Limits::default()
        }
    }

    /// Whether the operator has configured how remote callers authenticate.
    pub(crate) fn authentication_is_configured(&self) -> bool {
        self.public || self.jwt_secret.is_some() || self.jwt_jwks_url.is_some()
    }

    /// Returns the rules for tokens, if tokens are accepted.
    pub(crate) fn token_rules(&self) -> Result<Option<TokenRules>, Failure> {
        let keys = match (&self.jwt_secret, &self.jwt_jwks_url) {
            (None, None) => return Ok(None),
            (Some(secret), None) => checked_secret(secret)?,
            (None, Some(url)) => self.published(url)?,
            (Some(_), Some(_)) => {
                let message = "server.jwt_secret and server.jwt_jwks_url are both set";
                return Err(Failure::bad_input("configuration", message).hint("remove one of them"));
            }
        };
        Ok(Some(TokenRules {
            keys,
            issuer: self.jwt_issuer.clone(),
            audience: self.jwt_audience.clone(),
        }))
    }

    fn published(&self, url: &str) -> Result<TokenKeys, Failure> {
        let endpoint = KeySetEndpoint::new(url).map_err(|error| {
            let message = format!("server.jwt_jwks_url: {}", chain(&error));
            Failure::bad_input("configuration", message)
        })?;
        // A key set alone does not restrict whom its tokens are for.
        if self.jwt_issuer.is_none() && self.jwt_audience.is_none() {
            let message = "server.jwt_jwks_url needs server.jwt_issuer or server.jwt_audience";
            let hint = "otherwise tokens that the issuer created for other servers would be accepted";
            return Err(Failure::bad_input("configuration", message).hint(hint));
        }
        Ok(TokenKeys::Published {
            source: Arc::new(Issuer(endpoint)),
            algorithms: self.jwt_algorithms.clone(),
        })
    }

    /// Returns the settings of the MCP endpoint.
    pub(crate) fn mcp(&self) -> McpSettings {
        let is_url = |issuer: &&String| issuer.starts_with("https://") || issuer.starts_with("http://");
        McpSettings {
            url: self
                .url
                .as_ref()
                .map(|url| format!("{}/mcp", url.trim_end_matches('/'))),
            authorization_servers: self.jwt_issuer.iter().filter(is_url).cloned().collect(),
            tool_sets: self.tool_sets.clone(),
            signs_in: self.oauth && self.jwt_issuer.is_none(),
            ..McpSettings::default()
        }
    }
}

/// The key set of an issuer.
#[derive(Debug)]
struct Issuer(KeySetEndpoint);

#[async_trait]
impl KeySetSource for Issuer {
    async fn fetch(&self) -> Result<Vec<u8>, String> {
        self.0.fetch().await.map_err(|error| chain(&error))
    }
}

fn checked_secret(secret: &str) -> Result<TokenKeys, Failure> {
    if secret.len() < SECRET_BYTES_MIN {
        let message = format!(
            "server.jwt_secret is {} bytes, under the minimum of {SECRET_BYTES_MIN}",
            secret.len()
        );
        return Err(
            Failure::bad_input("configuration", message).hint("generate one with: openssl rand -hex 32")
        );
    }
    Ok(TokenKeys::Secret(secret.as_bytes().to_vec()))
}
