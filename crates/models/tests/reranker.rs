//! Cross-encoders from a directory give the scores of the reference.

#![expect(
    clippy::unwrap_used,
    reason = "all of this is test code, also what no test attribute marks"
)]

use std::fs;
use std::path::{Path, PathBuf};

use recalld_memory::ports::Reranker;
use recalld_models::reranker::{CrossEncoder, RerankerOptions};
use serde::Deserialize;

#[derive(Deserialize)]
struct Reference {
    pairs: Vec<(String, String)>,
    scores: Vec<f32>,
}

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures")
        .join(name)
}

async fn check(name: &str) {
    let directory = fixture(name);
    let reference: Reference =
        serde_json::from_slice(&fs::read(directory.join("reference.json")).unwrap()).unwrap();
    let encoder = CrossEncoder::load(&directory, &RerankerOptions::default()).unwrap();
    for ((query, passage), expected) in reference.pairs.iter().zip(&reference.scores) {
        // In a batch with others, so that a mix-up of rows is seen.
        let scores = encoder
            .rerank(query, &["other", passage, "a longer one than that"])
            .await
            .unwrap();
        assert!(
            (scores[1] - expected).abs() < 1e-5,
            "{name}: {query}: {} not {expected}",
            scores[1]
        );
    }
    assert!(encoder.rerank("nothing to judge", &[]).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_bert_cross_encoder_gives_the_scores_of_the_reference() {
    check("tiny-cross-encoder").await;
}

#[tokio::test]
async fn an_xlm_r_cross_encoder_gives_the_scores_of_the_reference() {
    check("tiny-cross-encoder-xlm-r").await;
}

#[test]
fn a_sentence_encoder_is_no_reranker() {
    let error = CrossEncoder::load(&fixture("tiny-bert"), &RerankerOptions::default()).unwrap_err();
    assert!(
        error.to_string().contains("2 labels; a reranker has one"),
        "{error}"
    );
}
