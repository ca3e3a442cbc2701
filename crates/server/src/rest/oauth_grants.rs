//! `/v1/oauth/grants`: the user says yes to a client that asked to sign in.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use recalld_memory::ports::KeyScopes;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouterExt};
use utoipa_axum::routes;

use crate::app::App;
use crate::auth::{Caller, Granted, is_challenge};
use crate::error::{ApiError, Code};
use crate::extract::Json;
use crate::host_check::Addressed;
use crate::middleware::RouteLayers;
use crate::oauth::{self, Client};

pub(super) fn router(layers: &RouteLayers) -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(grant).layer(layers.caller().for_any_key()))
}

/// What a client asked for on `/oauth/authorize`, and the user's decision.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Grant {
    #[schema(max_length = 8192)]
    client_id: String,
    #[schema(max_length = 512)]
    redirect_uri: String,
    /// By the method S256.
    #[schema(min_length = 43, max_length = 43)]
    code_challenge: String,
    #[serde(default)]
    #[schema(max_length = 2048)]
    state: String,
    /// `read`, `write` or both, separated by a space; both if none is given.
    #[serde(default)]
    scope: String,
    #[serde(default)]
    resource: String,
    /// False: the client is told that the user refused.
    allow: bool,
}

/// Where the browser goes now.
#[derive(Debug, Serialize, ToSchema)]
struct Redirect {
    redirect_to: String,
    /// What the client calls itself.
    client_name: String,
}

/// Lets a client act for the user, or refuses it. The client learns of it at `redirect_to`.
#[utoipa::path(post, path = "/v1/oauth/grants", tag = "me", request_body = Grant,
    responses((status = 201, body = Redirect)))]
async fn grant(
    State(app): State<App>,
    caller: Caller,
    headers: HeaderMap,
    Json(asked): Json<Grant>,
) -> Result<(StatusCode, axum::Json<Redirect>), ApiError> {
    if !app.mcp.signs_in_itself() {
        return Err(ApiError::new(
            Code::NotFound,
            "this server does not sign clients in",
        ));
    }
    let client =
        Client::of_id(&asked.client_id).map_err(|error| ApiError::field("/client_id", &error.detail()))?;
    if !client.allows(&asked.redirect_uri) {
        return Err(ApiError::field(
            "/redirect_uri",
            &"the client has not registered this address",
        ));
    }
    if !is_challenge(&asked.code_challenge) {
        return Err(ApiError::field(
            "/code_challenge",
            &"this is no digest by the method S256",
        ));
    }
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let issuer = oauth::issuer(&app, &Addressed(host.unwrap_or_default().to_owned()));
    if !oauth::is_this_server(&asked.resource, &issuer) {
        return Err(ApiError::field(
            "/resource",
            &"this is not the address of this server",
        ));
    }
    let redirect = |answer: &oauth::AuthorizationResult<'_>| Redirect {
        redirect_to: oauth::redirect(&asked.redirect_uri, answer, &asked.state, &issuer),
        client_name: client.name.clone(),
    };
    if !asked.allow {
        let refused = oauth::AuthorizationResult::Refused {
            error: "access_denied",
            detail: "the user refused",
        };
        return Ok((StatusCode::CREATED, axum::Json(redirect(&refused))));
    }
    // Whoever acts for nobody has nothing to grant, and is told so.
    caller.scope()?;
    let nobody = || ApiError::new(Code::InvalidRequest, "the request names no user");
    let user = caller.user().cloned().ok_or_else(nobody)?;
    let code = app.authorization_codes.issue(Granted {
        user,
        namespace: caller.namespace().cloned(),
        scopes: allowed(&caller, &asked.scope)?,
        client_id: asked.client_id.clone(),
        redirect_uri: asked.redirect_uri.clone(),
        challenge: asked.code_challenge.clone(),
    });
    Ok((
        StatusCode::CREATED,
        axum::Json(redirect(&oauth::AuthorizationResult::Code(&code))),
    ))
}

/// What is asked for, as far as the caller's own key allows it: nobody grants more than they have.
fn allowed(caller: &Caller, asked: &str) -> Result<KeyScopes, ApiError> {
    let asked = oauth::scopes(asked).map_err(|error| ApiError::field("/scope", &error))?;
    let own = caller.scopes();
    if own.iter().any(|word| word.starts_with("tools:")) {
        let detail = "a key for one set of tools cannot let others in";
        return Err(ApiError::new(Code::Forbidden, detail));
    }
    let words = asked.words();
    let words = words
        .iter()
        .map(String::as_str)
        .filter(|word| own.iter().any(|own| own == word));
    let scopes = KeyScopes::parse(words).map_err(|_| {
        ApiError::new(
            Code::Forbidden,
            "this key has none of the scopes that are asked for",
        )
    })?;
    Ok(match caller.confined_to() {
        Some(project) => scopes.within(project.clone()),
        None => scopes,
    })
}
