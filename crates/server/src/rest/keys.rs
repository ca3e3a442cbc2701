//! `/v1/admin/keys`: keys are made, listed and revoked by administrators.

use axum::extract::State;
use axum::http::StatusCode;
use recalld_memory::id::{Namespace, UserId};
use recalld_memory::ports::{KeyKind, KeyRecord};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::auth::{Administrator, create_key};
use crate::error::ApiError;
use crate::extract::{Json, Path};

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(create, list))
        .routes(routes!(revoke))
}

/// What a key may do.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum Kind {
    /// Act as one user.
    User,
    /// Act for the user that the header Recalld-User names.
    Service,
    /// Administer.
    Admin,
}

/// A key to make.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewKey {
    kind: Kind,
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

/// A key that was just made. It is shown once.
#[derive(Debug, Serialize, ToSchema)]
struct MadeKey {
    id: String,
    key: String,
}

/// Makes a key. It is shown in this answer and never again, so this request is not repeated by an
/// Idempotency-Key.
#[utoipa::path(post, path = "/v1/admin/keys", tag = "admin", request_body = NewKey,
    responses((status = 201, body = MadeKey)))]
async fn create(
    State(app): State<App>,
    Administrator(caller): Administrator,
    Json(new): Json<NewKey>,
) -> Result<(StatusCode, axum::Json<MadeKey>), ApiError> {
    let user = new
        .user
        .map(UserId::new)
        .transpose()
        .map_err(|error| ApiError::field("/user", &error))?;
    let kind = match (new.kind, user) {
        (Kind::User, Some(user)) => KeyKind::User { user },
        (Kind::User, None) => return Err(ApiError::field("/user", &"a key of kind user needs a user")),
        (Kind::Service | Kind::Admin, Some(_)) => {
            return Err(ApiError::field("/user", &"only a key of kind user has a user"));
        }
        (Kind::Service, None) => KeyKind::Service,
        (Kind::Admin, None) => KeyKind::Admin,
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
        axum::Json(MadeKey {
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

/// A key as it is listed: never the key itself.
#[derive(Debug, Serialize, ToSchema)]
struct ListedKey {
    id: String,
    kind: Kind,
    user: Option<String>,
    namespace: Option<String>,
    name: Option<String>,
    created_at: String,
    last_used_at: Option<String>,
    revoked_at: Option<String>,
}

impl From<KeyRecord> for ListedKey {
    fn from(key: KeyRecord) -> ListedKey {
        let (kind, user) = match key.kind {
            KeyKind::User { user } => (Kind::User, Some(user.to_string())),
            KeyKind::Service => (Kind::Service, None),
            KeyKind::Admin => (Kind::Admin, None),
        };
        ListedKey {
            id: key.id,
            kind,
            user,
            namespace: key.namespace.map(|namespace| namespace.as_str().to_owned()),
            name: key.name,
            created_at: key.created_at.to_string(),
            last_used_at: key.last_used_at.map(|at| at.to_string()),
            revoked_at: key.revoked_at.map(|at| at.to_string()),
        }
    }
}

/// All keys.
#[derive(Debug, Serialize, ToSchema)]
struct KeyList {
    keys: Vec<ListedKey>,
}

/// Lists all keys, the oldest first.
#[utoipa::path(get, path = "/v1/admin/keys", tag = "admin",
    responses((status = 200, body = KeyList)))]
async fn list(
    State(app): State<App>,
    _administrator: Administrator,
) -> Result<axum::Json<KeyList>, ApiError> {
    let keys = app.keyring.keys().await?;
    Ok(axum::Json(KeyList {
        keys: keys.into_iter().map(Into::into).collect(),
    }))
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
    app.gate.forget();
    match revoked {
        true => Ok(StatusCode::NO_CONTENT),
        false => Err(ApiError::not_found("key")),
    }
}
