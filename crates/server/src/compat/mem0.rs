//! `/mem0`: the hosted API of mem0 (the parts of v1, v2 and v3 that its clients use), and the
//! routes of its self-hosted server.
//!
//! A memory of mem0 is a memory of recalld. Its metadata and the ids of users, agents, apps and
//! runs are labels beside it. With a user's key, `user_id` is such a label inside that user's
//! space; with a service key it names the user for whom the service acts.

mod add;
mod change;
mod entities;
mod events;
mod filters;
mod find;
mod labelled;

use axum::Router;
use axum::routing::{get, post, put};
use recalld_memory::id::UserId;
use recalld_memory::scope::Scope;
use serde_json::{Value, json};

use super::json_body::invalid;
use crate::app::App;
use crate::auth::Caller;
use crate::error::ApiError;

/// The labels of this door.
const COLLECTION: &str = "mem0";

pub(super) fn router() -> Router<App> {
    hosted().merge(self_hosted())
}

fn hosted() -> Router<App> {
    Router::new()
        .route("/v1/ping/", get(ping))
        .route("/v3/memories/add/", post(add::add))
        .route("/v3/memories/search/", post(find::search))
        .route("/v2/memories/search/", post(find::search_v2))
        .route("/v1/memories/search/", post(find::search_v2))
        .route("/v3/memories/", post(find::list))
        .route("/v2/memories/", post(find::list_v2))
        .route(
            "/v1/memories/",
            post(add::add_v1)
                .get(find::list_by_query)
                .delete(change::delete_all),
        )
        .route(
            "/v1/memories/{id}/",
            get(find::one).put(change::update).delete(change::delete),
        )
        .route("/v1/memories/{id}/history/", get(find::history))
        .route("/v1/entities/", get(entities::list))
        .route(
            "/v1/entities/{kind}/{id}/",
            axum::routing::delete(entities::delete),
        )
        .route(
            "/v2/entities/{kind}/{id}/",
            axum::routing::delete(entities::delete),
        )
        .route("/v1/batch/", put(change::update_many).delete(change::delete_many))
        .route("/v1/event/{id}/", get(events::one))
}

/// The dialect of mem0's own server, for programs that take `MEM0_HOST`.
fn self_hosted() -> Router<App> {
    Router::new()
        .route(
            "/memories",
            post(add::add_v1)
                .get(find::list_by_query)
                .delete(change::delete_all),
        )
        .route(
            "/memories/{id}",
            get(find::one).put(change::update).delete(change::delete),
        )
        .route("/memories/{id}/history", get(find::history))
        .route("/search", post(find::search_v2))
}

/// The body of an error.
pub(super) fn error_body(_status: u16, code: &str, message: &str) -> Value {
    json!({ "detail": message, "error": message, "code": code })
}

/// Tells a client that its key is good.
async fn ping(_caller: Caller) -> axum::Json<Value> {
    axum::Json(json!({ "status": "ok", "org_id": "recalld", "project_id": "recalld", "user_email": null }))
}

/// Opens the space of a request that names `user_id`.
fn scope_of(caller: &Caller, user_id: Option<&str>) -> Result<Scope, ApiError> {
    match (caller.user(), user_id) {
        // A label: whoever the caller is or acts for is known already.
        (Some(_), _) | (None, None) => caller.scope(),
        (None, Some(named)) => {
            let user = UserId::new(named).map_err(|error| invalid(format!("user_id: {error}")))?;
            caller.clone().acting_for(user)?.scope()
        }
    }
}
