//! How fast a hybrid search is at the sizes of real spaces: both arms, fusion and the best ten.
//!
//! Words follow Zipf's law and vectors are drawn around a few hundred subjects, as they are in what people say.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use recalld_memory::index::{Facets, Field, Index};
use recalld_memory::ports::EmbeddingModel;
use recalld_memory::recall::{Asked, rank};

const WORDS_PER_ENTRY: usize = 20;
const WORDS_PER_QUERY: usize = 6;
const VOCABULARY: f64 = 30_000.0;
const SUBJECTS: usize = 300;
/// The dimension of the built-in model, and that of a small sentence encoder.
const DIMENSIONS: [usize; 2] = [256, 384];

/// A small generator, so that every run sees the same entries.
struct Draw(u64);

impl Draw {
    fn unit(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn word(&mut self) -> String {
        let rank = VOCABULARY.powf(self.unit()) as usize;
        let syllables = ["ka", "lo", "mi", "ne", "pu", "ra", "so", "ti", "ve", "zu"];
        rank.to_string()
            .bytes()
            .map(|digit| syllables[usize::from(digit - b'0')])
            .collect()
    }

    fn text(&mut self, words: usize) -> String {
        (0..words).map(|_| self.word()).collect::<Vec<_>>().join(" ")
    }

    fn direction(&mut self, dimension: usize) -> Vec<f32> {
        (0..dimension).map(|_| self.unit() as f32 - 0.5).collect()
    }

    fn near(&mut self, subjects: &[Vec<f32>]) -> Vec<f32> {
        let subject = &subjects[(self.unit() * subjects.len() as f64) as usize];
        subject
            .iter()
            .map(|component| component + (self.unit() as f32 - 0.5))
            .collect()
    }
}

fn search(criterion: &mut Criterion) {
    for dimension in DIMENSIONS {
        for entries in [1_000, 10_000, 100_000] {
            let model = EmbeddingModel {
                name: "bench".to_owned(),
                dimension,
            };
            let mut draw = Draw(7);
            let subjects: Vec<Vec<f32>> = (0..SUBJECTS).map(|_| draw.direction(dimension)).collect();
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
                index.put_vector(&id, &model, &draw.near(&subjects));
            }
            eprintln!("{entries} entries of {dimension}: {} bytes", index.bytes());
            let questions: Vec<(String, Vec<f32>)> = (0..200)
                .map(|_| (draw.text(WORDS_PER_QUERY), draw.near(&subjects)))
                .collect();
            let mut next = questions.iter().cycle();
            criterion.bench_function(&format!("hybrid/{dimension}/{entries}"), |bencher| {
                bencher.iter(|| {
                    let (text, vector) = next.next().expect("a cycle has no end");
                    let asked = Asked {
                        text,
                        vector: Some(vector),
                        understanding: 1.0,
                        strength: 1.0,
                        likeness_min: 0.3,
                        ..Asked::default()
                    };
                    rank(&index, &asked, &|_| true, black_box(10))
                });
            });
        }
    }
}

criterion_group!(benches, search);
criterion_main!(benches);
