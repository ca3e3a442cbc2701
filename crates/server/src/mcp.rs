//! The Model Context Protocol: the tools, resources and prompts of one user's memory, over HTTP and
//! over stdio.
//!
//! Two revisions are in use and both are served on `/mcp`: 2026-07-28, where every request stands
//! alone, and those up to 2025-11-25, which open a session first. A session id proves nothing: each
//! request is authenticated like any other, and the user always comes from there.

mod failure;
mod handler;
mod instructions;
mod metadata;
mod prompts;
mod refusals;
mod resources;
mod sessions;
mod stdio;
mod tools;

pub use handler::LocalUser;
pub use stdio::{StdioError, serve_stdio, serve_stream};

use std::sync::Arc;

use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};

use crate::app::App;
use crate::host_check::{self, HostCheck};
use crate::middleware::{self, RouteLayers};
use handler::Handler;
use sessions::Sessions;

/// Where clients connect.
const PATH: &str = "/mcp";

/// Serves `/mcp`, and the document that tells clients how to authenticate there.
pub(crate) fn router(app: &App, layers: &RouteLayers) -> Router<App> {
    let sessions = Arc::new(Sessions::default());
    let handler = Handler::of_callers(
        app.ports.clone(),
        &app.mcp.tool_sets,
        Arc::clone(&app.write_limit),
    );
    // Host and Origin are checked by `host_check`, before authentication, and so not once more by
    // the transport.
    let config = StreamableHttpServerConfig::default()
        .disable_allowed_hosts()
        .disable_allowed_origins()
        .with_json_response(true)
        .with_max_request_body_bytes(app.limits.body_bytes_max)
        .with_cancellation_token(app.closing.clone());
    let service = StreamableHttpService::new(move || Ok(handler.clone()), sessions.manager(), config);
    let guarded = Router::new()
        .route_service(PATH, service)
        .layer(from_fn(refusals::layer))
        .layer(from_fn_with_state(sessions, sessions::layer))
        .layer(from_fn_with_state(app.clone(), middleware::guard_tools))
        .layer(from_fn_with_state(app.clone(), metadata::challenge));
    let host_check = Arc::new(HostCheck::new(&app.mcp, &app.limits.cors_origins));
    guarded
        .merge(metadata::router(&app.mcp))
        .layer(from_fn_with_state(host_check, host_check::layer))
        .layer(layers.open().with_private_answers())
}
