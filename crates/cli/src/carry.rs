//! A command on a data directory that a server holds is carried to that server and run there, so
//! that nobody needs to know whether one runs. What it writes comes back and is written here.
//!
//! The server listens for this on a port of its own on the loopback address. Only who can read
//! `server.json` in the data directory knows the word that it asks for.

mod client;
mod holder;
mod server;

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

pub(crate) use client::{Carried, Piped, carry, pipe, pipe_chat};
pub(crate) use holder::running;
pub(crate) use server::Control;

/// A command on its way to the server.
#[derive(Debug, Deserialize, Serialize)]
struct Parcel {
    /// Proves that the sender can read the data directory.
    word: String,
    arguments: Vec<String>,
    /// The user, as the sender's configuration says.
    user: String,
    /// The sender's current folder.
    folder: PathBuf,
    /// Standard input, for a command that reads it.
    input: Option<String>,
    /// How wide the sender's terminal is.
    width: Option<usize>,
    /// Variables of the sender's environment that look like settings and are none.
    #[serde(default)]
    unknown_variables: Vec<String>,
    /// What follows on the same connection, if this is no command.
    #[serde(default)]
    then: Then,
}

/// What a connection is for.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, Serialize)]
enum Then {
    /// One command, and its answer.
    #[default]
    Answer,
    /// The Model Context Protocol, until either side leaves.
    Mcp,
    /// A conversation: lines to the server, and what a terminal shows back. The arguments are the
    /// session, the model, and what a command that is suggested must repeat.
    Chat,
}

/// What comes back.
#[derive(Debug, Default, Deserialize, Serialize)]
struct Answer {
    exit: u8,
    out: String,
    err: String,
}

/// The most bytes of a parcel or an answer: enough for every command, and no way to fill memory.
const BYTES_MAX: u64 = 64 * 1024 * 1024;
