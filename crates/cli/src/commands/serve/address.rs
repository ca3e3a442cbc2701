//! The address that the server listens on.

use std::net::{Ipv4Addr, SocketAddr, ToSocketAddrs};

use crate::config::ServerValues;
use crate::failure::{Failure, shortened};

/// Parses an address; a port alone means this machine. One that other machines can reach is refused
/// unless the operator has configured how callers authenticate.
pub(super) fn checked(wanted: &str, server: &ServerValues) -> Result<SocketAddr, Failure> {
    let address = parsed(wanted).ok_or_else(|| {
        let message = format!("{:?} is not an address to listen on", shortened(wanted));
        Failure::bad_input("listen", message).hint("for example 127.0.0.1:7077, or the port alone: 7077")
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

fn parsed(wanted: &str) -> Option<SocketAddr> {
    let wanted = wanted.trim();
    let port = wanted.strip_prefix(':').unwrap_or(wanted);
    if let Ok(port) = port.parse::<u16>() {
        return Some((Ipv4Addr::LOCALHOST, port).into());
    }
    wanted.to_socket_addrs().ok()?.next()
}

/// Finds a port near a taken one that is free now, to suggest it.
pub(super) fn free_near(taken: SocketAddr) -> Option<SocketAddr> {
    let next = (1..=20).filter_map(|step| taken.port().checked_add(step));
    next.map(|port| SocketAddr::new(taken.ip(), port))
        .find(|address| std::net::TcpListener::bind(address).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_alone_is_on_this_machine() {
        let of = |text: &str| parsed(text).map(|address| address.to_string());
        assert_eq!(of("7199").as_deref(), Some("127.0.0.1:7199"));
        assert_eq!(of(" :7199").as_deref(), Some("127.0.0.1:7199"));
        assert_eq!(of("[::1]:80").as_deref(), Some("[::1]:80"));
        assert_eq!(of("70000"), None);
        assert_eq!(of("here"), None);
    }
}
