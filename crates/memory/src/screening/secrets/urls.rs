//! Passwords inside addresses, headers and connection strings.

use std::sync::LazyLock;

use super::Finding;
use super::password_words::is_placeholder;
use super::pattern::Pattern;

/// `postgres://user:password@host`.
static IN_ADDRESS: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(r#"(?i-u)\b[a-z][a-z0-9+.-]{1,30}://[^\s/:@?#"'<>]*:([^\s/@"'<>]+)@[^\s/@]"#)
});

/// `?access_token=…`, `&password=…`.
static IN_QUERY: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(
        r#"(?i-u)[?&;](?:access_?token|auth_?token|api_?key|apikey|client_secret|password|passwd|pwd|secret|token|signature|x-amz-signature)=([^\s&;#"'<>]{8,})"#,
    )
});

/// `Authorization: Basic …`, `curl -u name:password`, `Password=…;` of a connection string.
static IN_HEADER: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(
        r#"(?xi-u) \bauthorization["']?\s*[:=]\s*["']?(?:basic|bearer|token|digest)\s+([A-Za-z0-9+/=._~-]{8,})
              | \bbasic\s+([A-Za-z0-9+/]{16,}={1,2})
              | \bcurl\b[^\n]{0,200}\s(?:-u|--user)[\s=]+["']?[^\s:"']{1,60}:([^\s"']{3,100})
              | \b(?:user\ id|uid|user|username)=[^;\s]{1,60};\s*(?:password|pwd)=([^;\s"']{3,100})
              | \b(?:password|pwd)=([^;\s"']{3,100});"#,
    )
});

/// Finds passwords and tokens by where they stand.
pub(super) fn find(text: &str, findings: &mut Vec<Finding>) {
    if !(text.contains("://")
        || text.contains('=')
        || text.to_ascii_lowercase().contains("basic ")
        || text.contains("curl")
        || text.contains("uthorization"))
    {
        return;
    }
    let places = [
        (&IN_ADDRESS, "password in a url"),
        (&IN_QUERY, "token in a url"),
        (&IN_HEADER, "credentials"),
    ];
    for (place, kind) in places {
        let real = place.all(text).filter(|found| !is_placeholder(found.value()));
        findings.extend(real.map(|found| Finding::new(kind, found.value)));
    }
}
