//! `/v1/admin/keys`: keys are made, listed and revoked by administrators.

use axum::extract::State;
use axum::http::StatusCode;
use recalld_memory::id::{Namespace, UserId};
use recalld_memory::ports::KeyKind;
use recalld_wire::{self as wire, WireKeyKind};
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouterExt};
use utoipa_axum::routes;

use crate::app::App;
use crate::auth::{Administrator, create_key};
use crate::error::ApiError;
use crate::extract::{Json, Path};
use crate::middleware::RouteLayers;

pub(super) fn router(layers: &RouteLayers) -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(create, list).layer(layers.admin()))
        .routes(routes!(revoke).layer(layers.admin()))
}

/// A key to make.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewKey {
    kind: WireKeyKind,
    /// The user that a key of kind `user` acts as; only for that kind.
    #[schema(min_length = 1, max_length = 256)]
    user: Option<String>,
    /// Users of this namespace only.
    #[schema(min_length = 1, max_length = 64, pattern = "^[a-z0-9_-]+$")]
    namespace: Option<String>,
    /// What you call it.
    #[schema(max_length = 128)]
    name: Option<String>,
}

/// Makes a key. It is shown in this answer and never again, so this request is not repeated by an
/// Idempotency-Key.
#[utoipa::path(post, path = "/v1/admin/keys", tag = "admin", request_body = NewKey,
    responses((status = 201, body = wire::CreatedKey)))]
async fn create(
    State(app): State<App>,
    Administrator(caller): Administrator,
    Json(new): Json<NewKey>,
) -> Result<(StatusCode, axum::Json<wire::CreatedKey>), ApiError> {
    let user = new
        .user
        .map(UserId::new)
        .transpose()
        .map_err(|error| ApiError::field("/user", &error))?;
    let kind = match (new.kind, user) {
        (WireKeyKind::User, Some(user)) => KeyKind::User { user },
        (WireKeyKind::User, None) => {
            return Err(ApiError::field("/user", &"a key of kind user needs a user"));
        }
        (WireKeyKind::Service | WireKeyKind::Admin, Some(_)) => {
            return Err(ApiError::field("/user", &"only a key of kind user has a user"));
        }
        (WireKeyKind::Service, None) => KeyKind::Service,
        (WireKeyKind::Admin, None) => KeyKind::Admin,
    };
    let namespace = new.namespace.map(Namespace::new).transpose();
    let namespace = namespace.map_err(|error| ApiError::field("/namespace", &error))?;
    if namespace.is_some() && kind == KeyKind::Admin {
        return Err(ApiError::field(
            "/namespace",
            &"an admin key is for the whole deployment",
        ));
    }
    let name = new.name.map(checked_name).transpose()?;
    let made = create_key(&*app.keyring, kind, namespace, name, caller.now()).await?;
    Ok((
        StatusCode::CREATED,
        axum::Json(wire::CreatedKey {
            id: made.id,
            key: made.key,
        }),
    ))
}

/// A name is one short line, by which a person tells keys apart.
fn checked_name(name: String) -> Result<String, ApiError> {
    match 128 < name.chars().count() || name.contains(char::is_control) {
        true => Err(ApiError::field(
            "/name",
            &"the name must be one line of at most 128 characters",
        )),
        false => Ok(name),
    }
}

/// Lists all keys, the oldest first.
#[utoipa::path(get, path = "/v1/admin/keys", tag = "admin",
    responses((status = 200, body = wire::KeyList)))]
async fn list(
    State(app): State<App>,
    _administrator: Administrator,
) -> Result<axum::Json<wire::KeyList>, ApiError> {
    let keys = app.keyring.keys().await?;
    Ok(axum::Json(keys.into()))
}

/// Revokes a key. It is refused everywhere within a second.
#[utoipa::path(delete, path = "/v1/admin/keys/{id}", tag = "admin", params(("id" = String, Path)),
    responses((status = 204)))]
async fn revoke(
    State(app): State<App>,
    Administrator(caller): Administrator,
    Path(id): Path<String>,
) -> Result<StatusCode, ApiError> {
    let revoked = app.keyring.revoke_key(&id, caller.now()).await?;
    app.authenticator.forget_keys();
    match revoked {
        true => Ok(StatusCode::NO_CONTENT),
        false => Err(ApiError::not_found("key")),
    }
}
