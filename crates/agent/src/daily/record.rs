//! Runs as they are stored and shown.

use jiff::Timestamp;
use recalld_memory::change::Effect;
use recalld_memory::ports::StoreError;
use recalld_memory::record::{Record, RecordKind};
use recalld_memory::scope::Scope;
use recalld_memory::wiring::Ports;
use serde_json::json;

/// One run for one user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The day it is for, such as `2026-03-01`, or the moment at which somebody asked for it.
    pub name: String,
    pub status: Status,
    pub started_at: Timestamp,
    pub finished_at: Option<Timestamp>,
    pub attempts: u32,
    pub interactions: usize,
    pub tool_calls: usize,
    pub tokens_in: u64,
    pub tokens_out: u64,
    pub error: Option<String>,
}

/// How a run stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It goes on, or was broken off.
    Running,
    Done,
    /// It reached its bound of tokens. The next run goes on from there.
    Partial,
    Failed,
}

impl Status {
    /// Gives the status' name.
    pub fn as_str(self) -> &'static str {
        match self {
            Status::Running => "running",
            Status::Done => "done",
            Status::Partial => "partial",
            Status::Failed => "failed",
        }
    }

    fn parse(raw: &str) -> Option<Status> {
        [Status::Running, Status::Done, Status::Partial, Status::Failed]
            .into_iter()
            .find(|status| status.as_str() == raw)
    }
}

impl Run {
    /// A run that begins at `now`.
    pub(super) fn begun(name: &str, now: Timestamp, attempts: u32) -> Run {
        Run {
            name: name.to_owned(),
            status: Status::Running,
            started_at: now,
            finished_at: None,
            attempts,
            interactions: 0,
            tool_calls: 0,
            tokens_in: 0,
            tokens_out: 0,
            error: None,
        }
    }

    /// Counts the tokens that it has spent.
    pub fn tokens(&self) -> u64 {
        self.tokens_in + self.tokens_out
    }

    fn of(record: &Record) -> Option<Run> {
        let value = &record.value;
        let time = |name: &str| value[name].as_str().and_then(|at| at.parse::<Timestamp>().ok());
        let count = |name: &str| value[name].as_u64().unwrap_or(0);
        Some(Run {
            name: record.name.clone(),
            status: Status::parse(value["status"].as_str()?)?,
            started_at: time("started_at")?,
            finished_at: time("finished_at"),
            attempts: count("attempts") as u32,
            interactions: count("interactions") as usize,
            tool_calls: count("tool_calls") as usize,
            tokens_in: count("tokens_in"),
            tokens_out: count("tokens_out"),
            error: value["error"].as_str().map(str::to_owned),
        })
    }
}

pub(super) async fn read(ports: &Ports, scope: &Scope, name: &str) -> Result<Option<Run>, StoreError> {
    let record = ports.store.record(scope.space(), RecordKind::Run, name).await?;
    Ok(record.as_ref().and_then(Run::of))
}

/// Lists the runs of the user, the latest first.
pub async fn runs(ports: &Ports, scope: &Scope, limit: usize) -> Result<Vec<Run>, StoreError> {
    let runs = all(ports, scope).await?;
    Ok(runs.into_iter().rev().take(limit).collect())
}

/// The name of the last run that was done.
pub(super) async fn last_done(ports: &Ports, scope: &Scope) -> Result<Option<String>, StoreError> {
    let runs = all(ports, scope).await?;
    let done = runs.into_iter().rev().find(|run| run.status == Status::Done);
    Ok(done.map(|run| run.name))
}

async fn all(ports: &Ports, scope: &Scope) -> Result<Vec<Run>, StoreError> {
    const PAGE: usize = 1_000;
    let (mut runs, mut after) = (Vec::new(), None::<String>);
    loop {
        let page = ports
            .store
            .records(scope.space(), RecordKind::Run, after.as_deref(), PAGE)
            .await?;
        runs.extend(page.iter().filter_map(Run::of));
        match page.last() {
            Some(last) if page.len() == PAGE => after = Some(last.name.clone()),
            _ => return Ok(runs),
        }
    }
}

/// Stores a run in its present state.
pub(super) fn stored(scope: &Scope, run: &Run) -> Effect {
    Effect::Record(Record {
        kind: RecordKind::Run,
        name: run.name.clone(),
        value: json!({
            "status": run.status.as_str(),
            "started_at": run.started_at.to_string(),
            "finished_at": run.finished_at.map(|at| at.to_string()),
            "attempts": run.attempts, "interactions": run.interactions, "tool_calls": run.tool_calls,
            "tokens_in": run.tokens_in, "tokens_out": run.tokens_out, "error": run.error,
        }),
        version: run.attempts,
        written_at: scope.now,
    })
}
