//! The clients, one file each.

mod claude_code;
mod claude_desktop;
mod codex;
mod cursor;
mod gemini;
mod opencode;
mod vscode;
mod windsurf;
mod zed;

use serde_json::{Value, json};

use super::client::Client;
use super::launch::Launch;

/// All clients, in the order in which they are listed.
pub(crate) const ALL: [&Client; 9] = [
    &claude_code::CLIENT,
    &claude_desktop::CLIENT,
    &cursor::CLIENT,
    &vscode::CLIENT,
    &codex::CLIENT,
    &gemini::CLIENT,
    &opencode::CLIENT,
    &windsurf::CLIENT,
    &zed::CLIENT,
];

/// Returns the names of all clients on the command line.
pub(crate) fn ids() -> [&'static str; ALL.len()] {
    ALL.map(|client| client.id)
}

/// Finds a client by its name on the command line.
pub(crate) fn find(id: &str) -> Option<&'static Client> {
    ALL.into_iter().find(|client| client.id == id)
}

/// The entry that most clients read.
fn command_and_args(launch: &Launch) -> Value {
    json!({"command": launch.program, "args": launch.arguments})
}

/// The same, with the transport named.
fn typed_command_and_args(launch: &Launch) -> Value {
    json!({"type": "stdio", "command": launch.program, "args": launch.arguments})
}
