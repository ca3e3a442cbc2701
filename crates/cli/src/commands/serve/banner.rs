//! What `recalld serve` prints when it is ready.

use std::net::SocketAddr;
use std::path::Path;

use serde::Serialize;

use super::first_keys::FirstKeys;
use crate::arguments::quoted;
use crate::failure::Failure;
use crate::output::{FAINT, NAME, Output, Page, STRONG, Show, escaped, painted};

/// Shows the address of the server, the file of the keys, and a command to try.
pub(super) fn show(
    output: &Output,
    address: SocketAddr,
    keys: Option<&FirstKeys>,
    console: Option<String>,
) -> Result<(), Failure> {
    let url = format!("http://{address}");
    // The command may be pasted into a shell in any directory.
    let full = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    output.answer(&Banner {
        docs: format!("{url}/docs"),
        console: console.unwrap_or_else(|| format!("{url}/")),
        keys: keys.map(|keys| full(&keys.path).display().to_string()),
        are_new: keys.is_some_and(|keys| keys.are_new),
        url,
    })
}

/// What the operator needs to know.
#[derive(Debug, Serialize)]
struct Banner {
    url: String,
    docs: String,
    /// The web console; on this machine, the link signs in once.
    console: String,
    keys: Option<String>,
    #[serde(skip)]
    are_new: bool,
}

impl Show for Banner {
    fn show(&self, page: &mut Page) {
        let url = &self.url;
        let row = |page: &mut Page, name: &str, value: &str| {
            let name = painted(FAINT, &format!("{name:<7}"));
            page.line(format_args!("  {name} {}", escaped(value)));
        };
        page.line(format_args!(
            "\n{} is listening on {}\n",
            painted(STRONG, "recalld"),
            painted(NAME, url)
        ));
        if let Some(keys) = &self.keys {
            let new = if self.are_new { " (created just now)" } else { "" };
            row(page, "keys", &format!("{keys}{new}"));
        }
        row(page, "console", &self.console);
        row(page, "docs", &self.docs);
        row(page, "mcp", &format!("{url}/mcp"));
        let Some(keys) = &self.keys else {
            let hint = "The file with the first keys was removed; create keys with `recalld keys create`.";
            page.line(format_args!("\n{}\n", escaped(&page.prefix.complete(hint))));
            return;
        };
        let quoted = quoted(keys);
        let key = format!(
            "$(sed -n 's/.*\"local\": \"\\(.*\\)\".*/\\1/p' {})",
            escaped(&quoted)
        );
        page.line(format_args!(
            "\nTry it:\n\n  curl -s {url}/v1/memories -H \"Authorization: Bearer {key}\" \\\n    \
             -H 'Content-Type: application/json' -d '{{\"content\": \"I prefer window seats\"}}'\n"
        ));
    }

    fn quiet(&self) -> String {
        format!("{}\n", self.url)
    }
}
