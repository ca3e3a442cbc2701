//! Forwards commands to the server that holds the data directory, so that users need not know
//! whether one runs. The server runs the command, and this process prints its output.
//!
//! The server listens on a port of its own on the loopback address. It answers only requests with
//! the token from `server.json` in the data directory, which only the owner of the directory can
//! read.

mod chat_relay;
mod client;
mod listener;
mod running_server;
mod server_file;

use std::path::PathBuf;
use std::pin::Pin;

use serde::{Deserialize, Serialize};

pub(crate) use client::{Forwarded, forward_chat, forward_command, forward_mcp};
pub(crate) use listener::CommandListener;
pub(crate) use running_server::find as find_running_server;
pub(crate) use server_file::ServerFile;

use crate::config::Config;
use crate::engine::Engine;

/// Runs a forwarded command. The command line implements it: this module knows no command.
pub(crate) type RunForwarded = fn(ForwardedCommand) -> Pin<Box<dyn Future<Output = Response> + Send>>;

/// A command that another process forwarded, and what this process runs it with.
#[derive(Debug)]
pub(crate) struct ForwardedCommand {
    pub(crate) request: Request,
    pub(crate) config: Config,
    pub(crate) engine: Engine,
}

/// A request to the server.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Request {
    /// Proves that the sender can read the data directory.
    token: String,
    pub(crate) arguments: Vec<String>,
    /// The user, according to the sender's configuration.
    pub(crate) user: String,
    /// Whether an argument names the user.
    #[serde(default)]
    pub(crate) user_is_argument: bool,
    /// The sender's working directory.
    pub(crate) folder: PathBuf,
    /// Standard input, for a command that reads it.
    pub(crate) input: Option<String>,
    /// The width of the sender's terminal.
    pub(crate) width: Option<usize>,
    /// Variables of the sender's environment that start with `RECALLD_` but set nothing.
    #[serde(default)]
    pub(crate) unknown_variables: Vec<String>,
    #[serde(default)]
    kind: RequestKind,
}

/// What a connection is for.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, Serialize)]
enum RequestKind {
    /// One command and its response.
    #[default]
    Command,
    /// The Model Context Protocol, until either side disconnects.
    Mcp,
    /// A conversation: the user's lines to the server, and terminal output back. The arguments are
    /// the conversation, the model, the prefix of suggested commands, and whether a terminal reads
    /// the output.
    Chat,
}

/// The response to a command.
#[derive(Debug, Default, Deserialize, Serialize)]
pub(crate) struct Response {
    pub(crate) exit: u8,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// The most bytes of a request or a response: enough for every command, and a bound on memory.
const BYTES_MAX: u64 = 64 * 1024 * 1024;
