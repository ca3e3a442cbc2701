//! Doors in the shapes of others, each under a prefix of its own, so that their clients need only another base URL.

mod openai;

use axum::Router;

use crate::app::App;

/// All such doors that need a caller.
pub(crate) fn router() -> Router<App> {
    openai::router()
}
