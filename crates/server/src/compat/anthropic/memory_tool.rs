//! `POST /anthropic/v1/tools/memory`: one command of the memory tool. The body is the tool's input;
//! the answer has the content of the tool's result.

use axum::extract::State;
use recalld_agent::tools::MemoryFileArgs;
use recalld_memory::items::ItemError;
use recalld_memory::memory_files::{self, Outcome};
use recalld_memory::wiring::Ports;
use serde_json::{Value, json};

use super::super::json_body::{Fields, invalid};
use crate::auth::Caller;
use crate::error::ApiError;

/// Runs a command. What goes wrong with a file is an answer for the model.
pub(super) async fn run(
    State(ports): State<Ports>,
    caller: Caller,
    Fields(fields): Fields,
) -> Result<axum::Json<Value>, ApiError> {
    let args: MemoryFileArgs = serde_json::from_value(Value::Object(fields))
        .map_err(|error| invalid(format!("the command does not fit: {error}")))?;
    let command = args.command().map_err(invalid)?;
    let outcome = match memory_files::run(&ports, &caller.scope()?, command).await {
        Ok(outcome) => outcome,
        Err(ItemError::Space(error)) => return Err(error.into()),
        Err(error) => Outcome {
            content: format!("Not stored: {error}"),
            is_error: true,
        },
    };
    Ok(axum::Json(
        json!({ "content": outcome.content, "is_error": outcome.is_error }),
    ))
}
