//! `/v1/admin/keys`: keys are made, listed and revoked by administrators.

use axum::extract::State;
use axum::http::StatusCode;
use jiff::{SignedDuration, Timestamp};
use recalld_agent::tools::ToolSet;
use recalld_memory::id::{Namespace, UserId};
use recalld_memory::ports::{KeyKind, KeyScopes};
use recalld_wire::{self as wire, WireKeyKind};
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouterExt};
use utoipa_axum::routes;

use crate::app::App;
use crate::auth::{self, Administrator};
use crate::error::{ApiError, Code};
use crate::extract::{Json, Path};
use crate::middleware::RouteLayers;
use crate::rest::moment::moment;

pub(super) fn router(layers: &RouteLayers) -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(create, list).layer(layers.admin()))
        .routes(routes!(revoke).layer(layers.admin()))
        .routes(routes!(rotate).layer(layers.admin()))
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
    /// What it may do: `read`, `write`, `tools:SET`, `project:NAME`. Everything that its kind
    /// allows, if none is given.
    #[schema(max_items = 8)]
    scopes: Option<Vec<String>>,
    /// From when on it is refused: a date (its end, UTC), or a date and time.
    expires_at: Option<String>,
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
        .map(UserId::named)
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
    let key = auth::NewKey {
        kind,
        namespace,
        name: new.name.map(checked_name).transpose()?,
        scopes: new.scopes.map_or_else(|| Ok(KeyScopes::default()), scopes)?,
        expires_at: new.expires_at.map(|end| expiry(&end, caller.now())).transpose()?,
    };
    let made = key.create(&*app.keyring, caller.now()).await?;
    Ok((
        StatusCode::CREATED,
        axum::Json(wire::CreatedKey {
            id: made.id,
            key: made.key,
        }),
    ))
}

fn scopes(words: Vec<String>) -> Result<KeyScopes, ApiError> {
    let scopes = KeyScopes::parse(words.iter().map(String::as_str))
        .map_err(|error| ApiError::field("/scopes", &error))?;
    match scopes.tool_set() {
        Some(set) if ToolSet::parse(set).is_none() => {
            let known: Vec<&str> = ToolSet::ALL.into_iter().map(ToolSet::as_str).collect();
            let detail = format!("there is no set of tools {set:?}; there are {}", known.join(", "));
            Err(ApiError::field("/scopes", &detail))
        }
        _ => Ok(scopes),
    }
}

/// A key that has expired already is a mistake.
fn expiry(given: &str, now: Timestamp) -> Result<Timestamp, ApiError> {
    match moment("expires_at", given)? {
        end if end <= now => Err(ApiError::field("/expires_at", &"expires_at has passed already")),
        end => Ok(end),
    }
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

/// How a key is replaced.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Rotation {
    /// For how long the old key works beside the new one, in seconds; a day if none is given.
    #[schema(minimum = 0, maximum = 2_592_000)]
    overlap_s: Option<u32>,
}

/// A day.
const OVERLAP_S: u32 = 24 * 60 * 60;

/// Thirty days.
const OVERLAP_S_MAX: u32 = 30 * OVERLAP_S;

/// Replaces a key by a new one with the same rights. The old one goes on working for a while, so
/// that its users can change over.
#[utoipa::path(post, path = "/v1/admin/keys/{id}/rotate", tag = "admin", params(("id" = String, Path)),
    request_body = Rotation, responses((status = 201, body = wire::CreatedKey)))]
async fn rotate(
    State(app): State<App>,
    Administrator(caller): Administrator,
    Path(id): Path<String>,
    Json(rotation): Json<Rotation>,
) -> Result<(StatusCode, axum::Json<wire::CreatedKey>), ApiError> {
    let overlap = match rotation.overlap_s.unwrap_or(OVERLAP_S) {
        overlap @ 0..=OVERLAP_S_MAX => SignedDuration::from_secs(overlap.into()),
        _ => {
            return Err(ApiError::field(
                "/overlap_s",
                &"overlap_s must be at most 2592000",
            ));
        }
    };
    let ends = caller
        .now()
        .checked_add(overlap)
        .map_err(|_| ApiError::new(Code::InvalidRequest, "overlap_s is too long"))?;
    let made = auth::rotate_key(&*app.keyring, &id, ends, caller.now()).await?;
    app.authenticator.forget_keys();
    let made = made.ok_or_else(|| ApiError::not_found("key"))?;
    Ok((
        StatusCode::CREATED,
        axum::Json(wire::CreatedKey {
            id: made.id,
            key: made.key,
        }),
    ))
}
