//! A small authorization server for MCP clients (OAuth 2.1): they sign in through the console
//! instead of being given a key.
//!
//! Clients are public and prove by PKCE that they are the ones who asked. What they are given are
//! keys of the user with an end; a refresh token is replaced at every use. Where a deployment has
//! an issuer of its own, none of this is served.

mod client;
mod failure;
mod grant;
mod token;

pub(crate) use client::Client;
pub(crate) use grant::{AuthorizationResult, is_this_server, redirect, scopes};

use std::sync::Arc;

use axum::extract::{Query, Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Extension, Json, Router};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::app::App;
use crate::auth::is_challenge;
use crate::host_check::{self, Addressed, HostCheck};
use crate::middleware::RouteLayers;
use failure::OAuthError;

/// Where RFC 8414 puts the description of the server.
const WELL_KNOWN: &str = "/.well-known/oauth-authorization-server";

/// Serves sign-in for MCP clients, unless it is switched off.
pub(crate) fn router(app: &App, layers: &RouteLayers) -> Router<App> {
    if !app.mcp.signs_in_itself() {
        return Router::new();
    }
    let host_check = Arc::new(HostCheck::new(&app.mcp, &app.limits.cors_origins));
    Router::new()
        .route(WELL_KNOWN, get(describe))
        .route(&format!("{WELL_KNOWN}/mcp"), get(describe))
        .route("/oauth/register", post(register))
        .route("/oauth/authorize", get(authorize))
        .route("/oauth/token", post(token::token))
        .route("/oauth/revoke", post(token::revoke))
        .layer(from_fn_with_state(host_check, host_check::layer))
        .layer(layers.open().with_query().with_private_answers())
}

/// The address of this server: as configured, or as the request found it.
pub(crate) fn issuer(app: &App, addressed: &Addressed) -> String {
    let configured = app.mcp.url.as_deref();
    let configured = configured.map(|url| url.trim_end_matches('/').trim_end_matches("/mcp").to_owned());
    configured.unwrap_or_else(|| format!("http://{}", addressed.0))
}

/// Describes the server to clients (RFC 8414).
async fn describe(State(app): State<App>, Extension(addressed): Extension<Addressed>) -> Json<Value> {
    let issuer = issuer(&app, &addressed);
    Json(json!({
        "issuer": issuer,
        "authorization_endpoint": format!("{issuer}/oauth/authorize"),
        "token_endpoint": format!("{issuer}/oauth/token"),
        "registration_endpoint": format!("{issuer}/oauth/register"),
        "revocation_endpoint": format!("{issuer}/oauth/revoke"),
        "response_types_supported": ["code"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported": ["none"],
        "revocation_endpoint_auth_methods_supported": ["none"],
        "scopes_supported": ["read", "write"],
        "authorization_response_iss_parameter_supported": true,
    }))
}

/// What a client says about itself (RFC 7591). What is not needed here is ignored, as the
/// specification asks.
#[derive(Debug, Deserialize)]
struct Registration {
    redirect_uris: Vec<String>,
    client_name: Option<String>,
    token_endpoint_auth_method: Option<String>,
}

/// What a client is told about itself.
#[derive(Debug, Serialize)]
struct Registered {
    client_id: String,
    client_name: String,
    redirect_uris: Vec<String>,
    token_endpoint_auth_method: &'static str,
    grant_types: [&'static str; 2],
    response_types: [&'static str; 1],
}

/// Registers a client. Nothing is stored: its id contains what it said.
async fn register(request: Request) -> Result<Response, OAuthError> {
    let body = failure::body(request, "application/json").await?;
    let given: Registration = serde_json::from_str(&body)
        .map_err(|_| OAuthError::new("invalid_client_metadata", "redirect_uris is missing"))?;
    if given
        .token_endpoint_auth_method
        .is_some_and(|method| method != "none")
    {
        let detail = "clients are public: token_endpoint_auth_method must be none";
        return Err(OAuthError::new("invalid_client_metadata", detail));
    }
    let client = Client::new(given.client_name.unwrap_or_default(), given.redirect_uris)?;
    let registered = Registered {
        client_id: client.id(),
        client_name: client.name.clone(),
        redirect_uris: client.redirect_uris.clone(),
        token_endpoint_auth_method: "none",
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
    };
    Ok((StatusCode::CREATED, Json(registered)).into_response())
}

/// What a client asks for. Unknown parameters are ignored, as the specification asks.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Authorization {
    response_type: String,
    client_id: String,
    redirect_uri: String,
    code_challenge: String,
    code_challenge_method: String,
    state: String,
    scope: String,
    resource: String,
}

/// Leads the browser to the console, where the user is asked. What cannot be asked because the
/// client or its address is wrong is told here and never sent to that address.
async fn authorize(
    State(app): State<App>,
    Extension(addressed): Extension<Addressed>,
    asked: Result<Query<Authorization>, axum::extract::rejection::QueryRejection>,
) -> Result<Response, OAuthError> {
    let Query(asked) =
        asked.map_err(|_| OAuthError::new("invalid_request", "the parameters cannot be read"))?;
    let client = Client::of_id(&asked.client_id)?;
    if !client.allows(&asked.redirect_uri) {
        let detail = "redirect_uri is not one that the client registered";
        return Err(OAuthError::new("invalid_request", detail));
    }
    let issuer = issuer(&app, &addressed);
    if let Some((error, detail)) = asked.problem(&issuer) {
        let answer = AuthorizationResult::Refused { error, detail };
        let to = redirect(&asked.redirect_uri, &answer, &asked.state, &issuer);
        return Ok(to_address(&to));
    }
    let pairs = [
        ("client_id", &asked.client_id),
        ("redirect_uri", &asked.redirect_uri),
        ("code_challenge", &asked.code_challenge),
        ("state", &asked.state),
        ("scope", &asked.scope),
        ("resource", &asked.resource),
    ];
    let pairs = pairs.into_iter().filter(|(_, value)| !value.is_empty());
    let query: Vec<String> = pairs
        .map(|(name, value)| format!("{name}={}", grant::encoded(value)))
        .collect();
    Ok(to_address(&format!("{issuer}/#/authorize?{}", query.join("&"))))
}

impl Authorization {
    /// Tells what is wrong with the request, as the specification names it.
    fn problem(&self, issuer: &str) -> Option<(&'static str, &'static str)> {
        if self.response_type != "code" {
            return Some(("unsupported_response_type", "response_type must be code"));
        }
        if self.code_challenge_method != "S256" || !is_challenge(&self.code_challenge) {
            return Some(("invalid_request", "a code_challenge by the method S256 is needed"));
        }
        if !is_this_server(&self.resource, issuer) {
            return Some(("invalid_target", "resource is not this server"));
        }
        scopes(&self.scope)
            .err()
            .map(|_| ("invalid_scope", "the scopes are read and write"))
    }
}

fn to_address(address: &str) -> Response {
    match HeaderValue::from_str(address) {
        Ok(location) => (StatusCode::FOUND, [(header::LOCATION, location)]).into_response(),
        Err(_) => OAuthError::new("invalid_request", "the address cannot be sent").into_response(),
    }
}
