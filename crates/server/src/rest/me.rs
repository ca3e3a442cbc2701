//! `/v1/me`: the user as a whole, which can be erased.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use recalld_portability::erase::{self, EraseError};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouterExt};
use utoipa_axum::routes;

use crate::app::App;
use crate::auth::Caller;
use crate::error::{ApiError, Code};
use crate::extract::Query;
use crate::middleware::RouteLayers;

pub(super) fn router(layers: &RouteLayers) -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(remove).layer(layers.caller().with_query()))
}

/// Whether it is only looked at.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct RemoveParams {
    /// Tell what would be removed, and remove nothing.
    #[serde(default)]
    dry_run: bool,
}

/// How many rows of a kind there were.
#[derive(Debug, Serialize, ToSchema)]
struct ErasedKind {
    kind: String,
    rows: u64,
}

/// What was removed, or would be.
#[derive(Debug, Serialize, ToSchema)]
struct ReceiptBody {
    /// A keyed hash of the user; absent when nothing was removed yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    subject: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    erased_at: Option<String>,
    erased: Vec<ErasedKind>,
    /// Shows that this deployment made the receipt; `recalld erase --verify` checks it.
    #[serde(skip_serializing_if = "Option::is_none")]
    seal: Option<String>,
}

/// Removes everything the user has, for good, and answers with a receipt, the only thing that is
/// kept. The user's own keys go too.
#[utoipa::path(delete, path = "/v1/me", tag = "me", params(RemoveParams),
    responses((status = 200, body = ReceiptBody)))]
async fn remove(
    State(app): State<App>,
    caller: Caller,
    Query(params): Query<RemoveParams>,
) -> Result<Response, ApiError> {
    let scope = caller.scope()?;
    let eraser = app.eraser.as_ref().ok_or_else(|| {
        ApiError::new(
            Code::NotFound,
            "this server has no place to keep what is left of erased users",
        )
    })?;
    if params.dry_run {
        let rows = erase::preview(eraser, &scope).await?;
        let erased = rows
            .into_iter()
            .map(|(kind, rows)| ErasedKind {
                kind: kind.to_owned(),
                rows,
            })
            .collect();
        let body = ReceiptBody {
            subject: None,
            erased_at: None,
            erased,
            seal: None,
        };
        return Ok(axum::Json(body).into_response());
    }
    let receipt = erase::erase(&app.ports, eraser, &scope).await?;
    // The user's own keys are gone: the cache must not accept them any longer.
    app.authenticator.forget_keys();
    let kind = |kind: erase::ErasedKind| ErasedKind {
        kind: kind.kind,
        rows: kind.rows,
    };
    let body = ReceiptBody {
        subject: Some(receipt.subject),
        erased_at: Some(receipt.erased_at.to_string()),
        erased: receipt.erased.into_iter().map(kind).collect(),
        seal: Some(receipt.seal),
    };
    Ok(axum::Json(body).into_response())
}

impl From<EraseError> for ApiError {
    fn from(error: EraseError) -> ApiError {
        match error {
            EraseError::Store(error) => error.into(),
            EraseError::Tombstone(error) => {
                // What it says names files: it goes to the log, not to the client.
                tracing::error!(%error, "a user could not be erased");
                ApiError::new(Code::StorageUnavailable, "nothing was erased").retry_after(5)
            }
        }
    }
}
