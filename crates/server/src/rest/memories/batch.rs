//! `POST /v1/memories/batch`: many statements in one transaction.

use axum::extract::State;
use recalld_memory::remember::{Likeness, RememberError, Remembered, Statement};
use recalld_memory::remember_many::{AT_ONCE_MAX, remember_many};
use recalld_memory::wiring::Ports;
use recalld_wire as wire;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::key_taken;
use crate::auth::Caller;
use crate::error::{ApiError, Code};
use crate::extract::Json;

/// Statements to remember.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct MemoryBatch {
    #[schema(min_items = 1, max_items = 1000)]
    memories: Vec<wire::NewMemory>,
}

/// What became of each statement.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct BatchWritten {
    /// In the order of the request, one for each.
    results: Vec<BatchLine>,
    stored: usize,
    duplicates: usize,
    refused: usize,
}

/// What became of one statement.
#[derive(Debug, Serialize, ToSchema)]
struct BatchLine {
    /// `stored`, `duplicate` when it was known already, or `refused`.
    outcome: &'static str,
    /// The memory that was stored or known; none if the statement was refused.
    memory: Option<wire::Memory>,
    /// Whether it became a daily note because its confidence was too low to be durable.
    demoted: bool,
    /// Why it was refused.
    error: Option<LineError>,
}

/// Why one statement was refused.
#[derive(Debug, Serialize, ToSchema)]
struct LineError {
    /// The stable word for a program, such as `secret_refused`.
    code: &'static str,
    detail: String,
    /// The field that is wrong, as a JSON pointer into the statement.
    pointer: Option<String>,
}

/// Remembers up to 1,000 statements in one transaction. A statement that cannot be stored is
/// refused alone; the answer has one line for each, in their order.
#[utoipa::path(post, path = "/v1/memories/batch", tag = "memories", request_body = MemoryBatch,
    params(("Idempotency-Key" = Option<String>, Header, description = "Carry the request out once, however often it is sent")),
    responses((status = 200, body = BatchWritten, description = "What became of each statement")))]
pub(super) async fn batch(
    State(ports): State<Ports>,
    caller: Caller,
    Json(batch): Json<MemoryBatch>,
) -> Result<axum::Json<BatchWritten>, ApiError> {
    let given = batch.memories.len();
    if !(1..=AT_ONCE_MAX).contains(&given) {
        let detail = format!("{given} memories; a batch has 1 to {AT_ONCE_MAX}");
        return Err(ApiError::new(Code::InvalidRequest, detail).at("/memories", "wrong number of memories"));
    }
    let scope = caller.scope()?;
    let read: Vec<Result<Statement, wire::FieldError>> = batch
        .memories
        .into_iter()
        .map(wire::NewMemory::statement)
        .collect();
    for statement in read.iter().flatten() {
        caller.require_reach(statement.reach.named())?;
    }
    let valid = read.iter().filter_map(|one| one.as_ref().ok().cloned()).collect();
    let mut became = remember_many(&ports, &scope, valid).await?.into_iter();
    let line = |one: Result<Statement, wire::FieldError>| match one {
        Err(error) => refused("invalid_request", error.reason, Some(error.pointer)),
        Ok(_) => match became.next() {
            Some(Ok(remembered)) => kept(remembered, scope.now),
            Some(Err(error)) => refused_by_engine(&error),
            None => refused("internal", "it was not decided".to_owned(), None),
        },
    };
    let results: Vec<BatchLine> = read.into_iter().map(line).collect();
    let count = |outcome: &str| results.iter().filter(|line| line.outcome == outcome).count();
    Ok(axum::Json(BatchWritten {
        stored: count("stored"),
        duplicates: count("duplicate"),
        refused: count("refused"),
        results,
    }))
}

fn kept(remembered: Remembered, now: jiff::Timestamp) -> BatchLine {
    let (outcome, memory, demoted) = match remembered {
        Remembered::Stored { memory, demoted, .. } => ("stored", memory, demoted),
        Remembered::Duplicate {
            of,
            likeness: Likeness::SameStatement,
        } => ("duplicate", of, false),
        Remembered::Duplicate {
            of,
            likeness: Likeness::SameKey,
        } => {
            let (_, code, detail, _) = key_taken(&of).told();
            return refused(code, detail, Some("/key".to_owned()));
        }
    };
    BatchLine {
        outcome,
        memory: Some(wire::Memory::at(memory, now)),
        demoted,
        error: None,
    }
}

fn refused_by_engine(error: &RememberError) -> BatchLine {
    let code = match error {
        RememberError::Secret(_) => "secret_refused",
        RememberError::Space(_) => "internal",
    };
    refused(code, error.to_string(), None)
}

fn refused(code: &'static str, detail: String, pointer: Option<String>) -> BatchLine {
    BatchLine {
        outcome: "refused",
        memory: None,
        demoted: false,
        error: Some(LineError {
            code,
            detail,
            pointer,
        }),
    }
}
