//! `POST /channels/{name}`: events of chat platforms. A platform has no key of this server; what it
//! sends is verified by its own signature, by whoever implements
//! [`Webhooks`](crate::webhook_port::Webhooks).

use axum::extract::{Path, Request, State};
use axum::http::header::{CONTENT_TYPE, HeaderValue};
use axum::response::{IntoResponse, Response};
use serde_json::json;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouterExt};
use utoipa_axum::routes;

use crate::app::App;
use crate::error::{ApiError, Code};
use crate::extract::read_body;
use crate::middleware::RouteLayers;
use crate::webhook_port::{Webhook, WebhookRefusal};

impl WebhookRefusal {
    /// How metrics name it.
    fn outcome(&self) -> &'static str {
        match self {
            WebhookRefusal::Unknown(_) => "unknown",
            WebhookRefusal::Unproven(_) => "unproven",
            WebhookRefusal::Malformed(_) => "malformed",
            WebhookRefusal::NotNow(_) => "not_now",
        }
    }
}

impl From<WebhookRefusal> for ApiError {
    fn from(refusal: WebhookRefusal) -> ApiError {
        let detail = refusal.to_string();
        match refusal {
            WebhookRefusal::Unknown(_) => ApiError::new(Code::NotFound, detail)
                .hint("set its channels.* settings; `recalld channels` checks them"),
            WebhookRefusal::Unproven(_) => ApiError::new(Code::Unauthenticated, detail)
                .hint("compare the secrets in the platform's console with the channels.* settings"),
            WebhookRefusal::Malformed(_) => ApiError::new(Code::InvalidRequest, detail),
            WebhookRefusal::NotNow(_) => ApiError::new(Code::StorageUnavailable, detail).retry_after(2),
        }
    }
}

pub(crate) fn router(layers: &RouteLayers) -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(receive).layer(layers.open().with_private_answers()))
}

/// Takes in an event of a chat platform. It is verified, stored and acknowledged; the reply goes to
/// the platform afterwards.
#[utoipa::path(post, path = "/channels/{name}", tag = "channels", security(()),
    params(("name" = String, Path, description = "`feishu` or `slack`")),
    request_body(content = Vec<u8>, content_type = "application/octet-stream",
        description = "As the platform sends it, signed in its headers"),
    responses((status = 200, body = Value, description = "The event is stored, was known, or needs no reply")))]
async fn receive(
    State(app): State<App>,
    Path(name): Path<String>,
    request: Request,
) -> Result<Response, ApiError> {
    let (parts, body) = request.into_parts();
    let body = read_body(&parts.extensions, body).await?;
    let taken = match &app.webhooks {
        Some(webhooks) => {
            let webhook = Webhook {
                headers: &parts.headers,
                body: &body,
            };
            webhooks.take(&name, webhook).await
        }
        None => Err(WebhookRefusal::Unknown(shown(&name))),
    };
    let outcome = taken
        .as_ref()
        .map_or_else(WebhookRefusal::outcome, |_| "accepted");
    // A name that is not configured could be anything, and would be counted for ever.
    let channel = match outcome {
        "unknown" => "other".to_owned(),
        _ => name,
    };
    metrics::counter!("recalld_channel_events_total", "channel" => channel, "outcome" => outcome)
        .increment(1);
    let answer = taken?.unwrap_or_else(|| json!({}));
    let json = HeaderValue::from_static("application/json");
    Ok(([(CONTENT_TYPE, json)], answer.to_string()).into_response())
}

/// As much of a name as a message shows.
fn shown(name: &str) -> String {
    name.chars().take(64).collect()
}
