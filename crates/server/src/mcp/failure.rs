//! What clients are told when memory fails. What the store says may name files: it goes
//! to the log alone.

use recalld_memory::space::SpaceError;
use rmcp::ErrorData;

/// The error of a request that memory could not answer.
pub(super) fn failed(error: &SpaceError) -> ErrorData {
    if matches!(error, SpaceError::OverQuota(_)) {
        return ErrorData::invalid_request(error.to_string(), None);
    }
    tracing::error!(%error, "storage failed");
    ErrorData::internal_error("memory cannot be reached now; try again later", None)
}

#[cfg(test)]
mod tests {
    use recalld_memory::quota::OverQuota;

    use super::*;

    #[test]
    fn a_client_is_told_that_the_memory_is_full() {
        let full = SpaceError::OverQuota(OverQuota::Memories { most: 2 });
        assert!(failed(&full).message.contains("as many memories as allowed"));
    }
}
