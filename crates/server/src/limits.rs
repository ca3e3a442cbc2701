//! What a client may ask of the service, and how long it may take to ask.

use std::net::IpAddr;
use std::time::Duration;

use crate::address_range::AddressRange;

/// The limits of the service.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The most bytes of a request's body.
    pub body_bytes_max: usize,
    /// The most bytes of a request's body that carries a document, which base64 makes longer.
    pub document_body_bytes_max: usize,
    /// How deep JSON may be nested.
    pub json_depth_max: usize,
    /// How many requests are served at a time; more are answered 503.
    pub concurrent_max: usize,
    /// How many requests a key may make each second; more are answered 429.
    pub per_key_second_max: u32,
    /// How many writes a user may make each minute, by whatever key or door; more are answered 429.
    /// None: as many as they like.
    pub writes_per_minute_max: Option<u32>,
    /// How long a client may take to send the head of a request.
    pub head_timeout: Duration,
    /// How long a connection may be silent between requests.
    pub idle_timeout: Duration,
    /// How long the body may pause.
    pub body_timeout: Duration,
    /// How long a request may take in all.
    pub request_timeout: Duration,
    /// How long an import is waited for; one that takes longer is answered 202 and goes on.
    pub import_wait: Duration,
    /// How long running requests may take when the service stops.
    pub drain_timeout: Duration,
    /// How many connections may be open.
    pub connections_max: usize,
    /// How many connections one address may have open.
    pub connections_per_address_max: usize,
    /// Proxies in front of the service: their addresses carry the connections of many clients, so
    /// only `connections_max` holds for them.
    pub trusted_proxies: Vec<AddressRange>,
    /// Pages of these origins may call from a browser; none, if empty.
    pub cors_origins: Vec<String>,
    /// The addresses of all servers of the deployment, this one among them; none: it is alone.
    pub peers: Vec<String>,
}

impl Limits {
    /// Tells whether `address` is a trusted proxy.
    pub(crate) fn is_trusted_proxy(&self, address: IpAddr) -> bool {
        self.trusted_proxies.iter().any(|range| range.contains(address))
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            body_bytes_max: 1024 * 1024,
            document_body_bytes_max: 44 * 1024 * 1024,
            json_depth_max: 32,
            concurrent_max: 512,
            per_key_second_max: 2_000,
            writes_per_minute_max: None,
            head_timeout: Duration::from_secs(10),
            idle_timeout: Duration::from_secs(75),
            body_timeout: Duration::from_secs(10),
            request_timeout: Duration::from_secs(60),
            import_wait: Duration::from_secs(30),
            drain_timeout: Duration::from_secs(20),
            connections_max: 8_192,
            connections_per_address_max: 1_024,
            trusted_proxies: Vec::new(),
            cors_origins: Vec::new(),
            peers: Vec::new(),
        }
    }
}
