//! How long it takes to bring a memory document within its cap, by how many facts it is over.
//!
//! Time per fact should hardly grow with their number: run with
//! `cargo bench -p recalld-memory --bench document_cap`.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use jiff::{SignedDuration, Timestamp};
use recalld_memory::document::Ledger;
use recalld_memory::id::MemoryId;
use recalld_memory::memory::{Category, Confidence, Content, Memory, NewMemory, Origin, Tier};
use uuid::Uuid;

const CAP: usize = 10_000;

fn fact(number: u64) -> Memory {
    let content = format!("Fact number {number}: the user prefers the train to the plane");
    Memory::new(NewMemory {
        id: MemoryId::from_uuid(Uuid::from_u128(u128::from(number))),
        key: None,
        content: Content::new(&content).expect("a short text is valid"),
        category: Category::unsorted(),
        tier: Tier::Durable,
        confidence: Confidence::CERTAIN,
        origin: Origin::User,
        trust: Origin::User,
        source: None,
        conversation: None,
        message: None,
        learned_at: Timestamp::UNIX_EPOCH + SignedDuration::from_secs(number as i64),
        expires_at: None,
        project: None,
        evidence: Vec::new(),
    })
}

fn ledger_of(facts: u64) -> Ledger {
    let mut ledger = Ledger::default();
    (0..facts).for_each(|number| ledger.put_fact(&fact(number)));
    ledger
}

fn evict(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("make_room");
    group.sample_size(10);
    for facts in [1_000, 10_000, 100_000] {
        let ledger = ledger_of(facts);
        group.throughput(Throughput::Elements(facts));
        group.bench_function(facts.to_string(), |bencher| {
            bencher.iter_batched(
                || ledger.clone(),
                |mut ledger| ledger.make_room(CAP),
                BatchSize::LargeInput,
            );
        });
    }
    group.finish();
}

criterion_group!(benches, evict);
criterion_main!(benches);
