//! Accepts connections: within limits, with time-outs that `axum::serve` does not have, and an
//! orderly end.

mod connections;
mod idle_timeout;
mod open_files;

use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use hyper::body::Incoming;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tower::ServiceExt;

use crate::app::App;
use crate::error::{ApiError, Code};
use crate::health;
use crate::limits::Limits;
use crate::store_watch;
use crate::switch::Switch;
use connections::{Connection, Connections, Share};
use idle_timeout::IdleTimeout;

pub use open_files::raise_open_files_limit;

/// Serves until `stop` is done; then lets running requests end, within the limit.
pub async fn serve(listener: TcpListener, app: App, stop: impl Future<Output = ()>) {
    serve_switching(listener, Switch::new(app), stop).await;
}

/// Serves whatever `switch` names at each request, until `stop` is done.
pub async fn serve_switching(listener: TcpListener, switch: Switch, stop: impl Future<Output = ()>) {
    let limits = switch.app().limits.clone();
    let watch = tokio::spawn(store_watch::run(switch.clone()));
    let server = Server {
        switch: switch.clone(),
        builder: builder(&limits),
        connections: Connections::new(&limits),
        open: GracefulShutdown::new(),
        limits,
    };
    let mut stop = std::pin::pin!(stop);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut stop => break,
        };
        match accepted {
            Ok((stream, address)) => server.take(stream, address),
            Err(error) => server.not_accepted(&error).await,
        }
    }
    drop(listener);
    watch.abort();
    let drain_timeout = server.limits.drain_timeout;
    let writes = switch.app().writes.clone();
    writes.close();
    let drained = async {
        server.open.shutdown().await;
        writes.wait().await;
    };
    if tokio::time::timeout(drain_timeout, drained).await.is_err() {
        tracing::warn!("some requests did not end in time");
    }
}

fn builder(limits: &Limits) -> auto::Builder<TokioExecutor> {
    let mut builder = auto::Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head_timeout)
        .max_buf_size(64 * 1024);
    builder
        .http2()
        .timer(TokioTimer::new())
        .keep_alive_interval(Some(Duration::from_secs(30)));
    builder
}

struct Server {
    switch: Switch,
    builder: auto::Builder<TokioExecutor>,
    connections: Arc<Connections>,
    open: GracefulShutdown,
    limits: Limits,
}

impl Server {
    /// Serves a connection, unless there are too many that are busy.
    fn take(&self, stream: TcpStream, address: SocketAddr) {
        let Some(connection) = self.connections.admit(address.ip()) else {
            return;
        };
        let connection = Arc::new(connection);
        let _ = stream.set_nodelay(true);
        let stream = IdleTimeout::new(stream, Arc::clone(&connection), &self.limits);
        let (switch, of_service) = (self.switch.clone(), Arc::clone(&connection));
        let service = hyper::service::service_fn(move |request: hyper::Request<Incoming>| {
            let (router, connection) = (switch.router(), Arc::clone(&of_service));
            async move {
                let _busy = connection.busy();
                Ok::<_, Infallible>(answer(router, &connection, request.map(axum::body::Body::new)).await)
            }
        });
        let served = self
            .builder
            .serve_connection_with_upgrades(TokioIo::new(stream), service)
            .into_owned();
        let served = self.open.watch(served);
        tokio::spawn(async move {
            tokio::select! {
                ended = served => if let Err(error) = ended {
                    tracing::debug!(%error, "a connection ended early");
                },
                () = connection.evicted() => tracing::debug!("an idle connection made room for another"),
            }
        });
    }

    /// Makes room when descriptors have run out. Neither that nor a peer that left ends the
    /// service.
    async fn not_accepted(&self, error: &io::Error) {
        tracing::warn!(%error, "could not accept a connection");
        self.connections.evict_idle();
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Answers a request; one on a connection that is kept back for health checks must be one.
async fn answer(router: Router, connection: &Connection, request: Request) -> Response {
    if connection.share() == Share::Health && !health::is_health(request.uri().path()) {
        let error = ApiError::new(Code::Busy, "too many connections").retry_after(1);
        let mut response = error.into_response();
        let close = HeaderValue::from_static("close");
        response.headers_mut().insert(header::CONNECTION, close);
        return response;
    }
    let Ok(response) = router.oneshot(request).await;
    response
}
