//! What clients and models are told when memory fails. What the store says may name files: it goes
//! to the log alone.

use recalld_memory::space::SpaceError;
use rmcp::ErrorData;

/// The error of a request that memory could not answer.
pub(super) fn failed(error: &SpaceError) -> ErrorData {
    tracing::error!(%error, "storage failed");
    ErrorData::internal_error("memory cannot be reached now; try again later", None)
}

/// What the model reads when a tool could not reach memory.
pub(super) fn unavailable(error: &SpaceError) -> &'static str {
    tracing::error!(%error, "storage failed");
    match error {
        SpaceError::Contended | SpaceError::Stopping => {
            "Memory is busy, and nothing was changed. Try again later."
        }
        SpaceError::Store(_) => "Memory cannot be reached now. Go on without it, or try again later.",
    }
}
