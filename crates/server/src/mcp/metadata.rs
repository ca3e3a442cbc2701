//! How clients learn to authenticate: the challenge of a 401, and the document it points to (RFC
//! 9728).

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, WWW_AUTHENTICATE};
use axum::http::{HeaderValue, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::Response;
use axum::routing::get;
use axum::{Extension, Json, Router};
use serde::Serialize;

use super::PATH;
use crate::app::App;
use crate::host_check::Addressed;
use crate::mcp_settings::McpSettings;

/// Where RFC 9728 puts the document.
const WELL_KNOWN: &str = "/.well-known/oauth-protected-resource";

/// What a client must know about the endpoint before it can authenticate.
#[derive(Debug, Serialize)]
struct ProtectedResource {
    /// The address of the endpoint, for which a token must be meant.
    resource: String,
    resource_name: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    authorization_servers: Vec<String>,
    bearer_methods_supported: [&'static str; 1],
    scopes_supported: [&'static str; 2],
}

/// Serves the document, which anybody may read.
pub(super) fn router(settings: &McpSettings) -> Router<App> {
    let settings = Arc::new(settings.clone());
    let document = get(describe).with_state(settings);
    Router::new()
        .route(WELL_KNOWN, document.clone())
        .route(&format!("{WELL_KNOWN}{PATH}"), document)
}

async fn describe(
    State(settings): State<Arc<McpSettings>>,
    Extension(addressed): Extension<Addressed>,
) -> Json<ProtectedResource> {
    let resource = endpoint(settings.url.as_deref(), &addressed);
    let own = settings
        .signs_in_itself()
        .then(|| resource.trim_end_matches(PATH).to_owned());
    Json(ProtectedResource {
        resource,
        resource_name: "recalld",
        authorization_servers: own
            .into_iter()
            .chain(settings.authorization_servers.clone())
            .collect(),
        bearer_methods_supported: ["header"],
        scopes_supported: ["read", "write"],
    })
}

/// Tells whoever is refused where to learn more.
pub(super) async fn challenge(
    State(app): State<App>,
    Extension(addressed): Extension<Addressed>,
    request: Request,
    next: Next,
) -> Response {
    let presented =
        request.headers().contains_key(AUTHORIZATION) || request.headers().contains_key("x-api-key");
    let mut response = next.run(request).await;
    if response.status() == StatusCode::UNAUTHORIZED {
        let mut challenge = "Bearer realm=\"recalld\"".to_owned();
        if presented {
            challenge.push_str(", error=\"invalid_token\"");
        }
        // Without an authorization server the document leads a client nowhere: some then fail with
        // that, instead of saying that the key is wrong.
        if app.mcp.signs_in_itself() || !app.mcp.authorization_servers.is_empty() {
            let document = document_of(&endpoint(app.mcp.url.as_deref(), &addressed));
            challenge.push_str(&format!(", resource_metadata=\"{document}\""));
        }
        if let Ok(challenge) = HeaderValue::from_str(&challenge) {
            response.headers_mut().insert(WWW_AUTHENTICATE, challenge);
        }
    }
    response
}

/// The endpoint's address: as configured, or as this request found it.
fn endpoint(configured: Option<&str>, addressed: &Addressed) -> String {
    configured.map_or_else(|| format!("http://{}{PATH}", addressed.0), str::to_owned)
}

/// The address of the document about `endpoint`: its path goes behind the well-known one.
fn document_of(endpoint: &str) -> String {
    let parts = endpoint.parse::<Uri>().unwrap_or_default().into_parts();
    let scheme = parts
        .scheme
        .map_or_else(|| "http".to_owned(), |scheme| scheme.to_string());
    let authority = parts
        .authority
        .map(|authority| authority.to_string())
        .unwrap_or_default();
    let path = parts
        .path_and_query
        .map(|path| path.path().to_owned())
        .unwrap_or_default();
    format!("{scheme}://{authority}{WELL_KNOWN}{}", path.trim_end_matches('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documents_address_follows_the_endpoints() {
        assert_eq!(
            document_of("https://memory.example/mcp"),
            "https://memory.example/.well-known/oauth-protected-resource/mcp"
        );
        assert_eq!(
            document_of("http://127.0.0.1:7077/mcp"),
            "http://127.0.0.1:7077/.well-known/oauth-protected-resource/mcp"
        );
    }
}
