//! `/v1/import`: an archive, or what another product exports, taken into the user's space.

use std::io::Cursor;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, header};
use recalld_portability::archive::{self, ArchiveError, ImportError, Imported, Limits, Mode};
use recalld_portability::import::{Format, OpenError, open};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::auth::Caller;
use crate::error::{ApiError, Code};
use crate::extract::{Query, read_body};

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(take_in))
}

/// The most bytes that an archive may unpack to here.
const UNPACKED_BYTES_MAX: u64 = 512 << 20;

/// How many faults are told.
const FAULTS_MAX: usize = 100;

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ImportParams {
    /// Where it came from, when that cannot be seen: mem0, mcp-memory, chatgpt, claude, langgraph,
    /// csv or text.
    from: Option<String>,
    /// Tell what would be done, and do nothing.
    #[serde(default)]
    dry_run: bool,
}

/// What became of the things of one kind.
#[derive(Debug, Serialize, ToSchema)]
struct ImportedKind {
    kind: &'static str,
    /// New here, or newer than what was here.
    added: u64,
    /// Here already.
    known: u64,
    /// Other than what is here, which stays.
    kept: u64,
    /// Of those that are kept, how many are hidden here: `POST /v1/memories/{id}/restore` shows one
    /// again.
    hidden: u64,
    /// Not acceptable.
    refused: u64,
}

/// Something that was left out.
#[derive(Debug, Serialize, ToSchema)]
struct FaultBody {
    /// Where in what was sent it stands.
    place: String,
    reason: String,
}

/// What an import did, or would do.
#[derive(Debug, Serialize, ToSchema)]
struct ImportReport {
    dry_run: bool,
    imported: Vec<ImportedKind>,
    faults: Vec<FaultBody>,
}

impl ImportReport {
    fn new(report: Imported, dry_run: bool) -> ImportReport {
        let kind = |(kind, tally): (&'static str, archive::Tally)| ImportedKind {
            kind,
            added: tally.added,
            known: tally.known,
            kept: tally.kept,
            hidden: tally.hidden,
            refused: tally.refused,
        };
        let fault = |fault: archive::Fault| FaultBody {
            place: fault.place,
            reason: fault.reason,
        };
        ImportReport {
            dry_run,
            imported: report.kinds.into_iter().map(kind).collect(),
            faults: report.faults.into_iter().take(FAULTS_MAX).map(fault).collect(),
        }
    }
}

/// Takes in an archive of `GET /v1/export`, or what another product exports: its archive, JSON, CSV
/// or plain text. What is here stays, what is new comes in, what cannot be taken is told; the same
/// again changes nothing.
#[utoipa::path(post, path = "/v1/import", tag = "me", params(ImportParams),
    request_body(content((Vec<u8> = "application/zip"), (serde_json::Value = "application/json"), (String = "text/csv"), (String = "text/plain"))),
    responses((status = 200, body = ImportReport)))]
async fn take_in(
    State(app): State<App>,
    caller: Caller,
    Query(params): Query<ImportParams>,
    request: Request,
) -> Result<axum::Json<ImportReport>, ApiError> {
    let scope = caller.scope()?;
    let from = params.from.as_deref().map(format).transpose()?;
    let (parts, body) = request.into_parts();
    let name = name(&parts.headers);
    let bytes = read_body(&parts.extensions, body, &app).await?;
    let mode = match params.dry_run {
        true => Mode::DryRun,
        false => Mode::Write,
    };
    let limits = Limits {
        bytes_max: UNPACKED_BYTES_MAX,
        faults_max: FAULTS_MAX,
    };
    let now = scope.now;
    let signer = app.eraser.as_ref().and_then(archive::signer);
    let signer = signer.map(|signer| signer.limited_to(scope.user()));
    let read = tokio::task::spawn_blocking(move || {
        open(Cursor::new(bytes), name, from, now, &limits, signer.as_ref())
    })
    .await;
    let contents = read.map_err(|_| ApiError::new(Code::Internal, "the archive could not be read"))??;
    let report = archive::import(&app.ports, &scope, contents, mode, &mut |_, _| {}).await?;
    Ok(axum::Json(ImportReport::new(report, params.dry_run)))
}

/// Reads the name of a format.
fn format(raw: &str) -> Result<Format, ApiError> {
    Format::parse(raw).ok_or_else(|| {
        let known: Vec<&str> = Format::ALL.iter().map(|format| format.as_str()).collect();
        let detail = format!("from is none of {}", known.join(", "));
        ApiError::new(Code::InvalidRequest, detail)
    })
}

/// A body has no name; its type tells what a name would.
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
            OpenError::Archive(ArchiveError::TooLong { .. }) => {
                return ApiError::new(Code::BodyTooLarge, error.to_string());
            }
            OpenError::Unknown { .. } => "say what it is with ?from=",
            OpenError::Unlike(_) | OpenError::NotText { .. } => "nothing was changed",
            OpenError::Read(_) | OpenError::Archive(_) | OpenError::Foreign => {
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
        }
    }
}
