//! What operators see of the server: the access log, the metrics, and a warning about plain HTTP.

use std::fs::OpenOptions;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use recalld_models::otlp::OtlpSink;
use recalld_server::{AccessLog, App, LoggedUsers};

use crate::config::{ServerValues, TelemetryValues};
use crate::failure::{Failure, chain};

/// Opens the access log, if there is one. It is appended to, and a person who is not the operator
/// cannot read it.
pub(super) fn access_log(server: &ServerValues) -> Result<Option<Arc<AccessLog>>, Failure> {
    let Some(path) = &server.access_log else {
        return Ok(None);
    };
    let unusable = |error: std::io::Error| {
        let message = format!("cannot open the access log {}: {error}", path.display());
        Failure::bad_input("configuration", message).hint("change server.access_log")
    };
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let users = match server.access_log_users {
        true => LoggedUsers::Named,
        false => LoggedUsers::Omitted,
    };
    let file = options.open(path).map_err(unusable)?;
    let log = AccessLog::new(file, users).map_err(unusable)?;
    Ok(Some(Arc::new(log)))
}

/// Warns where keys would travel in the clear.
pub(super) fn warn_of_plain_http(server: &ServerValues, address: SocketAddr) {
    if !address.ip().to_canonical().is_loopback() && server.trusted_proxies.is_empty() {
        tracing::warn!(
            %address,
            "other machines reach this server over plain HTTP, so keys can be read on the way; put a \
             TLS proxy in front of it and name it in server.trusted_proxies"
        );
    }
}

/// Starts sending traces, if there is a collector.
pub(super) fn spans(telemetry: &TelemetryValues) -> Result<Option<Arc<OtlpSink>>, Failure> {
    let Some(config) = telemetry.otlp() else {
        return Ok(None);
    };
    let sink = OtlpSink::start(&config).map_err(|error| {
        let message = format!("traces cannot be sent: {}", chain(&error));
        Failure::bad_input("configuration", message).hint("change telemetry.endpoint or telemetry.headers")
    })?;
    Ok(Some(Arc::new(sink)))
}

/// Sends what is left when the server stops.
pub(super) async fn send_last(spans: Option<Arc<OtlpSink>>) {
    if let Some(spans) = spans {
        spans.flush(LAST_SPANS_PATIENCE).await;
    }
}

/// How long a stopping server waits for the collector.
const LAST_SPANS_PATIENCE: Duration = Duration::from_secs(2);

/// Applies what the configuration says about the access log and the metrics.
pub(super) fn observed(app: App, server: &ServerValues, access_log: Option<Arc<AccessLog>>) -> App {
    let app = match access_log {
        Some(log) => app.with_access_log(log),
        None => app,
    };
    match server.metrics_public {
        true => app.with_public_metrics(),
        false => app,
    }
}
