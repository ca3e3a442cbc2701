//! How many durable writes a second one, eight and sixty-four writers reach, each with a space of
//! its own.
//!
//! Run with `cargo bench -p recalld-store --bench group_commit`, on an idle machine or in the
//! real-time class.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use recalld_memory::change::{Act, Actor, Change, Effect, Revision, Stamp};
use recalld_memory::id::{MemoryId, SpaceId, UserId};
use recalld_memory::memory::{Category, Confidence, Content, Memory, Origin, Standing, Tier};
use recalld_memory::ports::Store;
use recalld_store::SqliteStore;
use tokio::task::JoinSet;
use uuid::Uuid;

const LENGTH: Duration = Duration::from_secs(2);

fn main() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    println!(
        "{:>8} {:>12} {:>10} {:>10} {:>10}",
        "writers", "applies/s", "p50 µs", "p99 µs", "ratio"
    );
    let mut single = None;
    for writers in [1, 8, 64] {
        let place = directory.path().join(writers.to_string());
        let mut waits = runtime.block_on(measure(&place, writers));
        waits.sort_unstable();
        let rate = waits.len() as f64 / LENGTH.as_secs_f64();
        let ratio = rate / *single.get_or_insert(rate);
        let share = |share: usize| waits[(waits.len() - 1) * share / 100].as_micros();
        println!(
            "{writers:>8} {rate:>12.0} {:>10} {:>10} {ratio:>10.1}",
            share(50),
            share(99)
        );
    }
    println!("fdatasync of 24 KiB: {:?} at the median", fsync(directory.path()));
}

async fn measure(place: &Path, writers: usize) -> Vec<Duration> {
    let store = Arc::new(SqliteStore::open(place).expect("a fresh store"));
    let end = Instant::now() + LENGTH;
    let mut running = JoinSet::new();
    for writer in 0..writers {
        let store = store.clone();
        running.spawn(async move {
            let space = SpaceId::of_user(&UserId::new(format!("writer {writer}")).expect("a valid id"));
            let (mut revision, mut waits) = (Revision(0), Vec::new());
            while Instant::now() < end {
                let begin = Instant::now();
                let applied = store.apply(&space, revision, &[change()]).await;
                revision = applied.expect("nobody else writes here");
                waits.push(begin.elapsed());
            }
            waits
        });
    }
    running.join_all().await.concat()
}

/// What one commit costs the disk at least.
fn fsync(directory: &Path) -> Duration {
    use std::io::Write;
    let mut file = std::fs::File::create(directory.join("probe")).expect("a file");
    let mut waits: Vec<_> = (0..300)
        .map(|_| {
            let begin = Instant::now();
            file.write_all(&[7; 24 * 1024]).expect("room on the disk");
            file.sync_data().expect("a working disk");
            begin.elapsed()
        })
        .collect();
    waits.sort_unstable();
    waits[waits.len() / 2]
}

fn change() -> Change {
    let now = Timestamp::now();
    let content = "prefers window seats on long flights and the aisle on short ones, and travels with one bag only, always";
    let memory = Memory {
        id: MemoryId::from_uuid(Uuid::now_v7()),
        key: None,
        content: Content::new(content).expect("valid content"),
        category: Category::unsorted(),
        tier: Tier::Durable,
        confidence: Confidence::CERTAIN,
        origin: Origin::User,
        trust: Origin::User,
        source: None,
        conversation: None,
        message: None,
        learned_at: now,
        revised_at: now,
        expires_at: None,
        standing: Standing::Active,
        in_document: true,
        amends: None,
        period: Default::default(),
        project: None,
        evidence: Vec::new(),
        version: 1,
    };
    let stamp = Stamp {
        at: now,
        actor: Actor::new("bench"),
        conversation: None,
        message: None,
        source: None,
    };
    let act = Act::Remember;
    Change {
        stamp,
        effect: Effect::Memory { act, memory },
    }
}
