//! Says that the server is there: to the person who started it, and to other commands on the same data directory.

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::keys::FirstKeys;
use super::owned;
use crate::carry::Control;
use crate::failure::Failure;
use crate::output::{FAINT, NAME, STRONG, escaped, painted};
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

/// Shows where the server is, where the keys are, and one line that works.
pub(crate) fn banner(
    session: &Session,
    address: SocketAddr,
    keys: &Option<FirstKeys>,
) -> Result<(), Failure> {
    let url = format!("http://{address}");
    if session.output.is_json() {
        let path = keys.as_ref().map(|keys| keys.path.display().to_string());
        return session
            .output
            .json(&json!({ "url": url, "docs": format!("{url}/docs"), "keys": path }));
    }
    let row = |name: &str, value: String| format!("  {} {value}\n", painted(FAINT, &format!("{name:<6}")));
    let mut text = format!(
        "\n{} is listening on {}\n\n",
        painted(STRONG, "recalld"),
        painted(NAME, &url)
    );
    match keys {
        Some(keys) => {
            let new = if keys.are_new { ", made just now" } else { "" };
            text += &row("keys", format!("{}{new}", keys.path.display()));
            text += &row("docs", format!("{url}/docs"));
            text += &row("mcp", format!("{url}/mcp"));
            text += "\nTry it:\n\n";
            let key = format!(
                "$(sed -n 's/.*\"local\": \"\\(.*\\)\".*/\\1/p' '{}')",
                keys.path.display()
            );
            text += &format!(
                "  curl -s {url}/v1/memories -H \"Authorization: Bearer {key}\" \\\n    \
                 -H 'Content-Type: application/json' -d '{{\"content\": \"I prefer window seats\"}}'\n\n"
            );
        }
        None => {
            text += &row("docs", format!("{url}/docs"));
            text += &row("mcp", format!("{url}/mcp"));
            let told = "The keys of the first start were put away; `recalld keys create` makes new ones.";
            text += &format!("\n{}\n\n", escaped(&session.output.bearing().complete(told)));
        }
    }
    session.output.styled(&text)
}
