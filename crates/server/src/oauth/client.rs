//! Clients. The id of a client contains what it said about itself, so that strangers who register
//! fill no table. An id proves nothing: anybody may make one, as anybody may register, and the user
//! is shown where the answer would go.

use data_encoding::BASE64URL_NOPAD;
use serde::{Deserialize, Serialize};

use super::failure::OAuthError;

/// What the id of every client begins with.
const PREFIX: &str = "rc_";

const REDIRECTS_MAX: usize = 8;
const REDIRECT_BYTES_MAX: usize = 512;
const NAME_CHARS_MAX: usize = 80;
const ID_BYTES_MAX: usize = 8 * 1024;

/// A client that may ask for tokens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Client {
    #[serde(rename = "n")]
    pub(crate) name: String,
    #[serde(rename = "r")]
    pub(crate) redirect_uris: Vec<String>,
}

impl Client {
    /// Checks what a client says about itself.
    pub(super) fn new(name: String, redirect_uris: Vec<String>) -> Result<Client, OAuthError> {
        let are_few = (1..=REDIRECTS_MAX).contains(&redirect_uris.len());
        if !are_few || !redirect_uris.iter().all(|uri| is_acceptable_redirect(uri)) {
            let detail = "redirect_uris must be 1 to 8 addresses with https, or http on this machine";
            return Err(OAuthError::new("invalid_redirect_uri", detail));
        }
        let name: String = name
            .chars()
            .filter(|c| !c.is_control())
            .take(NAME_CHARS_MAX)
            .collect();
        let name = match name.trim() {
            "" => "An application".to_owned(),
            name => name.to_owned(),
        };
        Ok(Client { name, redirect_uris })
    }

    /// The id that the client is given.
    pub(super) fn id(&self) -> String {
        let text = serde_json::to_vec(self).expect("a client is plain data");
        format!("{PREFIX}{}", BASE64URL_NOPAD.encode(&text))
    }

    /// Reads an id. Whatever is in it is checked as if it were new.
    pub(crate) fn of_id(id: &str) -> Result<Client, OAuthError> {
        let unknown = || OAuthError::new("invalid_client", "client_id is not one of this server");
        let text = id
            .strip_prefix(PREFIX)
            .filter(|text| text.len() <= ID_BYTES_MAX)
            .and_then(|text| BASE64URL_NOPAD.decode(text.as_bytes()).ok())
            .ok_or_else(unknown)?;
        let client: Client = serde_json::from_slice(&text).map_err(|_| unknown())?;
        let checked =
            Client::new(client.name.clone(), client.redirect_uris.clone()).map_err(|_| unknown())?;
        match checked == client {
            true => Ok(client),
            false => Err(unknown()),
        }
    }

    /// Tells whether answers may go to `uri`: one of the client's, but for the port on this
    /// machine, which the system chooses (RFC 8252, 7.3).
    pub(crate) fn allows(&self, uri: &str) -> bool {
        let known =
            |own: &String| own == uri || without_port(own).is_some_and(|own| Some(own) == without_port(uri));
        is_acceptable_redirect(uri) && self.redirect_uris.iter().any(known)
    }
}

/// Where an address on this machine leads, apart from its port.
fn without_port(uri: &str) -> Option<(&str, &str)> {
    let rest = uri.strip_prefix("http://")?;
    let (authority, path) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
    let host = match authority.strip_prefix('[') {
        Some(v6) => v6.split(']').next()?,
        None => authority.split(':').next()?,
    };
    let port = authority.rsplit(':').next().filter(|_| !authority.ends_with(']'));
    let is_port = port.is_none_or(|port| port == host || port.bytes().all(|byte| byte.is_ascii_digit()));
    (is_port && LOOPBACK.contains(&host)).then_some((host, path))
}

/// The names of this machine.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "::1"];

/// The schemes of applications that register one of their own.
const APPLICATIONS: [&str; 4] = ["cursor", "vscode", "vscode-insiders", "windsurf"];

/// Tells whether an answer may go to `uri` at all: over TLS, to this machine, or to an application
/// on it. Never to a script, and never with a fragment.
fn is_acceptable_redirect(uri: &str) -> bool {
    let is_plain = uri.len() <= REDIRECT_BYTES_MAX
        && uri.bytes().all(|byte| byte.is_ascii_graphic())
        && !uri.contains(['#', '"', '<', '>', '\\', '@']);
    let Some((scheme, rest)) = uri.split_once("://") else {
        return false;
    };
    // A scheme in the form of a domain belongs to whoever owns the domain (RFC 8252, 7.1).
    let is_reversed_domain = || {
        scheme.contains('.')
            && scheme
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b".-".contains(&byte))
    };
    is_plain
        && match scheme {
            "https" => rest.starts_with(|c: char| c.is_ascii_alphanumeric()),
            "http" => without_port(uri).is_some(),
            _ => APPLICATIONS.contains(&scheme) || is_reversed_domain(),
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_go_only_where_it_is_safe() {
        for uri in [
            "https://claude.ai/api/mcp/auth_callback",
            "http://localhost:33418/callback",
            "http://127.0.0.1/",
            "http://[::1]:8080/cb",
            "cursor://anysphere.cursor-retrieval/oauth",
            "com.example.app://callback",
        ] {
            assert!(is_acceptable_redirect(uri), "{uri}");
        }
        for uri in [
            "",
            "javascript:alert(1)",
            "javascript://x/%0aalert(1)",
            "data:text/html,x",
            "file:///etc/passwd",
            "http://example.com/cb",
            "http://localhost.evil.example/cb",
            "http://localhost:80@evil.example/",
            "http://127.0.0.1.evil.example/",
            "https://",
            "https://user@example.com/",
            "https://example.com/cb#x",
            "https://exa mple.com/",
            "ftp://example.com/",
            "blob://x.y",
            "HTTPS://example.com/",
            "//example.com",
        ] {
            assert!(!is_acceptable_redirect(uri), "{uri}");
        }
    }

    #[test]
    fn an_id_is_read_back_and_checked_like_a_new_client() {
        let client = Client::new("Editor".to_owned(), vec!["http://localhost:1/cb".to_owned()]).unwrap();
        assert_eq!(Client::of_id(&client.id()).unwrap(), client);
        assert!(client.allows("http://localhost:1/cb") && client.allows("http://localhost:65000/cb"));
        for other in [
            "http://localhost:1/other",
            "http://127.0.0.1:1/cb",
            "https://localhost:1/cb",
        ] {
            assert!(!client.allows(other), "{other}");
        }
        let forged = Client {
            name: "x".to_owned(),
            redirect_uris: vec!["javascript://x".to_owned()],
        };
        for id in ["", "rc_", "rc_%%%", "rc_e30", &forged.id(), &client.id()[3..]] {
            assert!(Client::of_id(id).is_err(), "{id}");
        }
    }
}
