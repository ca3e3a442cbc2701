//! recalld over HTTP: REST under `/v1`, tools, MCP. It knows the engine and its ports, and no
//! store.
//!
//! A request passes one layer (request id, log and limits; for most routes authentication, which
//! gives the [`auth::Caller`], rates and idempotency) and then one handler that asks one use case.

mod answer;
mod app;
mod auth;
mod compat;
mod console;
mod docs;
mod error;
mod extract;
mod health;
mod import_jobs;
mod json;
mod layers;
mod listen;
mod mcp;
mod once;
mod rest;
mod stream;

pub use app::{App, Limits};
pub use auth::{KeyCreated, KeySetSource, TokenAlgorithm, TokenKeys, TokenRules, create_key};
pub use listen::{ServeError, serve};
pub use mcp::{McpSettings, StdioError, serve_stdio, serve_stream};

use axum::Router;
use axum::handler::Handler;
use axum::middleware::{from_fn, from_fn_with_state};

use layers::Surroundings;

/// Builds the whole service.
pub fn router(app: App) -> Router {
    health::recorder();
    let around = Surroundings::new(&app);
    let (guarded, mut api) = rest::router().split_for_parts();
    let (unguarded, unguarded_api) = rest::open_router().split_for_parts();
    api.merge(unguarded_api);
    let theirs = compat::router()
        .layer(from_fn_with_state(app.clone(), layers::guard))
        .layer(from_fn(compat::in_their_shape));
    let open = health::router()
        .merge(docs::router(api))
        .merge(console::router())
        .merge(unguarded)
        .merge(mcp::router(&app))
        .merge(theirs);
    guarded
        .layer(around.guarded())
        .merge(open.layer(around.clone()))
        .fallback(error::no_route.layer(around.clone()))
        .method_not_allowed_fallback(error::no_method.layer(around))
        .with_state(app)
}
