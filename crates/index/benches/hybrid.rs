//! How fast a hybrid search is at the sizes of real spaces: both arms, fusion and the best ten.
//!
//! Words follow Zipf's law and vectors are drawn around a few hundred subjects, as they are in what
//! people say.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use recalld_index::index::{Facets, Field, Index};
use recalld_index::model::EmbeddingModel;
use recalld_index::rank;
use recalld_index::rank::RankQuery;
use recalld_index::text::analyse_query;

mod draw;

use draw::Draw;

const WORDS_PER_ENTRY: usize = 20;
const WORDS_PER_QUERY: usize = 6;
const SUBJECTS: usize = 300;
/// The dimension of the built-in model, and that of a small sentence encoder.
const DIMENSIONS: [usize; 2] = [256, 384];

fn direction(draw: &mut Draw, dimension: usize) -> Vec<f32> {
    (0..dimension).map(|_| draw.unit() as f32 - 0.5).collect()
}

fn near(draw: &mut Draw, subjects: &[Vec<f32>]) -> Vec<f32> {
    let subject = &subjects[(draw.unit() * subjects.len() as f64) as usize];
    subject
        .iter()
        .map(|component| component + (draw.unit() as f32 - 0.5))
        .collect()
}

fn search(criterion: &mut Criterion) {
    for dimension in DIMENSIONS {
        for entries in [1_000, 10_000, 100_000] {
            let model = EmbeddingModel {
                name: "bench".to_owned(),
                dimension,
            };
            let mut draw = Draw(7);
            let subjects: Vec<Vec<f32>> = (0..SUBJECTS).map(|_| direction(&mut draw, dimension)).collect();
            let mut index = Index::default();
            index.use_model(Some(&model));
            for n in 0..entries {
                let (id, text) = (format!("m{n}"), draw.text(WORDS_PER_ENTRY));
                let facets = Facets {
                    time_ms: n as i64,
                    confidence: 1.0,
                    ..Facets::default()
                };
                index.put(&id, &[Field::main(&text)], facets);
                index.put_vector(&id, &model, &near(&mut draw, &subjects));
            }
            eprintln!("{entries} entries of {dimension}: {} bytes", index.bytes());
            let questions: Vec<(String, Vec<f32>)> = (0..200)
                .map(|_| (draw.text(WORDS_PER_QUERY), near(&mut draw, &subjects)))
                .collect();
            let mut next = questions.iter().cycle();
            criterion.bench_function(&format!("hybrid/{dimension}/{entries}"), |bencher| {
                bencher.iter(|| {
                    let (text, vector) = next.next().expect("a cycle has no end");
                    let asked = RankQuery {
                        terms: &analyse_query(text),
                        vector: Some(vector.as_slice().into()),
                        understanding: 1.0,
                        strength: 1.0,
                        likeness_min: 0.3,
                        ..RankQuery::default()
                    };
                    rank::rank(&index, &asked, &|_| true, black_box(10))
                });
            });
        }
    }
}

criterion_group!(benches, search);
criterion_main!(benches);
