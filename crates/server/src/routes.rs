//! The whole service, put together from its routes.

use axum::Router;
use axum::handler::Handler;

use crate::app::App;
use crate::error;
use crate::middleware::RouteLayers;
use crate::{compat, console, docs, health, mcp, oauth, rest, webhooks};

/// Builds the whole service.
pub fn router(app: App) -> Router {
    health::recorder();
    let layers = RouteLayers::new(&app);
    let (rest, api) = rest::router(&layers)
        .merge(webhooks::router(&layers))
        .split_for_parts();
    rest.merge(health::router(&layers))
        .merge(docs::router(api, &layers))
        .merge(console::router(&layers))
        .merge(mcp::router(&app, &layers))
        .merge(oauth::router(&app, &layers))
        .merge(compat::router(&app, &layers))
        .fallback(error::no_route.layer(layers.open().with_query()))
        .method_not_allowed_fallback(error::no_method.layer(layers.open().with_query()))
        .with_state(app)
}
