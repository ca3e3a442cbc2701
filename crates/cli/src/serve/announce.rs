//! Says that the server is there: to the person who started it, and to other commands on the same
//! data directory.

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::keys::FirstKeys;
use super::owned;
use crate::arguments::quoted;
use crate::carry::Control;
use crate::failure::Failure;
use crate::output::{FAINT, NAME, Page, STRONG, Show, escaped, painted};
use crate::session::Session;

/// The file in which other commands find the server.
pub(crate) const FILE: &str = "server.json";

/// What other commands must know of a running server.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Running {
    /// Where it speaks HTTP, if it does.
    pub(crate) address: Option<SocketAddr>,
    pub(crate) pid: u32,
    /// Where it takes commands from other processes of the same owner, and the word it asks for.
    pub(crate) control: SocketAddr,
    pub(crate) word: String,
}

/// Stands as long as the server runs.
#[derive(Debug)]
pub(crate) struct Announced(PathBuf);

impl Announced {
    /// Writes where the server is.
    pub(crate) fn write(
        directory: &Path,
        address: Option<SocketAddr>,
        control: &Control,
    ) -> Result<Announced, Failure> {
        let path = directory.join(FILE);
        let (control, word) = control.door()?;
        let text = json!(Running {
            address,
            pid: std::process::id(),
            control,
            word
        })
        .to_string();
        owned::write(&path, &text)?;
        Ok(Announced(path))
    }
}

impl Drop for Announced {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// Shows where the server is, where the keys are, and one line that works wherever it is pasted.
pub(crate) fn banner(
    session: &Session,
    address: SocketAddr,
    keys: Option<&FirstKeys>,
    console: Option<String>,
) -> Result<(), Failure> {
    let url = format!("http://{address}");
    // The shell it is pasted into may be anywhere.
    let full = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    session.output.answer(&Banner {
        docs: format!("{url}/docs"),
        console: console.unwrap_or_else(|| format!("{url}/")),
        keys: keys.map(|keys| full(&keys.path).display().to_string()),
        are_new: keys.is_some_and(|keys| keys.are_new),
        url,
    })
}

/// What whoever starts a server must know of it.
#[derive(Debug, Serialize)]
struct Banner {
    url: String,
    docs: String,
    /// Where people see the memories; on this machine it signs in once.
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
            let new = if self.are_new { ", made just now" } else { "" };
            row(page, "keys", &format!("{keys}{new}"));
        }
        row(page, "console", &self.console);
        row(page, "docs", &self.docs);
        row(page, "mcp", &format!("{url}/mcp"));
        let Some(keys) = &self.keys else {
            let told = "The keys of the first start were put away; `recalld keys create` makes new ones.";
            page.line(format_args!("\n{}\n", escaped(&page.bearing.complete(told))));
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

    fn bare(&self) -> String {
        format!("{}\n", self.url)
    }
}
