//! How long the rules take for a message of about 200 characters, by language. The bar is 50 µs.
//!
//! Run with `cargo bench -p recalld-agent --bench rules`.

use criterion::{Criterion, criterion_group, criterion_main};
use jiff::Timestamp;
use recalld_agent::extract::{Case, find};

const HALVES: [(&str, &str); 7] = [
    ("en", include_str!("../languages/en/closed.jsonl")),
    ("zh", include_str!("../languages/zh/closed.jsonl")),
    ("de", include_str!("../languages/de/closed.jsonl")),
    ("fr", include_str!("../languages/fr/closed.jsonl")),
    ("es", include_str!("../languages/es/closed.jsonl")),
    ("pt", include_str!("../languages/pt/closed.jsonl")),
    ("ja", include_str!("../languages/ja/closed.jsonl")),
];

/// How many characters a message has at least.
const CHARS_MIN: usize = 180;

/// Joins labelled messages to longer ones, as people write them.
fn messages(half: &str) -> Vec<String> {
    let mut messages = Vec::new();
    let mut message = String::new();
    for line in half.lines() {
        let case: Case = serde_json::from_str(line).expect("a labelled message");
        message.push_str(&case.text);
        if CHARS_MIN <= message.chars().count() {
            messages.push(std::mem::take(&mut message));
        } else {
            message.push_str(". ");
        }
    }
    messages
}

fn rules(criterion: &mut Criterion) {
    let said_at: Timestamp = "2026-11-12T09:00:00Z".parse().expect("a fixed time");
    let mut group = criterion.benchmark_group("rules");
    for (language, half) in HALVES {
        let messages = messages(half);
        let mut next = messages.iter().cycle();
        group.bench_function(language, |bencher| {
            bencher.iter(|| find(next.next().map_or("", String::as_str), said_at));
        });
    }
    group.finish();
}

criterion_group!(benches, rules);
criterion_main!(benches);
