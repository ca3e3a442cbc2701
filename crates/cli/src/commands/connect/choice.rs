//! Which clients are meant.

use super::Arguments;
use crate::connect::client::Directories;
use crate::connect::{Client, clients};
use crate::failure::Failure;

impl Arguments {
    /// Returns the clients that are named, or else those that are installed.
    pub(super) fn chosen(&self, directories: &Directories) -> Result<Vec<&'static Client>, Failure> {
        let mut named: Vec<&Client> = Vec::new();
        for client in self.clients.iter().filter_map(|id| clients::find(id)) {
            if !named.iter().any(|other| other.id == client.id) {
                named.push(client);
            }
        }
        if !named.is_empty() || self.remove {
            let all = || clients::ALL.to_vec();
            return Ok(if named.is_empty() { all() } else { named });
        }
        let mut installed = clients::ALL.to_vec();
        installed.retain(|client| client.is_installed(directories));
        match installed.is_empty() {
            false => Ok(installed),
            true => Err(
                Failure::not_found("no supported client is installed").hint(format!(
                    "name one to connect it anyway: {}",
                    clients::ids().join(", ")
                )),
            ),
        }
    }
}
