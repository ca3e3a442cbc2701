//! Encoders from a directory: the same vectors as the reference, and clear errors for what is
//! broken.

#![expect(
    clippy::unwrap_used,
    reason = "all of this is test code, also what no test attribute marks"
)]

use std::fs;
use std::path::{Path, PathBuf};

use recalld_memory::ports::{Embedder, TextRole};
use recalld_models::transformer::{Prefixes, TransformerEmbedder, TransformerOptions};
use serde::Deserialize;
use tempfile::TempDir;

#[derive(Deserialize)]
struct Reference {
    sentences: Vec<String>,
    vectors: Vec<Vec<f32>>,
}

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures")
        .join(name)
}

fn load(directory: &Path) -> TransformerEmbedder {
    TransformerEmbedder::load(directory, &TransformerOptions::default()).unwrap()
}

fn cosine(a: &[f32], b: &[f32]) -> f32 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Compares every sentence with what `transformers` gave for it, in one batch and one by one.
async fn check(name: &str) {
    let directory = fixture(name);
    let reference: Reference =
        serde_json::from_slice(&fs::read(directory.join("reference.json")).unwrap()).unwrap();
    let embedder = load(&directory);
    let sentences: Vec<&str> = reference.sentences.iter().map(String::as_str).collect();
    let together = embedder.embed(&sentences, TextRole::Passage).await.unwrap();
    assert_eq!(together.len(), sentences.len());
    for ((sentence, vector), expected) in sentences.iter().zip(&together).zip(&reference.vectors) {
        let alone = embedder.embed_blocking(&[sentence], TextRole::Query).unwrap();
        for found in [vector, &alone[0]] {
            let similarity = cosine(found, expected);
            assert!(0.99999 < similarity, "{name}: {sentence}: {similarity}");
        }
    }
}

#[tokio::test]
async fn bert_gives_the_vectors_of_the_reference() {
    check("tiny-bert").await;
}

#[tokio::test]
async fn xlm_r_in_half_precision_gives_the_vectors_of_the_reference() {
    check("tiny-xlm-r").await;
}

#[tokio::test]
async fn distilbert_in_bfloat_gives_the_vectors_of_the_reference() {
    check("tiny-distilbert").await;
}

#[tokio::test]
async fn no_texts_give_no_vectors_and_a_blank_one_gives_a_finite_one() {
    let embedder = load(&fixture("tiny-bert"));
    assert!(embedder.embed(&[], TextRole::Passage).await.unwrap().is_empty());
    let vectors = embedder.embed(&["", " \n"], TextRole::Passage).await.unwrap();
    assert!((cosine(&vectors[0], &vectors[1]) - 1.0).abs() < 1e-5);
}

#[tokio::test]
async fn a_text_of_a_megabyte_is_cut_and_embedded() {
    let embedder = load(&fixture("tiny-xlm-r"));
    for text in ["a".repeat(1 << 20), "花 ".repeat(1 << 18)] {
        let vectors = embedder.embed(&[&text], TextRole::Passage).await.unwrap();
        assert!((cosine(&vectors[0], &vectors[0]) - 1.0).abs() < 1e-5);
    }
}

#[test]
fn prefixes_make_questions_differ_from_passages_and_change_the_name() {
    let plain = load(&fixture("tiny-bert"));
    let options = TransformerOptions {
        prefixes: Some(Prefixes::e5()),
        ..TransformerOptions::default()
    };
    let prefixed = TransformerEmbedder::load(&fixture("tiny-bert"), &options).unwrap();
    assert_ne!(plain.model().name, prefixed.model().name);
    let [query, passage] = [TextRole::Query, TextRole::Passage]
        .map(|role| prefixed.embed_blocking(&["Ana"], role).unwrap().remove(0));
    assert!(cosine(&query, &passage) < 0.999);
    let spelled = plain.embed_blocking(&["query: Ana"], TextRole::Passage).unwrap();
    assert!(0.9999 < cosine(&query, &spelled[0]));
}

#[test]
fn the_vocabulary_tells_what_is_understood() {
    let embedder = load(&fixture("tiny-bert"));
    assert_eq!(embedder.understanding("peanuts"), 1.0);
    assert_eq!(embedder.understanding("ฉันแพ้ถั่วลิสง"), 0.0);
}

/// Copies a model, lets `damage` change it, and gives the error of loading it.
fn error_after(damage: impl Fn(&Path)) -> String {
    let copy = TempDir::new().unwrap();
    let from = fixture("tiny-bert");
    fs::create_dir(copy.path().join("1_Pooling")).unwrap();
    for name in [
        "config.json",
        "model.safetensors",
        "modules.json",
        "tokenizer.json",
        "sentence_bert_config.json",
        "1_Pooling/config.json",
    ] {
        fs::write(copy.path().join(name), fs::read(from.join(name)).unwrap()).unwrap();
    }
    damage(copy.path());
    let error = TransformerEmbedder::load(copy.path(), &TransformerOptions::default()).unwrap_err();
    error
        .to_string()
        .replace(&*copy.path().to_string_lossy(), "MODEL")
}

/// Replaces a text in one of the model's files.
fn edit(file: &'static str, from: &'static str, to: &'static str) -> Box<dyn Fn(&Path)> {
    Box::new(move |model| {
        let before = fs::read_to_string(model.join(file)).unwrap();
        assert!(before.contains(from), "{file} has no {from}");
        fs::write(model.join(file), before.replace(from, to)).unwrap();
    })
}

#[test]
fn a_missing_file_is_named() {
    for file in [
        "config.json",
        "model.safetensors",
        "tokenizer.json",
        "1_Pooling/config.json",
    ] {
        let error = error_after(|model| fs::remove_file(model.join(file)).unwrap());
        assert!(error.starts_with(&format!("MODEL/{file} is missing")), "{error}");
    }
}

#[test]
fn damaged_settings_are_refused() {
    let config = "config.json";
    for (damage, expected) in [
        (
            edit(config, "\"bert\"", "\"mpnet\""),
            "holds a model of type \"mpnet\"",
        ),
        (
            edit(config, "\"hidden_size\": 36", "\"hidden_size\": 0"),
            "hidden_size is 0",
        ),
        (
            edit(config, "\"hidden_size\": 36", "\"hidden_size\": 35"),
            "35 cannot be split over 3 heads",
        ),
        (
            edit(config, "\"hidden_size\": 36", "\"hidden_size\": 39"),
            "its shape is [260, 36], not [260, 39]",
        ),
        (
            edit(config, "\"num_hidden_layers\": 2", "\"num_hidden_layers\": 3"),
            "encoder.layer.2",
        ),
        (
            edit(config, "\"num_hidden_layers\": 2", "\"num_hidden_layers\": 99999"),
            "not between 1 and 96",
        ),
        (
            edit(
                config,
                "\"vocab_size\": 260",
                "\"vocab_size\": 18446744073709551615",
            ),
            "its shape is",
        ),
        (
            edit(config, "\"gelu\"", "\"mish\""),
            "hidden_act \"mish\" is not known",
        ),
        (edit(config, "{", "["), "MODEL/config.json is not usable"),
        (edit("modules.json", "Pooling\"}", "CNN\"}"), "CNN\" is not known"),
        (
            edit("modules.json", "1_Pooling", "../1_Pooling"),
            "path \"../1_Pooling\"",
        ),
        (
            edit("1_Pooling/config.json", "true", "false"),
            "pooling \"\" is not known",
        ),
        (
            edit("tokenizer.json", "\"[CLS]\":2", "\"[CLS]\":2,\"new\":999"),
            "token number 999 has no vector",
        ),
        (
            edit("tokenizer.json", "{", ""),
            "tokenizer MODEL/tokenizer.json is not usable",
        ),
    ] {
        let error = error_after(damage);
        assert!(error.contains(expected), "{expected}: {error}");
    }
}

#[test]
fn damaged_weights_are_refused() {
    let change = |change: fn(&mut Vec<u8>)| {
        move |model: &Path| {
            let path = model.join("model.safetensors");
            let mut bytes = fs::read(&path).unwrap();
            change(&mut bytes);
            fs::write(path, bytes).unwrap();
        }
    };
    for (damage, expected) in [
        (change(|bytes| bytes.truncate(5)), "5 bytes is too short"),
        (
            change(|bytes| bytes.truncate(bytes.len() - 1)),
            "bytes of tensors where its header claims",
        ),
        (
            change(|bytes| bytes.push(0)),
            "bytes of tensors where its header claims",
        ),
        (
            change(|bytes| bytes[..8].copy_from_slice(&u64::MAX.to_le_bytes())),
            "its header claims 18446744073709551615",
        ),
        (
            change(|bytes| bytes[..8].copy_from_slice(&(1_u64 << 23).to_le_bytes())),
            "its header claims 8388608",
        ),
        (
            change(|bytes| bytes[8] = b'['),
            "is not a usable safetensors file",
        ),
    ] {
        let error = error_after(damage);
        assert!(error.contains(expected), "{expected}: {error}");
    }
}
