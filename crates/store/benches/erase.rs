//! How long the erasure of one memory takes, in databases of several sizes: the first one since the
//! store was opened, which examines every page, and later ones.
//!
//! Run with `cargo bench -p recalld-store --bench erase`.

use std::time::{Duration, Instant};

use recalld_store::SqliteStore;
use recalld_testing::memory_changes::{apply, erase, remember, space};

/// How many memories are erased after the first.
const ERASURES: u128 = 200;

fn main() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    println!(
        "{:>10} {:>8} {:>12} {:>12} {:>12} {:>12}",
        "memories", "MB", "first ms", "p50 ms", "p99 ms", "write p50 ms"
    );
    for memories in [1_000, 10_000, 100_000] {
        runtime.block_on(measure(memories));
    }
}

async fn measure(memories: u128) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let ana = space("ana");
    let content = "likes tea in the afternoon ".repeat(20);
    let store = SqliteStore::open(directory.path()).expect("a fresh store");
    for first in (0..memories).step_by(1000) {
        let changes: Vec<_> = (first..first + 1000)
            .map(|number| remember(number, &content))
            .collect();
        apply(&store, &ana, &changes).await;
    }
    drop(store);
    let store = SqliteStore::open(directory.path()).expect("the store again");
    let path = store.path().expect("a file");
    let bytes = path.metadata().expect("a database").len();
    let first = timed(&store, &[erase(0)]).await;
    let (mut erasures, mut writes) = (Vec::new(), Vec::new());
    for number in 1..=ERASURES {
        writes.push(timed(&store, &[remember(memories + number, &content)]).await);
        erasures.push(timed(&store, &[erase(number * memories / (2 * ERASURES))]).await);
    }
    erasures.sort_unstable();
    writes.sort_unstable();
    let share = |times: &[Duration], share: usize| ms(times[(times.len() - 1) * share / 100]);
    println!(
        "{memories:>10} {:>8} {:>12.1} {:>12.1} {:>12.1} {:>12.1}",
        bytes >> 20,
        ms(first),
        share(&erasures, 50),
        share(&erasures, 99),
        share(&writes, 50)
    );
}

async fn timed(store: &SqliteStore, changes: &[recalld_memory::change::Change]) -> Duration {
    let begin = Instant::now();
    apply(store, &space("ana"), changes).await;
    begin.elapsed()
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
