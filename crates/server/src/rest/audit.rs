//! `/v1/audit`: the health of the user's memory.

use axum::extract::State;
use recalld_memory::wiring::Ports;
use recalld_portability::audit::{AuditError, Finding, Kind, audit as examine};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::auth::Caller;
use crate::error::ApiError;
use crate::extract::NoQuery;
use crate::wire;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(audit))
}

/// How many of each kind are shown.
const EXAMPLES_MAX: usize = 20;

/// What was found of one kind.
#[derive(Debug, Serialize, ToSchema)]
struct AuditFinding {
    /// secret, duplicate, near_duplicate, contradiction, low_trust, stale, never_recalled, expired
    /// or over_cap.
    kind: &'static str,
    count: usize,
    /// The first of them.
    examples: Vec<AuditExample>,
}

/// One memory to look at.
#[derive(Debug, Serialize, ToSchema)]
struct AuditExample {
    memory: wire::Memory,
    /// The one that it is like.
    #[serde(skip_serializing_if = "Option::is_none")]
    like: Option<wire::Memory>,
    /// A command that may be run after having looked.
    suggestion: String,
}

/// The health of a memory.
#[derive(Debug, Serialize, ToSchema)]
struct AuditReport {
    /// How many memories are shown.
    memories: usize,
    document_tokens_cl100k: usize,
    document_tokens_o200k: usize,
    document_tokens_max: usize,
    /// The day since which it is counted what is recalled; absent if nothing ever was.
    #[serde(skip_serializing_if = "Option::is_none")]
    recalls_since: Option<String>,
    /// How many of the memories were recalled since then.
    recalled: usize,
    findings: Vec<AuditFinding>,
}

/// Looks for memories that are double, contradicting, old, little trusted, secret or never asked
/// for, and changes nothing.
#[utoipa::path(get, path = "/v1/audit", tag = "memories", responses((status = 200, body = AuditReport)))]
async fn audit(
    State(ports): State<Ports>,
    caller: Caller,
    _: NoQuery,
) -> Result<axum::Json<AuditReport>, ApiError> {
    let found = examine(&ports, &caller.scope()?).await?;
    let example = |kind: Kind, finding: &Finding| AuditExample {
        memory: (&*finding.memory).into(),
        like: finding.other.as_ref().map(|other| (&**other).into()),
        suggestion: kind.suggestion(&finding.memory.id.to_string()),
    };
    let finding = |(kind, all): (&Kind, &Vec<Finding>)| AuditFinding {
        kind: kind.as_str(),
        count: all.len(),
        examples: all
            .iter()
            .take(EXAMPLES_MAX)
            .map(|finding| example(*kind, finding))
            .collect(),
    };
    Ok(axum::Json(AuditReport {
        memories: found.memories,
        document_tokens_cl100k: found.document_tokens.cl100k,
        document_tokens_o200k: found.document_tokens.o200k,
        document_tokens_max: found.document_tokens_max,
        recalls_since: found.recalls_since.map(|day| day.to_string()),
        recalled: found.recalled,
        findings: found.findings.iter().map(finding).collect(),
    }))
}

impl From<AuditError> for ApiError {
    fn from(error: AuditError) -> ApiError {
        match error {
            AuditError::Store(error) => error.into(),
            AuditError::Space(error) => error.into(),
        }
    }
}
