//! Computing off the asynchronous runtime, on a bounded number of threads.

use std::num::NonZeroUsize;
use std::sync::Arc;

use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

/// The threads that a model may use at once, over all calls.
#[derive(Clone, Debug)]
pub(crate) struct Threads {
    /// One permit for each thread that computes.
    permits: Arc<Semaphore>,
}

impl Threads {
    /// Allows `count` threads, or one for each core.
    pub(crate) fn new(count: Option<NonZeroUsize>) -> Threads {
        let count = count
            .or(std::thread::available_parallelism().ok())
            .map_or(1, NonZeroUsize::get);
        Threads {
            permits: Arc::new(Semaphore::new(count.min(Semaphore::MAX_PERMITS))),
        }
    }

    /// Runs `work` when a thread is free. Fails with the reason if it panics.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, String> {
        let permit = Arc::clone(&self.permits)
            .acquire_owned()
            .await
            .map_err(|error| error.to_string())?;
        let task = spawn_blocking(move || {
            let result = work();
            drop(permit);
            result
        });
        task.await.map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn work_that_panics_is_an_error_and_frees_its_thread() {
        let threads = Threads::new(NonZeroUsize::new(1));
        assert!(
            threads
                .run(|| -> u8 { panic!("on purpose") })
                .await
                .unwrap_err()
                .contains("panic")
        );
        assert_eq!(threads.run(|| 7).await, Ok(7));
    }
}
