//! `/v1/import`: an archive, or what another product exports, imported into the user's space.

mod spool;

use std::fs::File;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use recalld_memory::scope::Scope;
use recalld_portability::archive::{self, ArchiveError, ImportError, Limits, Mode};
use recalld_portability::import::{Format, OpenError, open};
use serde::Deserialize;
use tokio::time::Instant;
use utoipa::IntoParams;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouterExt};
use utoipa_axum::routes;

use crate::app::App;
use crate::auth::Caller;
use crate::error::{ApiError, Code};
use crate::extract::{Path, Query};
use crate::import_jobs::{Follow, ImportJob, ImportReport, ImportStatus, State as JobState};
use crate::middleware::RouteLayers;

pub(super) fn router(layers: &RouteLayers) -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(import).layer(layers.caller().with_query().with_streamed_body()))
        .routes(routes!(status).layer(layers.caller()))
}

/// How much of what is sent is read.
const LIMITS: Limits = Limits {
    bytes_max: 512 << 20,
    rows_max: 500_000,
    faults_max: 100,
};

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ImportParams {
    /// What it is, when that cannot be recognised: mem0, mcp-memory, chatgpt, claude, langgraph,
    /// csv or text.
    from: Option<String>,
    /// Report what would be done, and do nothing.
    #[serde(default)]
    dry_run: bool,
}

/// Imports an archive of `GET /v1/export`, or what another product exports: its archive, JSON, CSV
/// or plain text. What is here stays, what is new is added, what is not acceptable is listed; the
/// same again changes nothing. A long import is answered 202 and goes on: `GET /v1/import/{id}`
/// shows how far it is.
#[utoipa::path(post, path = "/v1/import", tag = "me", params(ImportParams),
    request_body(content((Vec<u8> = "application/zip"), (serde_json::Value = "application/json"), (String = "text/csv"), (String = "text/plain"))),
    responses((status = 200, body = ImportReport), (status = 202, body = ImportStatus)))]
async fn import(
    State(app): State<App>,
    caller: Caller,
    Query(params): Query<ImportParams>,
    request: Request,
) -> Result<Response, ApiError> {
    let answer_by = Instant::now() + app.limits.import_wait.min(app.limits.request_timeout * 3 / 4);
    let scope = caller.scope()?;
    let from = params.from.as_deref().map(format).transpose()?;
    let (parts, body) = request.into_parts();
    let sent = Sent {
        name: name(&parts.headers),
        from,
        dry_run: params.dry_run,
    };
    let turn = app.imports.turn(scope.space())?;
    let file = spool::spool(body, app.limits.document_body_bytes_max).await?;
    let slot = app.imports.slot()?;
    let job = app
        .imports
        .begin(&turn, Arc::clone(&app.ports.clock), params.dry_run);
    let (running, work_app) = (Arc::clone(&job), app.clone());
    tokio::spawn(async move {
        let _held = (turn, slot);
        let outcome = run(&work_app, &scope, file, sent, &running).await;
        running.end(&work_app.ports, &scope, outcome).await;
    });
    match tokio::time::timeout_at(answer_by, job.over()).await {
        Ok(JobState::Finished(_, report)) => Ok(axum::Json(ImportReport::clone(&report)).into_response()),
        Ok(JobState::Failed(_, error)) => Err(error),
        Ok(JobState::Running(_)) | Err(_) => {
            job.detach();
            let location = [(header::LOCATION, format!("/v1/import/{}", job.id))];
            Ok((StatusCode::ACCEPTED, location, axum::Json(job.status())).into_response())
        }
    }
}

/// Shows how far an import is, or what became of it.
#[utoipa::path(get, path = "/v1/import/{id}", tag = "me", params(("id" = String, Path)),
    responses((status = 200, body = ImportStatus)))]
async fn status(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<axum::Json<ImportStatus>, ApiError> {
    let scope = caller.scope()?;
    let found = app.imports.find(&app.ports, &scope, &id).await?;
    found.map(axum::Json).ok_or_else(|| ApiError::not_found("import"))
}

/// What is known about what was sent.
struct Sent {
    name: &'static str,
    from: Option<Format>,
    dry_run: bool,
}

/// Reads what was sent and imports it.
async fn run(
    app: &App,
    scope: &Scope,
    file: File,
    sent: Sent,
    job: &Arc<ImportJob>,
) -> Result<ImportReport, ApiError> {
    let signer = app.eraser.as_ref().and_then(archive::signer);
    let signer = signer.map(|signer| signer.limited_to(scope.user()));
    let now = scope.now;
    let (name, from) = (sent.name, sent.from);
    let read =
        tokio::task::spawn_blocking(move || open(file, name, from, now, &LIMITS, signer.as_ref())).await;
    let staged = read.map_err(|_| ApiError::new(Code::Internal, "the import could not be read"))??;
    let mode = match sent.dry_run {
        true => Mode::DryRun,
        false => Mode::Write,
    };
    let follow = Arc::new(Follow(Arc::clone(job)));
    let report = archive::import(&app.ports, scope, staged, mode, follow).await?;
    Ok(ImportReport::new(report, sent.dry_run))
}

/// Reads the name of a format.
fn format(raw: &str) -> Result<Format, ApiError> {
    Format::parse(raw).ok_or_else(|| {
        let known: Vec<&str> = Format::ALL.iter().map(|format| format.as_str()).collect();
        let detail = format!("from is {raw:?}, which is none of {}", known.join(", "));
        ApiError::new(Code::InvalidRequest, detail)
    })
}

/// A body has no name; its type shows what a name would.
fn name(headers: &HeaderMap) -> &'static str {
    let kind = headers
        .get(header::CONTENT_TYPE)
        .and_then(|kind| kind.to_str().ok());
    match kind.and_then(|kind| kind.split(';').next()).map(str::trim) {
        Some("text/csv") => "body.csv",
        Some("text/plain" | "text/markdown") => "body.txt",
        _ => "body",
    }
}

impl From<OpenError> for ApiError {
    fn from(error: OpenError) -> ApiError {
        let hint = match &error {
            OpenError::Archive(ArchiveError::Staging(error)) | OpenError::Read(error) => {
                return spool::failed(error);
            }
            OpenError::Archive(
                ArchiveError::TooLong { .. }
                | ArchiveError::TooManyRows { .. }
                | ArchiveError::TooManyEntries { .. }
                | ArchiveError::Bomb { .. },
            ) => {
                return ApiError::new(Code::BodyTooLarge, error.to_string())
                    .hint("nothing was changed; split it and send the parts");
            }
            OpenError::Unknown { .. } => "say what it is with ?from=",
            OpenError::Unlike(_) | OpenError::NotText { .. } => "nothing was changed",
            OpenError::Archive(_) | OpenError::Foreign => {
                "send an archive as GET /v1/export gives it, or say what it is with ?from="
            }
        };
        ApiError::new(Code::InvalidRequest, error.to_string()).hint(hint)
    }
}

impl From<ImportError> for ApiError {
    fn from(error: ImportError) -> ApiError {
        match error {
            ImportError::Store(error) => error.into(),
            ImportError::Space(error) => error.into(),
            ImportError::Erased => ApiError::new(Code::Stale, error.to_string()),
            ImportError::Staging(error) => {
                tracing::warn!(%error, "the temporary file of an import cannot be read");
                ApiError::new(
                    Code::StorageUnavailable,
                    "the temporary file of the import cannot be read",
                )
            }
        }
    }
}
