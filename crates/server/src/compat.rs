//! Doors in the shapes of others, each under a prefix of its own, so that their clients need only
//! another base URL.
//!
//! What a door stores is a memory, a conversation or a document of recalld like any other: found,
//! exported, undone and erased as such. Names that a caller chooses are labels inside the space of
//! the authenticated user, and reach nobody else's.

mod anthropic;
mod begun;
mod error_shape;
mod json_body;
mod langgraph;
mod mem0;
mod openai;

use axum::Router;
use axum::middleware::{from_fn_with_state, map_response_with_state};
use axum::routing::any;

use self::error_shape::{ErrorShape, in_their_shape};
use crate::app::App;
use crate::auth::Unproven;
use crate::error::{no_method, no_route};
use crate::middleware::{self, RouteLayers};

/// All such doors: a prefix, the routes behind it, the shape of errors there, and whether a chat
/// goes on there while the store is away.
pub(crate) fn router(app: &App, layers: &RouteLayers) -> Router<App> {
    let doors: [(&str, Router<App>, ErrorShape, Unproven); 4] = [
        (
            "/openai",
            openai::router(),
            openai::error_body,
            Unproven::Accepted,
        ),
        (
            "/langgraph",
            langgraph::router(),
            langgraph::error_body,
            Unproven::Refused,
        ),
        ("/mem0", mem0::router(), mem0::error_body, Unproven::Refused),
        (
            "/anthropic",
            anthropic::router(),
            anthropic::error_body,
            Unproven::Accepted,
        ),
    ];
    let mut all = Router::new();
    for (prefix, routes, shape, unproven) in doors {
        let guard = from_fn_with_state((app.clone(), unproven), middleware::guard);
        let door = routes
            .fallback(any(no_route))
            .method_not_allowed_fallback(no_method)
            .layer(guard)
            .layer(map_response_with_state(shape, in_their_shape))
            .layer(layers.open().with_private_answers().with_query().with_documents());
        all = all.nest(prefix, door);
    }
    all
}
