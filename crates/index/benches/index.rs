//! How fast the lexical index answers and changes, at the sizes of real spaces.
//!
//! Words follow Zipf's law, as they do in what people say: some are in almost every entry, most in
//! few.

use std::hint::black_box;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use recalld_index::index::{Facets, Field, Index};
use recalld_index::text::analyse;

mod draw;

use draw::Draw;

const WORDS_PER_ENTRY: usize = 20;

fn index_of(entries: usize) -> Index {
    let mut draw = Draw(7);
    let mut index = Index::default();
    for n in 0..entries {
        let facets = Facets {
            time_ms: n as i64,
            ..Facets::default()
        };
        index.put(
            &format!("m{n}"),
            &[Field::main(&draw.text(WORDS_PER_ENTRY))],
            facets,
        );
    }
    index
}

fn search(criterion: &mut Criterion) {
    let mut draw = Draw(11);
    let queries: Vec<String> = (0..200).map(|_| draw.text(6)).collect();
    for entries in [100, 1_000, 10_000, 100_000] {
        let index = index_of(entries);
        eprintln!("{entries} entries: {} bytes", index.bytes());
        let mut next = queries.iter().cycle();
        criterion.bench_function(&format!("search/{entries}"), |bencher| {
            bencher.iter(|| index.search(next.next().expect("a cycle has no end"), &|_| true, black_box(10)));
        });
    }
}

fn change(criterion: &mut Criterion) {
    let mut draw = Draw(13);
    let texts: Vec<String> = (0..1_000).map(|_| draw.text(WORDS_PER_ENTRY)).collect();
    let mut index = index_of(10_000);
    let mut n = 0;
    criterion.bench_function("put/new", |bencher| {
        bencher.iter(|| {
            n += 1;
            index.put(
                &format!("n{n}"),
                &[Field::main(&texts[n % texts.len()])],
                Facets::default(),
            )
        });
    });
    let mut index = index_of(10_000);
    criterion.bench_function("put/replace", |bencher| {
        bencher.iter(|| {
            n += 1;
            index.put(
                &format!("m{}", n % 10_000),
                &[Field::main(&texts[n % texts.len()])],
                Facets::default(),
            )
        });
    });
    criterion.bench_function("load/10000", |bencher| {
        bencher.iter_batched(|| (), |()| index_of(black_box(10_000)), BatchSize::PerIteration);
    });
}

fn analysis(criterion: &mut Criterion) {
    let english = "Flying from Lisbon to Berlin on March 1st, 2026 at 9:40; Ana's e-mail is ana@example.com and she runs node.js.";
    let chinese = "我喜欢在早上喝一杯咖啡，然后去公园散步，最后回家读书。";
    for (name, text) in [("english", english), ("chinese", chinese)] {
        criterion.bench_function(&format!("analyse/{name}"), |bencher| {
            bencher.iter(|| analyse(black_box(text)))
        });
    }
}

criterion_group!(benches, search, change, analysis);
criterion_main!(benches);
