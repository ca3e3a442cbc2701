//! recalld over HTTP: REST under `/v1`, tools, MCP. It knows the domain and its ports, and no
//! store.
//!
//! A request passes one layer (request id, log and limits; for most routes authentication, which
//! gives the [`auth::Caller`], rate limits and idempotency) and then one handler that calls one use
//! case. What the layer does for a route is declared at the route.

mod access_log;
mod address_range;
mod app;
mod auth;
mod chat_reply;
mod compat;
mod console;
mod docs;
mod error;
mod extract;
mod health;
mod host_check;
mod idempotency;
mod import_jobs;
mod inner_service;
mod json;
mod json_response;
mod limits;
mod listen;
mod mcp;
mod mcp_settings;
mod metric_descriptions;
mod middleware;
mod oauth;
mod off_workers;
mod outcomes;
mod rate_limit;
mod receipt;
mod replaceable;
mod rest;
mod route_policy;
mod routes;
mod store_watch;
mod stream;
mod switch;
mod webhook_port;
mod webhooks;

pub use access_log::{AccessLog, LoggedUsers};
pub use address_range::{AddressRange, InvalidAddressRange};
pub use app::{App, Persistence};
pub use auth::{
    KeyCreated, KeySetSource, NewKey, TokenAlgorithm, TokenKeys, TokenRules, adopt_key, create_key,
    rotate_key,
};
pub use limits::Limits;
pub use listen::{raise_open_files_limit, serve, serve_switching};
pub use mcp::{LocalUser, StdioError, serve_stdio, serve_stream};
pub use mcp_settings::McpSettings;
pub use routes::router;
pub use switch::Switch;
pub use webhook_port::{Webhook, WebhookRefusal, Webhooks};
