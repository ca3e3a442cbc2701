//! Which Host and Origin headers are accepted: the server must be addressed by a name of its own,
//! and only known web pages may connect.
//!
//! Without this, any page in the user's browser could reach a server on the user's machine, by
//! pointing a name of its own at 127.0.0.1 (DNS rebinding).

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{HOST, ORIGIN};
use axum::http::uri::Authority;
use axum::middleware::Next;
use axum::response::Response;

use crate::error::{ApiError, Code};
use crate::mcp_settings::McpSettings;

/// How much of a wrong name an error shows.
const HOST_CHARS_SHOWN_MAX: usize = 128;

const LOOPBACK_HOSTS: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];
const LOOPBACK_ORIGINS: [&str; 3] = ["http://localhost:*", "http://127.0.0.1:*", "http://[::1]:*"];

/// The hosts and origins that are accepted.
#[derive(Debug)]
pub(crate) struct HostCheck {
    hosts: Vec<Host>,
    origins: Vec<Origin>,
}

/// The authority by which a request addressed the server: one that is allowed.
#[derive(Clone, Debug)]
pub(crate) struct Addressed(pub(crate) String);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Host {
    name: String,
    /// None in a rule: any.
    port: Option<u16>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Origin {
    /// What a sandboxed page sends.
    Null,
    Page {
        scheme: String,
        host: Host,
    },
}

impl HostCheck {
    /// Accepts loopback, and what the settings name. Pages that may call the API may connect too.
    pub(crate) fn new(settings: &McpSettings, cors_origins: &[String]) -> HostCheck {
        let own = settings
            .url
            .iter()
            .filter_map(|url| url.split("://").nth(1)?.split('/').next());
        let hosts = LOOPBACK_HOSTS
            .into_iter()
            .chain(settings.hosts.iter().map(String::as_str))
            .chain(own);
        let origins = LOOPBACK_ORIGINS.into_iter();
        let origins = origins.chain(settings.origins.iter().chain(cors_origins).map(String::as_str));
        HostCheck {
            hosts: hosts.filter_map(host).collect(),
            origins: origins.filter_map(origin_rule).collect(),
        }
    }

    /// Gives the name by which the request addresses the server, if that is one of its own.
    pub(crate) fn checked_host(&self, request: &Request) -> Result<String, ApiError> {
        let addressed = addressed(request)?;
        if self.allows_host(&addressed) {
            return Ok(addressed);
        }
        let shown: String = addressed.chars().take(HOST_CHARS_SHOWN_MAX).collect();
        let detail = format!("the Host header names {shown:?}, which is not a name of this server");
        Err(ApiError::new(Code::WrongHost, detail)
            .hint("set server.url to the address by which clients reach it"))
    }

    fn allows_host(&self, raw: &str) -> bool {
        let given = host(raw);
        given.is_some_and(|given| self.hosts.iter().any(|rule| rule.allows(&given)))
    }

    fn allows_origin(&self, raw: &str) -> bool {
        let Some(given) = origin(raw) else { return false };
        self.origins.iter().any(|rule| match (rule, &given) {
            (Origin::Null, Origin::Null) => true,
            (
                Origin::Page {
                    scheme: known,
                    host: rule,
                },
                Origin::Page { scheme, host },
            ) => known == scheme && rule.allows(host),
            _ => false,
        })
    }
}

impl Host {
    fn allows(&self, given: &Host) -> bool {
        self.name == given.name && (self.port.is_none() || self.port == given.port)
    }
}

/// Reads `name`, `name:port`, or an IPv6 address with or without brackets.
fn host(raw: &str) -> Option<Host> {
    let raw = raw.trim();
    let bare_v6 = raw.parse::<std::net::Ipv6Addr>().is_ok();
    if bare_v6 {
        return Some(Host {
            name: raw.to_ascii_lowercase(),
            port: None,
        });
    }
    let authority = Authority::try_from(raw).ok().filter(|_| !raw.contains('@'))?;
    let port = match authority.port() {
        Some(port) => Some(port.as_str().parse().ok()?),
        // Something follows the name, and it is no port.
        None if authority.as_str() != authority.host() => return None,
        None => None,
    };
    let name = authority
        .host()
        .trim_start_matches('[')
        .trim_end_matches(']')
        .to_ascii_lowercase();
    Some(Host { name, port }).filter(|host| !host.name.is_empty())
}

/// Reads an origin as a browser sends it. One without a port has that of its scheme.
fn origin(raw: &str) -> Option<Origin> {
    if raw == "null" {
        return Some(Origin::Null);
    }
    let (scheme, rest) = raw.split_once("://")?;
    let scheme = scheme.to_ascii_lowercase();
    let mut host = host(rest)?;
    host.port = host.port.or(match scheme.as_str() {
        "http" => Some(80),
        "https" => Some(443),
        _ => None,
    });
    Some(Origin::Page { scheme, host })
}

/// Reads an origin of the settings, where `:*` stands for any port.
fn origin_rule(raw: &str) -> Option<Origin> {
    let raw = raw.trim().trim_end_matches('/');
    let rule = match raw.strip_suffix(":*") {
        None => origin(raw),
        Some(base) => match origin(base) {
            Some(Origin::Page { scheme, host }) => Some(Origin::Page {
                scheme,
                host: Host { port: None, ..host },
            }),
            _ => None,
        },
    };
    if rule.is_none() {
        tracing::warn!(
            origin = raw,
            "an allowed origin cannot be read and allows nothing"
        );
    }
    rule
}

/// Refuses a request that is addressed to another name, or comes from a page that is not known.
pub(crate) async fn layer(
    State(host_check): State<Arc<HostCheck>>,
    mut request: Request,
    next: Next,
) -> Result<Response, ApiError> {
    let addressed = host_check.checked_host(&request)?;
    let mut origins = request.headers().get_all(ORIGIN).iter();
    if !origins.all(|origin| {
        origin
            .to_str()
            .is_ok_and(|origin| host_check.allows_origin(origin))
    }) {
        let detail = "pages of this Origin may not connect";
        return Err(ApiError::new(Code::OriginRefused, detail).hint("add it to server.cors_origins"));
    }
    request.extensions_mut().insert(Addressed(addressed));
    Ok(next.run(request).await)
}

/// Finds the one name by which the server was addressed: in the Host header, or in the URI as
/// HTTP/2 has it.
fn addressed(request: &Request) -> Result<String, ApiError> {
    let headers = request
        .headers()
        .get_all(HOST)
        .iter()
        .map(|host| host.to_str().ok());
    let uri = request
        .uri()
        .authority()
        .map(|authority| Some(authority.as_str()));
    let mut all: Vec<Option<&str>> = headers.chain(uri).collect();
    all.dedup();
    match all.as_slice() {
        [Some(one)] => Ok((*one).to_owned()),
        _ => Err(ApiError::new(
            Code::InvalidRequest,
            "the request must name one host",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known() -> HostCheck {
        let settings = McpSettings {
            url: Some("https://memory.example/mcp".to_owned()),
            hosts: vec!["inner:8080".to_owned()],
            origins: vec![
                "https://app.example".to_owned(),
                "http://dev.example:*".to_owned(),
            ],
            ..McpSettings::default()
        };
        HostCheck::new(&settings, &[])
    }

    #[test]
    fn only_names_of_its_own_are_answered() {
        let known = known();
        for host in [
            "localhost",
            "LocalHost:7077",
            "127.0.0.1:1",
            "[::1]:7077",
            "memory.example",
            "inner:8080",
        ] {
            assert!(known.allows_host(host), "{host}");
        }
        for host in [
            "",
            "evil.example",
            "localhost.evil.example",
            "evil@localhost",
            "inner:9",
            "localhost:99999",
        ] {
            assert!(!known.allows_host(host), "{host}");
        }
    }

    #[test]
    fn only_known_pages_connect() {
        let known = known();
        for origin in [
            "http://localhost:3000",
            "https://app.example",
            "https://app.example:443",
            "http://dev.example:9",
        ] {
            assert!(known.allows_origin(origin), "{origin}");
        }
        let strangers = [
            "",
            "null",
            "https://evil.example",
            "http://app.example",
            "https://app.example:8443",
            "https://localhost",
        ];
        for origin in strangers {
            assert!(!known.allows_origin(origin), "{origin}");
        }
    }
}
