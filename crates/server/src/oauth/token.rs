//! The token endpoint: codes and refresh tokens become keys with an end, and revocation.
//!
//! The keys of one grant carry its name, by which all of them are taken back together.

use axum::extract::{Query, Request, State};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use data_encoding::HEXLOWER;
use jiff::{SignedDuration, Timestamp};
use recalld_memory::ports::{KeyKind, KeyRecord};
use serde::Deserialize;
use serde_json::json;
use sha2::{Digest, Sha256};

use super::client::Client;
use super::failure::{self, OAuthError};
use super::{grant, issuer};
use crate::app::App;
use crate::auth::{Granted, NewKey, Presented, REFRESH_PREFIX, Redeemed, random_bytes};
use crate::error::ApiError;
use crate::host_check::Addressed;

/// How long an access token is good for.
const ACCESS_LIFETIME: SignedDuration = SignedDuration::from_hours(1);

/// How long a refresh token is good for.
const REFRESH_LIFETIME: SignedDuration = SignedDuration::from_hours(30 * 24);

/// What a client asks for. Unknown parameters are ignored, as the specification asks.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct TokenRequest {
    grant_type: String,
    client_id: String,
    code: String,
    redirect_uri: String,
    code_verifier: String,
    refresh_token: String,
    scope: String,
    resource: String,
    token: String,
}

async fn asked(request: Request) -> Result<TokenRequest, OAuthError> {
    let body = failure::body(request, "application/x-www-form-urlencoded").await?;
    let unreadable = || {
        OAuthError::new(
            "invalid_request",
            "the form cannot be read, or names a field twice",
        )
    };
    let form = format!("/?{body}").parse().map_err(|_| unreadable())?;
    let Query(asked) = Query::try_from_uri(&form).map_err(|_| unreadable())?;
    Ok(asked)
}

/// Gives tokens for a code or a refresh token.
pub(super) async fn token(
    State(app): State<App>,
    Extension(addressed): Extension<Addressed>,
    request: Request,
) -> Result<Response, OAuthError> {
    let asked = asked(request).await?;
    Client::of_id(&asked.client_id)?;
    if !grant::is_this_server(&asked.resource, &issuer(&app, &addressed)) {
        return Err(OAuthError::new("invalid_target", "resource is not this server"));
    }
    match asked.grant_type.as_str() {
        "authorization_code" => for_code(&app, &asked).await,
        "refresh_token" => for_refresh_token(&app, &asked).await,
        _ => {
            let detail = "grant_type must be authorization_code or refresh_token";
            Err(OAuthError::new("unsupported_grant_type", detail))
        }
    }
}

async fn for_code(app: &App, asked: &TokenRequest) -> Result<Response, OAuthError> {
    let presented = Presented {
        code: &asked.code,
        client_id: &asked.client_id,
        redirect_uri: &asked.redirect_uri,
        verifier: &asked.code_verifier,
    };
    let name = new_grant(&asked.client_id);
    match app.authorization_codes.redeem(presented, &name) {
        Redeemed::Good(granted) => give(app, &granted, &name).await,
        Redeemed::Replayed { grant } => {
            take_back(app, &grant).await?;
            Err(refused("the code was used before; what it gave was taken back"))
        }
        Redeemed::Unknown => Err(refused("the code is not valid for this client, or has expired")),
    }
}

async fn for_refresh_token(app: &App, asked: &TokenRequest) -> Result<Response, OAuthError> {
    let now = app.ports.clock.now();
    let not_valid = || refused("the refresh token is not valid for this client, or has expired");
    let found = refresh_token(app, &asked.refresh_token)
        .await?
        .ok_or_else(not_valid)?;
    let name = grant_of(&found).ok_or_else(not_valid)?;
    if !name.starts_with(&client_mark(&asked.client_id)) {
        return Err(not_valid());
    }
    // A token that was replaced is known to somebody it should not be: the whole grant ends.
    if found.revoked_at.is_some()
        || !app
            .keyring
            .revoke_key(&found.id, now)
            .await
            .map_err(ApiError::from)?
    {
        take_back(app, &name).await?;
        return Err(refused(
            "the refresh token was used before; the grant was taken back",
        ));
    }
    if found.expires_at.is_some_and(|end| end <= now) {
        return Err(not_valid());
    }
    let KeyKind::User { user } = found.kind else {
        return Err(not_valid());
    };
    // A client may ask for less than it has, never for more.
    let scopes = match grant::scopes(&asked.scope) {
        Ok(_) if asked.scope.trim().is_empty() => found.scopes,
        Ok(fewer)
            if fewer
                .words()
                .iter()
                .all(|word| found.scopes.words().contains(word)) =>
        {
            fewer
        }
        _ => return Err(OAuthError::new("invalid_scope", "the user has not granted that")),
    };
    let granted = Granted {
        user,
        namespace: found.namespace,
        scopes,
        client_id: asked.client_id.clone(),
        redirect_uri: String::new(),
        challenge: String::new(),
    };
    give(app, &granted, &name).await
}

/// Makes an access token and a refresh token.
async fn give(app: &App, granted: &Granted, name: &str) -> Result<Response, OAuthError> {
    let now = app.ports.clock.now();
    let client = Client::of_id(&granted.client_id)?;
    let key = |what: &str, lifetime: SignedDuration| NewKey {
        kind: KeyKind::User {
            user: granted.user.clone(),
        },
        namespace: granted.namespace.clone(),
        name: Some(format!("{}, {what} [{name}]", client.name)),
        scopes: granted.scopes.clone(),
        expires_at: now.checked_add(lifetime).ok(),
    };
    let access = key("signed in", ACCESS_LIFETIME).create(&*app.keyring, now).await;
    let access = access.map_err(ApiError::from)?;
    let refresh = format!("{REFRESH_PREFIX}{}", HEXLOWER.encode(&random_bytes::<32>()));
    let stored = key("refresh token", REFRESH_LIFETIME)
        .store(&*app.keyring, &refresh, now)
        .await;
    stored.map_err(ApiError::from)?;
    Ok(Json(json!({
        "access_token": access.key,
        "token_type": "Bearer",
        "expires_in": ACCESS_LIFETIME.as_secs(),
        "refresh_token": refresh,
        "scope": granted.scopes.to_string(),
    }))
    .into_response())
}

/// Ends a token. Whoever presents a refresh token ends the whole grant (RFC 7009). The answer is
/// the same for a token that nobody has.
pub(super) async fn revoke(State(app): State<App>, request: Request) -> Result<Response, OAuthError> {
    let asked = asked(request).await?;
    if let Some(found) = refresh_token(&app, &asked.token).await? {
        if let Some(name) = grant_of(&found) {
            take_back(&app, &name).await?;
        }
    } else if let Some(found) = stored(&app, &asked.token).await?
        && grant_of(&found).is_some()
    {
        let now = app.ports.clock.now();
        app.keyring
            .revoke_key(&found.id, now)
            .await
            .map_err(ApiError::from)?;
        app.authenticator.forget_keys();
    }
    Ok(().into_response())
}

async fn refresh_token(app: &App, token: &str) -> Result<Option<KeyRecord>, OAuthError> {
    match token.starts_with(REFRESH_PREFIX) {
        true => stored(app, token).await,
        false => Ok(None),
    }
}

async fn stored(app: &App, token: &str) -> Result<Option<KeyRecord>, OAuthError> {
    let digest: [u8; 32] = Sha256::digest(token.as_bytes()).into();
    Ok(app.keyring.key(&digest).await.map_err(ApiError::from)?)
}

/// Revokes all keys of a grant.
async fn take_back(app: &App, name: &str) -> Result<(), OAuthError> {
    let now: Timestamp = app.ports.clock.now();
    let keys = app.keyring.keys().await.map_err(ApiError::from)?;
    for key in keys.iter().filter(|key| grant_of(key).as_deref() == Some(name)) {
        app.keyring
            .revoke_key(&key.id, now)
            .await
            .map_err(ApiError::from)?;
    }
    app.authenticator.forget_keys();
    Ok(())
}

/// Names a new grant: the client's mark, and something random.
fn new_grant(client_id: &str) -> String {
    format!(
        "{}{}",
        client_mark(client_id),
        HEXLOWER.encode(&random_bytes::<8>())
    )
}

/// What the names of all grants of a client begin with.
fn client_mark(client_id: &str) -> String {
    let digest: [u8; 32] = Sha256::digest(client_id.as_bytes()).into();
    format!("grant_{}_", HEXLOWER.encode(&digest[..8]))
}

/// The grant that a key belongs to, from the end of its name. Names that people give say nothing:
/// at the worst, such a key is revoked together with a grant of the same name.
fn grant_of(key: &KeyRecord) -> Option<String> {
    let (_, grant) = key.name.as_deref()?.rsplit_once(" [")?;
    let grant = grant.strip_suffix(']')?;
    grant.starts_with("grant_").then(|| grant.to_owned())
}

fn refused(detail: &'static str) -> OAuthError {
    OAuthError::new("invalid_grant", detail)
}
