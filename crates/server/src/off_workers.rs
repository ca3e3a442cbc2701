//! Work that would hold up other requests, on threads of its own.
//!
//! The async workers are few. Whoever computes on one for long keeps every request that it serves
//! waiting, health checks too. Each sort of work has a bounded number of threads; what is over the
//! bound waits in the order in which it came.

use std::future::Future;

use tokio::runtime::Handle;
use tokio::sync::Semaphore;
use tokio::task::{JoinError, spawn_blocking};

/// How many computations of less than a second run at a time.
static SHORT: Semaphore = Semaphore::const_new(4);

/// How many imports and the like run at a time.
static LONG: Semaphore = Semaphore::const_new(4);

/// How many works run at a time that wait for their client to read.
static STREAMING: Semaphore = Semaphore::const_new(8);

/// Computes something that takes less than a second and does not wait.
pub(crate) async fn short<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let _turn = SHORT.acquire().await.expect("the semaphore is never closed");
    finished(spawn_blocking(work).await)
}

/// Runs a future that may compute for long between its waits.
pub(crate) async fn long<T: Send + 'static>(work: impl Future<Output = T> + Send + 'static) -> T {
    on_own_thread(&LONG, work).await
}

/// Runs a future that computes while its client reads. A client that reads slowly holds up others
/// of this sort alone.
pub(crate) async fn streaming<T: Send + 'static>(work: impl Future<Output = T> + Send + 'static) -> T {
    on_own_thread(&STREAMING, work).await
}

async fn on_own_thread<T: Send + 'static>(
    turns: &'static Semaphore,
    work: impl Future<Output = T> + Send + 'static,
) -> T {
    let _turn = turns.acquire().await.expect("the semaphore is never closed");
    let runtime = Handle::current();
    finished(spawn_blocking(move || runtime.block_on(work)).await)
}

/// Lets a panic of the work go on in the request, which answers it.
fn finished<T>(result: Result<T, JoinError>) -> T {
    match result {
        Ok(value) => value,
        Err(error) => std::panic::resume_unwind(error.into_panic()),
    }
}
