//! `server.json` in the data directory, in which other processes find the server.

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::listener::CommandListener;
use crate::failure::Failure;
use crate::private_file;

/// The name of the file.
pub(super) const FILE: &str = "server.json";

/// What the file says.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct RunningServer {
    /// The HTTP address, if the server has one.
    pub(crate) address: Option<SocketAddr>,
    pub(crate) pid: u32,
    /// The address for forwarded commands.
    pub(crate) control: SocketAddr,
    /// The token that forwarded commands need.
    pub(crate) token: String,
}

/// The file of this server. It is removed when this is dropped.
#[derive(Debug)]
pub(crate) struct ServerFile(PathBuf);

impl ServerFile {
    /// Writes the file.
    pub(crate) fn write(
        directory: &Path,
        address: Option<SocketAddr>,
        listener: &CommandListener,
    ) -> Result<ServerFile, Failure> {
        let path = directory.join(FILE);
        let server = RunningServer {
            address,
            pid: std::process::id(),
            control: listener.address()?,
            token: listener.token().to_owned(),
        };
        private_file::write(&path, &json!(server).to_string())?;
        Ok(ServerFile(path))
    }
}

impl Drop for ServerFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}
