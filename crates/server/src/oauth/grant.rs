//! What a user grants, and the address by which the client learns of it.

use recalld_memory::ports::{InvalidScopes, KeyScopes};

/// What a client is answered.
#[derive(Clone, Copy, Debug)]
pub(crate) enum AuthorizationResult<'a> {
    Code(&'a str),
    Refused {
        error: &'static str,
        detail: &'static str,
    },
}

/// Reads the scopes that a client asks for: both, if it asks for none.
pub(crate) fn scopes(asked: &str) -> Result<KeyScopes, InvalidScopes> {
    // Clients ask for this to get a refresh token, which all get.
    let words: Vec<&str> = asked
        .split_whitespace()
        .filter(|word| *word != "offline_access")
        .collect();
    match words.is_empty() {
        true => Ok(KeyScopes::default()),
        false => KeyScopes::parse(words),
    }
}

/// Tells whether a token for `resource` is one for this server. A client that names none means it.
pub(crate) fn is_this_server(resource: &str, issuer: &str) -> bool {
    let resource = resource.trim_end_matches('/');
    resource.is_empty() || resource == issuer || resource.strip_prefix(issuer) == Some("/mcp")
}

/// The address to which the browser goes with the answer. It names the issuer, so that a client of
/// several servers is not confused (RFC 9207).
pub(crate) fn redirect(uri: &str, answer: &AuthorizationResult<'_>, state: &str, issuer: &str) -> String {
    let mut pairs = match answer {
        AuthorizationResult::Code(code) => vec![("code", *code)],
        AuthorizationResult::Refused { error, detail } => {
            vec![("error", *error), ("error_description", *detail)]
        }
    };
    if !state.is_empty() {
        pairs.push(("state", state));
    }
    pairs.push(("iss", issuer));
    let pairs: Vec<String> = pairs
        .into_iter()
        .map(|(name, value)| format!("{name}={}", encoded(value)))
        .collect();
    let sign = if uri.contains('?') { '&' } else { '?' };
    format!("{uri}{sign}{}", pairs.join("&"))
}

/// Writes text as a part of an address.
pub(super) fn encoded(text: &str) -> String {
    let byte = |byte: u8| match byte {
        b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(byte).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_goes_behind_what_the_address_has() {
        let issuer = "http://127.0.0.1:7077";
        let code = redirect(
            "http://localhost:1/cb?a=b",
            &AuthorizationResult::Code("c1"),
            "x&y=z",
            issuer,
        );
        assert_eq!(
            code,
            "http://localhost:1/cb?a=b&code=c1&state=x%26y%3Dz&iss=http%3A%2F%2F127.0.0.1%3A7077"
        );
    }

    #[test]
    fn a_resource_is_this_server_or_refused() {
        let issuer = "https://memory.example";
        for resource in [
            "",
            issuer,
            "https://memory.example/",
            "https://memory.example/mcp",
        ] {
            assert!(is_this_server(resource, issuer), "{resource}");
        }
        for resource in [
            "https://other.example",
            "https://memory.example.evil",
            "https://memory.example/x",
        ] {
            assert!(!is_this_server(resource, issuer), "{resource}");
        }
    }

    #[test]
    fn scopes_are_those_of_keys() {
        assert_eq!(scopes(""), Ok(KeyScopes::default()));
        assert_eq!(scopes("read offline_access").unwrap().to_string(), "read");
        assert!(scopes("read everything").is_err());
    }
}
