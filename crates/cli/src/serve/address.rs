//! Where the server may listen.

use std::net::{SocketAddr, ToSocketAddrs};

use crate::config::ServerValues;
use crate::failure::Failure;

/// Reads an address, and refuses one that others can reach unless the operator has said how callers
/// are known there.
pub(crate) fn checked(wanted: &str, server: &ServerValues) -> Result<SocketAddr, Failure> {
    let found = wanted.to_socket_addrs().ok().and_then(|mut found| found.next());
    let address = found.ok_or_else(|| {
        let message = format!(
            "{:?} is not an address to listen on",
            crate::config::shortened(wanted)
        );
        Failure::bad_input("listen", message).hint("such as 127.0.0.1:7077")
    })?;
    if !address.ip().is_loopback() && !server.authentication_is_configured() {
        let message =
            format!("{address} can be reached from other machines, and nothing says how callers are known");
        let hint = "set server.public = true once the keys are in place (`recalld keys create`), \
                    or configure tokens (server.jwt_secret, server.jwt_jwks_url)";
        return Err(Failure::bad_input("listen", message).hint(hint));
    }
    Ok(address)
}
