//! The address that the server listens on.

use std::net::{SocketAddr, ToSocketAddrs};

use crate::config::ServerValues;
use crate::failure::{Failure, shortened};

/// Parses an address. One that other machines can reach is refused unless the operator has
/// configured how callers authenticate.
pub(super) fn checked(wanted: &str, server: &ServerValues) -> Result<SocketAddr, Failure> {
    let found = wanted.to_socket_addrs().ok().and_then(|mut found| found.next());
    let address = found.ok_or_else(|| {
        let message = format!("{:?} is not an address to listen on", shortened(wanted));
        Failure::bad_input("listen", message).hint("for example 127.0.0.1:7077")
    })?;
    if !address.ip().is_loopback() && !server.authentication_is_configured() {
        let message =
            format!("other machines can reach {address}, but no authentication for them is configured");
        let hint = "create keys (`recalld keys create`) and set server.public = true, or configure tokens \
                    (server.jwt_secret or server.jwt_jwks_url)";
        return Err(Failure::bad_input("listen", message).hint(hint));
    }
    Ok(address)
}
