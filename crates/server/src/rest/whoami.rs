//! `GET /v1/me`: who the caller is, and what this server offers.

use axum::extract::State;
use recalld_memory::id::UserId;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouterExt};
use utoipa_axum::routes;

use crate::app::App;
use crate::auth::Caller;
use crate::middleware::RouteLayers;

pub(super) fn router(layers: &RouteLayers) -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(whoami).layer(layers.caller().for_any_key()))
}

/// The caller, and what is there for them.
#[derive(Debug, Serialize, ToSchema)]
struct Whoami {
    /// `user`, `service` or `admin`.
    kind: &'static str,
    /// The user that the caller is, or acts for.
    user: Option<String>,
    /// The user scope, as chat agents write it: `user:<id>`. It is accepted wherever a user is
    /// named.
    scope: Option<String>,
    /// The namespace to which the key is confined.
    namespace: Option<String>,
    /// What the key may do: `read`, `write`, and `tools:SET` if it is for one set of tools.
    scopes: Vec<String>,
    /// Whether a chat model is configured.
    chat: bool,
    /// Whether search goes by meaning as well as by words.
    semantic: bool,
    version: &'static str,
}

/// Describes the caller.
#[utoipa::path(get, path = "/v1/me", tag = "me", responses((status = 200, body = Whoami)))]
async fn whoami(State(app): State<App>, caller: Caller) -> axum::Json<Whoami> {
    axum::Json(Whoami {
        kind: caller.kind(),
        user: caller.user().map(ToString::to_string),
        scope: caller.user().map(UserId::scope),
        namespace: caller.namespace().map(|namespace| namespace.as_str().to_owned()),
        scopes: caller.scopes(),
        chat: app.agent.models.is_some(),
        semantic: app.ports.embedder.is_some(),
        version: env!("CARGO_PKG_VERSION"),
    })
}
