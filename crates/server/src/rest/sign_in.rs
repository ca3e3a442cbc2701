//! `/v1/sign-in`: a link that signs a browser in once, without a key in it.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouterExt};
use utoipa_axum::routes;

use crate::app::App;
use crate::auth::{Caller, presented};
use crate::error::{ApiError, Code};
use crate::extract::Json;
use crate::middleware::RouteLayers;

pub(super) fn router(layers: &RouteLayers) -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(issue).layer(layers.caller().for_any_key()))
        .routes(routes!(redeem).layer(layers.open().with_private_answers()))
}

/// A link that signs in once.
#[derive(Debug, Serialize, ToSchema)]
struct SignInLink {
    /// What `POST /v1/sign-in` takes.
    code: String,
    /// The console's address on this server, with the code in the fragment, which browsers do not
    /// send.
    path: String,
    /// How many seconds the code is good for.
    expires_in: u64,
}

/// Makes a link with which a browser signs in to the console as the caller: once, within ten
/// minutes, on this server.
#[utoipa::path(post, path = "/v1/sign-in-links", tag = "me", responses((status = 201, body = SignInLink)))]
async fn issue(
    State(app): State<App>,
    _caller: Caller,
    headers: HeaderMap,
) -> Result<(StatusCode, axum::Json<SignInLink>), ApiError> {
    let code = app.sign_in_codes.issue(presented(&headers)?);
    let link = SignInLink {
        path: format!("/#signin={code}"),
        code,
        expires_in: crate::auth::CODE_LIFETIME.as_secs(),
    };
    Ok((StatusCode::CREATED, axum::Json(link)))
}

/// The code of a link.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct SignInBody {
    #[schema(min_length = 1, max_length = 64)]
    code: String,
}

/// The key or token that the code stood for.
#[derive(Debug, Serialize, ToSchema)]
struct SignedIn {
    key: String,
}

/// Gives the key or token of whoever made the link. The code does not work again.
#[utoipa::path(post, path = "/v1/sign-in", tag = "me", request_body = SignInBody, security(()),
    responses((status = 200, body = SignedIn)))]
async fn redeem(
    State(app): State<App>,
    Json(body): Json<SignInBody>,
) -> Result<axum::Json<SignedIn>, ApiError> {
    let key = app.sign_in_codes.redeem(&body.code);
    let refused = || {
        ApiError::new(Code::Unauthenticated, "the link was used before, or has expired")
            .hint("`recalld console` makes a new one")
    };
    Ok(axum::Json(SignedIn {
        key: key.ok_or_else(refused)?,
    }))
}
