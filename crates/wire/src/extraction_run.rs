//! Runs of the daily extraction.

use recalld_agent::daily;
use serde::Serialize;
use utoipa::ToSchema;

use crate::text::TimeText;

/// One run of the daily extraction.
#[derive(Debug, Serialize, ToSchema)]
pub struct ExtractionRun {
    /// The day it was for, or the moment at which somebody started it.
    pub name: String,
    /// `running`, `done` or `failed`.
    pub status: &'static str,
    /// When it started.
    #[schema(value_type = String)]
    pub started_at: TimeText,
    /// When it finished.
    #[schema(value_type = Option<String>)]
    pub finished_at: Option<TimeText>,
    /// How often it was started.
    pub attempts: u32,
    /// How many interactions it read.
    pub interactions: usize,
    /// How many tools the model called.
    pub tool_calls: usize,
    /// How many tokens the model read.
    pub tokens_in: u64,
    /// How many tokens the model wrote.
    pub tokens_out: u64,
    /// Why it failed.
    pub error: Option<String>,
}

impl From<daily::Run> for ExtractionRun {
    fn from(run: daily::Run) -> ExtractionRun {
        ExtractionRun {
            name: run.name,
            status: run.status.as_str(),
            started_at: TimeText(run.started_at),
            finished_at: run.finished_at.map(TimeText),
            attempts: run.attempts,
            interactions: run.interactions,
            tool_calls: run.tool_calls,
            tokens_in: run.tokens_in,
            tokens_out: run.tokens_out,
            error: run.error,
        }
    }
}

/// Some runs, the latest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct ExtractionRunList {
    /// The runs.
    pub runs: Vec<ExtractionRun>,
}

impl From<Vec<daily::Run>> for ExtractionRunList {
    fn from(runs: Vec<daily::Run>) -> ExtractionRunList {
        ExtractionRunList {
            runs: runs.into_iter().map(ExtractionRun::from).collect(),
        }
    }
}
