//! Long computations, apart from the threads that serve requests.
//!
//! Loading a large space or ranking its memories takes long enough that everybody else would wait
//! for it. It runs where the runtime can replace the thread, a bounded number at a time, and one
//! for each space, so that nobody's queue takes all of them. What is small runs where it is: most
//! searches take less time than the way to another thread.

use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::sync::Semaphore;

/// So many rows that change at once are folded apart: each takes some tenths of a millisecond.
pub(super) const ROWS_CHANGED_MIN: usize = 200;

/// An index of so many entries is ranked apart.
pub(super) const ENTRIES_RANKED_MIN: usize = 20_000;

/// How many long computations run at the same time.
#[derive(Debug)]
pub(super) struct HeavyWork(Semaphore);

/// The place of one space: it has one long computation at a time.
#[derive(Debug)]
pub(super) struct HeavyTurn(Semaphore);

impl Default for HeavyWork {
    fn default() -> HeavyWork {
        let threads = std::thread::available_parallelism().map_or(2, usize::from);
        HeavyWork(Semaphore::new(threads.max(2)))
    }
}

impl Default for HeavyTurn {
    fn default() -> HeavyTurn {
        HeavyTurn(Semaphore::new(1))
    }
}

impl HeavyWork {
    /// Runs `work`, apart if it is long.
    pub(super) async fn run<T>(&self, turn: &HeavyTurn, is_long: bool, work: impl FnOnce() -> T) -> T {
        if !is_long {
            return work();
        }
        // First among those of the same space, so that only one of them waits among all.
        let _own = turn.0.acquire().await;
        let _any = self.0.acquire().await;
        apart(work)
    }
}

/// Runs `work` on this thread while the runtime serves others on a new one. A runtime with one
/// thread has no others to serve.
pub(crate) fn apart<T>(work: impl FnOnce() -> T) -> T {
    match Handle::try_current().map(|runtime| runtime.runtime_flavor()) {
        Ok(RuntimeFlavor::MultiThread) => tokio::task::block_in_place(work),
        _ => work(),
    }
}
