//! What a client reads about an import.

use recalld_portability::archive::{self, Imported};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::State;

/// What became of the things of one kind.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
pub(crate) struct ImportedKind {
    kind: String,
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
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
pub(crate) struct FaultBody {
    /// Where it is in what was sent.
    place: String,
    reason: String,
}

/// What an import did, or would do.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
pub(crate) struct ImportReport {
    dry_run: bool,
    imported: Vec<ImportedKind>,
    faults: Vec<FaultBody>,
}

impl ImportReport {
    pub(crate) fn new(report: Imported, dry_run: bool) -> ImportReport {
        let kind = |(kind, tally): (&'static str, archive::Tally)| ImportedKind {
            kind: kind.to_owned(),
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
            faults: report.faults.into_iter().map(fault).collect(),
        }
    }
}

/// Whether an import is over, and how it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ImportState {
    Running,
    Finished,
    /// It stopped at an error. What was stored until then stays.
    Failed,
    /// The server stopped. What was stored until then stays; send the same again to import the
    /// rest.
    Interrupted,
}

/// Why an import failed.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
pub(crate) struct ImportProblem {
    code: String,
    detail: String,
}

/// How an import stands.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
pub(crate) struct ImportStatus {
    id: String,
    pub(crate) state: ImportState,
    dry_run: bool,
    /// How many memories, messages and other things there are; 0 until all of them were read.
    total: u64,
    /// Of how many it is decided what becomes of them.
    done: u64,
    /// How many of those were stored.
    stored: u64,
    /// How many were not acceptable.
    refused: u64,
    /// What the import did, when it is finished.
    report: Option<ImportReport>,
    /// Why it failed.
    problem: Option<ImportProblem>,
}

impl ImportStatus {
    pub(crate) fn new(id: &str, dry_run: bool, state: &State) -> ImportStatus {
        let progress = state.progress();
        let (word, report, problem) = match state {
            State::Running(_) => (ImportState::Running, None, None),
            State::Finished(_, report) => (ImportState::Finished, Some(ImportReport::clone(report)), None),
            State::Failed(_, error) => {
                let (_, code, detail, _) = error.told();
                let code = code.to_owned();
                (ImportState::Failed, None, Some(ImportProblem { code, detail }))
            }
        };
        ImportStatus {
            id: id.to_owned(),
            state: word,
            dry_run,
            total: progress.total,
            done: progress.done,
            stored: progress.added,
            refused: progress.refused,
            report,
            problem,
        }
    }
}
