//! The address of a database, as deployments write it, and how it is reached: TLS is verified or
//! not used at all.

use std::future::poll_fn;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::BuilderVerifierExt;
use tokio::sync::mpsc;
use tokio_postgres::config::{Host, SslMode, TargetSessionAttrs};
use tokio_postgres::tls::MakeTlsConnect;
use tokio_postgres::{AsyncMessage, Client, Config, Connection, Socket};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::error::describe;
use super::open_error::OpenError;

/// How long a connection may take to come about.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// How long a server may stay silent before the connection counts as broken.
const SILENCE: Duration = Duration::from_secs(20);

/// Where the database is, and how to talk to it.
#[derive(Clone)]
pub(super) struct Address {
    config: Config,
    tls: MakeRustlsConnect,
}

impl std::fmt::Debug for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Address").field(&self.shown()).finish()
    }
}

impl Address {
    /// Reads `postgres://user:password@host:port/database?…`, or the `key=value` form. Of what
    /// other clients know besides, `sslmode=verify-ca` and `verify-full` and `sslrootcert` are
    /// understood.
    pub(super) fn parse(raw: &str) -> Result<Address, OpenError> {
        let (plain, taken) = take_tls_options(raw);
        let mut config: Config = plain.parse().map_err(|error: tokio_postgres::Error| {
            let reason =
                std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string);
            OpenError::Address { reason }
        })?;
        if config.get_hosts().is_empty() {
            return Err(OpenError::Address {
                reason: "it names no host".to_owned(),
            });
        }
        config.ssl_mode(match taken.mode.as_deref() {
            Some("disable") => SslMode::Disable,
            Some("prefer" | "allow") => SslMode::Prefer,
            Some("require" | "verify-ca" | "verify-full") => SslMode::Require,
            None if config.get_hosts().iter().all(is_on_this_machine) => SslMode::Prefer,
            None => SslMode::Require,
            Some(other) => {
                let reason = format!("sslmode {other:?} is unknown");
                return Err(OpenError::Address { reason });
            }
        });
        if config.get_application_name().is_none() {
            config.application_name("recalld");
        }
        if 1 < config.get_hosts().len() && config.get_target_session_attrs() == TargetSessionAttrs::Any {
            // Of a primary and its standbys, only the primary decides.
            config.target_session_attrs(TargetSessionAttrs::ReadWrite);
        }
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECT_TIMEOUT);
        }
        config.keepalives_idle(SILENCE).tcp_user_timeout(SILENCE);
        let tls = MakeRustlsConnect::new(tls_config(taken.root.as_deref())?);
        Ok(Address { config, tls })
    }

    /// Returns the role to log in as.
    pub(super) fn user(&self) -> Option<&str> {
        self.config.get_user()
    }

    /// Returns the same address with a setting of the connection.
    pub(super) fn marked(&self, name: &str, value: &str) -> Address {
        let mut marked = self.clone();
        let before = self.config.get_options().unwrap_or_default();
        marked.config.options(format!("{before} -c {name}={value}"));
        marked
    }

    /// Names the place without any secret, for logs and figures.
    pub(super) fn shown(&self) -> String {
        let hosts: Vec<String> = self
            .config
            .get_hosts()
            .iter()
            .map(|host| match host {
                Host::Tcp(name) => name.clone(),
                Host::Unix(path) => path.display().to_string(),
            })
            .collect();
        let database = self
            .config
            .get_dbname()
            .or(self.config.get_user())
            .unwrap_or_default();
        format!("{}/{database}", hosts.join(","))
    }

    /// Makes a connection, and a task that carries what goes over it.
    pub(super) async fn connect(&self) -> Result<Client, String> {
        let (client, connection) = self.reach().await?;
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(error = describe(&error), "a connection to the database ended");
            }
        });
        Ok(client)
    }

    /// Makes a connection whose messages from other sessions are handed out, as long as somebody
    /// reads them.
    pub(super) async fn listen(&self, most: usize) -> Result<(Client, mpsc::Receiver<String>), String> {
        let (client, mut connection) = self.reach().await?;
        let (hand_out, heard) = mpsc::channel(most);
        tokio::spawn(async move {
            while let Some(Ok(message)) = poll_fn(|context| connection.poll_message(context)).await {
                if let AsyncMessage::Notification(told) = message {
                    // One too many is lost.
                    let _ = hand_out.try_send(told.payload().to_owned());
                }
            }
        });
        Ok((client, heard))
    }

    async fn reach(&self) -> Result<(Client, Carrier), String> {
        let connecting = self.config.connect(self.tls.clone());
        // The library's own limit is for each host and for the socket alone.
        let connected = tokio::time::timeout(SILENCE, connecting).await;
        match connected {
            Ok(connected) => connected.map_err(|error| describe(&error)),
            Err(_) => Err(format!("no answer within {} s", SILENCE.as_secs())),
        }
    }
}

/// What carries the messages of a connection.
type Carrier = Connection<Socket, <MakeRustlsConnect as MakeTlsConnect<Socket>>::Stream>;

fn is_on_this_machine(host: &Host) -> bool {
    match host {
        Host::Unix(_) => true,
        Host::Tcp(name) => {
            name == "localhost" || name.parse().is_ok_and(|address: IpAddr| address.is_loopback())
        }
    }
}

/// The options about TLS that the library does not know.
#[derive(Debug, Default, PartialEq, Eq)]
struct TlsOptions {
    mode: Option<String>,
    root: Option<String>,
}

/// Takes them out of the address.
fn take_tls_options(raw: &str) -> (String, TlsOptions) {
    let mut taken = TlsOptions::default();
    let mut take = |option: &&str| {
        match option.split_once('=') {
            Some(("sslmode", mode)) => taken.mode = Some(mode.to_owned()),
            Some(("sslrootcert", path)) => taken.root = Some(path.replace("%2F", "/").replace("%2f", "/")),
            _ => return true,
        }
        false
    };
    let plain = match raw.split_once('?') {
        Some((place, options)) => {
            let kept: Vec<&str> = options.split('&').filter(&mut take).collect();
            match kept.is_empty() {
                true => place.to_owned(),
                false => format!("{place}?{}", kept.join("&")),
            }
        }
        None if raw.contains("://") => raw.to_owned(),
        None => raw.split(' ').filter(&mut take).collect::<Vec<_>>().join(" "),
    };
    (plain, taken)
}

/// Trusts what the machine trusts, or only the certificates in a file.
fn tls_config(root: Option<&str>) -> Result<ClientConfig, OpenError> {
    let failed = |reason: String| OpenError::Certificates {
        path: root.unwrap_or("the machine's store").to_owned(),
        reason,
    };
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let builder = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| failed(error.to_string()))?;
    let builder = match root {
        None => builder
            .with_platform_verifier()
            .map_err(|error| failed(error.to_string()))?,
        Some(path) => {
            let mut trusted = RootCertStore::empty();
            let certificates =
                CertificateDer::pem_file_iter(path).map_err(|error| failed(error.to_string()))?;
            for certificate in certificates {
                let certificate = certificate.map_err(|error| failed(error.to_string()))?;
                trusted
                    .add(certificate)
                    .map_err(|error| failed(error.to_string()))?;
            }
            if trusted.is_empty() {
                return Err(failed("there is none in it".to_owned()));
            }
            builder.with_root_certificates(trusted)
        }
    };
    Ok(builder.with_no_client_auth())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(raw: &str) -> SslMode {
        Address::parse(raw).unwrap().config.get_ssl_mode()
    }

    #[test]
    fn what_leaves_this_machine_is_encrypted_unless_told_otherwise() {
        assert_eq!(mode("postgres://a:b@db.example.com/x"), SslMode::Require);
        assert_eq!(mode("host=db.example.com user=a"), SslMode::Require);
        assert_eq!(
            mode("postgres://a@db.example.com/x?sslmode=verify-full"),
            SslMode::Require
        );
        assert_eq!(mode("postgres://a@127.0.0.1/x"), SslMode::Prefer);
        assert_eq!(
            mode("postgres://a@db.example.com/x?sslmode=disable"),
            SslMode::Disable
        );
    }

    #[test]
    fn an_address_is_shown_without_its_password() {
        let address = Address::parse("postgres://ana:s3cret@a.example,b.example:6543/memories").unwrap();
        assert_eq!(address.shown(), "a.example,b.example/memories");
        assert!(!format!("{address:?}").contains("s3cret"));
        assert_eq!(
            address.config.get_target_session_attrs(),
            TargetSessionAttrs::ReadWrite
        );
    }

    #[test]
    fn what_is_no_address_is_refused_without_repeating_it() {
        for raw in [
            "",
            "s3cret",
            "postgres://",
            "mysql://ana:s3cret@h/x",
            "postgres://h/x?s3cret=1",
            "host=h sslmode=s",
        ] {
            let refused = Address::parse(raw).unwrap_err().to_string();
            assert!(!refused.contains("ana"), "{refused}");
        }
        let missing = Address::parse("postgres://h/x?sslrootcert=%2Fno%2Fwhere").unwrap_err();
        assert!(
            missing
                .to_string()
                .starts_with("the certificates in /no/where cannot be read")
        );
    }
}
