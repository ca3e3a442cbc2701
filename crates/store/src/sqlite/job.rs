//! Work for a thread that owns a connection, and the way back of its answer.

use std::panic::{AssertUnwindSafe, catch_unwind};

use recalld_memory::ports::StoreError;
use rusqlite::Connection;
use tokio::sync::oneshot;

use super::error::SqlResult;

/// Something to do on a connection.
pub(super) type Job = Box<dyn FnOnce(&Connection) + Send>;

/// Wraps `work`, with the place where its answer will arrive. Nobody has to wait for it.
pub(super) fn job<T: Send + 'static>(
    work: impl FnOnce(&Connection) -> SqlResult<T> + Send + 'static,
) -> (Job, oneshot::Receiver<Result<T, StoreError>>) {
    let (reply, answer) = oneshot::channel();
    let job = Box::new(move |connection: &Connection| {
        if !reply.is_closed() {
            // Whoever asked may have left meanwhile.
            let _ = reply.send(work(connection).map_err(StoreError::from));
        }
    });
    (job, answer)
}

/// Waits for an answer. A thread that broke down or ended says so instead of leaving the caller
/// waiting.
pub(super) async fn answer<T>(answer: oneshot::Receiver<Result<T, StoreError>>) -> Result<T, StoreError> {
    answer.await.unwrap_or_else(|_| Err(stopped()))
}

/// Says that a thread of the store will not answer.
pub(super) fn stopped() -> StoreError {
    StoreError::Unavailable {
        reason: "the store failed while it handled the request".to_owned(),
    }
}

/// Runs `work` so that a panic in it ends neither the thread nor the store. Returns whether it did
/// not panic.
pub(super) fn catch_panic(work: impl FnOnce()) -> bool {
    let outcome = catch_unwind(AssertUnwindSafe(work));
    if outcome.is_err() {
        tracing::error!("a thread of the store panicked; the request that it handled fails");
    }
    outcome.is_ok()
}
