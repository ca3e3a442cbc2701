//! Installing and listing models: from directories, archives and addresses, all or nothing.

#![expect(
    clippy::unwrap_used,
    reason = "all of this is test code, also what no test attribute marks"
)]

use std::fs;
use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};

use recalld_models::catalog::{Progress, PullError, PullOptions, Pulled, Purpose, check, list, pull};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

const FILES: [&str; 6] = [
    "config.json",
    "model.safetensors",
    "modules.json",
    "tokenizer.json",
    "sentence_bert_config.json",
    "1_Pooling/config.json",
];

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures")
        .join(name)
}

fn quiet(_: Progress<'_>) {}

async fn pull_default(source: &str, models: &Path) -> Result<Pulled, PullError> {
    pull(source, models, &PullOptions::default(), &quiet).await
}

/// Packs a model below `prefix`, with some entries of the caller's beside it.
fn archive(prefix: &str, extra: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for file in FILES {
        zip.start_file(format!("{prefix}{file}"), SimpleFileOptions::default())
            .unwrap();
        zip.write_all(&fs::read(fixture("tiny-bert").join(file)).unwrap())
            .unwrap();
    }
    for (name, content) in extra {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(content).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn names(models: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(models)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[tokio::test]
async fn a_directory_is_copied_checked_and_listed() {
    let models = TempDir::new().unwrap();
    let from = fixture("tiny-bert");
    let pulled = pull_default(from.to_str().unwrap(), models.path()).await.unwrap();
    assert_eq!(
        (pulled.name.as_str(), pulled.checked.dimension),
        ("tiny-bert", Some(36))
    );
    let weights = pulled
        .files
        .iter()
        .find(|file| file.path == Path::new("model.safetensors"))
        .unwrap();
    assert_eq!(
        (weights.bytes, weights.sha256.len()),
        (fs::metadata(from.join("model.safetensors")).unwrap().len(), 64)
    );

    pull_default(
        fixture("tiny-cross-encoder-xlm-r").to_str().unwrap(),
        models.path(),
    )
    .await
    .unwrap();
    let found: Vec<_> = list(models.path())
        .unwrap()
        .into_iter()
        .map(|model| (model.name, model.description.unwrap()))
        .map(|(name, told)| {
            (
                name,
                told.purpose,
                told.architecture,
                told.dimension,
                told.tokenizer,
            )
        })
        .collect();
    let row = |name: &str, purpose, architecture: &str, dimension, tokenizer: &str| {
        (
            name.to_string(),
            purpose,
            architecture.to_string(),
            dimension,
            tokenizer.to_string(),
        )
    };
    assert_eq!(
        found,
        [
            row("tiny-bert", Purpose::Embedding, "bert", 36, "WordPiece"),
            row(
                "tiny-cross-encoder-xlm-r",
                Purpose::Reranking,
                "xlm-roberta",
                32,
                "Unigram"
            ),
        ]
    );
    let again = pull_default(from.to_str().unwrap(), models.path())
        .await
        .unwrap_err();
    assert!(
        again.to_string().starts_with("tiny-bert is installed already"),
        "{again}"
    );
}

#[tokio::test]
async fn a_wheel_gives_the_model_inside_it_and_nothing_else() {
    let models = TempDir::new().unwrap();
    let sources = TempDir::new().unwrap();
    let wheel = sources.path().join("tiny_pack-0.1.0-py3-none-any.whl");
    let extra: &[(&str, &[u8])] = &[
        ("tiny_pack/__init__.py", b"import os"),
        ("tiny_pack/model/run.sh", b"rm"),
    ];
    fs::write(&wheel, archive("tiny_pack/model/", extra)).unwrap();
    let pulled = pull_default(wheel.to_str().unwrap(), models.path())
        .await
        .unwrap();
    assert_eq!(
        (pulled.name.as_str(), pulled.files.len()),
        ("tiny_pack", FILES.len())
    );
    assert_eq!(names(models.path()), ["tiny_pack"]);
    assert_eq!(
        check(&pulled.directory).unwrap().facts.unwrap().tokenizer,
        "wordpiece"
    );
}

#[tokio::test]
async fn an_archive_cannot_write_outside_its_directory() {
    let home = TempDir::new().unwrap();
    let models = home.path().join("models");
    let zip = home.path().join("evil.zip");
    let extra: &[(&str, &[u8])] = &[
        ("../../slipped.json", b"{}"),
        ("/slipped.json", b"{}"),
        ("m/../../slipped.json", b""),
    ];
    fs::write(&zip, archive("m/", extra)).unwrap();
    let pulled = pull_default(zip.to_str().unwrap(), &models).await.unwrap();
    assert_eq!(pulled.files.len(), FILES.len());
    assert_eq!(names(home.path()), ["evil.zip", "models"]);
    assert_eq!(names(&models), ["evil"]);
}

#[tokio::test]
async fn what_fails_leaves_nothing_behind() {
    let models = TempDir::new().unwrap();
    let sources = TempDir::new().unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = sources.path().join(name);
        fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_string()
    };
    let whole = archive("m/", &[]);
    let cut = write("cut.zip", &whole[..whole.len() / 2]);
    let empty = write(
        "empty.zip",
        &ZipWriter::new(Cursor::new(Vec::new()))
            .finish()
            .unwrap()
            .into_inner(),
    );
    let other = write("weights.bin", b"");
    for (source, expected) in [
        (cut.as_str(), "archive "),
        (&empty, "no directory with config.json and model.safetensors"),
        (&other, "is not a model's directory"),
        ("nowhere/at/all", "is not a model's directory"),
        (fixture("").to_str().unwrap(), "the model does not work"),
        ("http://user:secret@127.0.0.1/m.zip", "a user name or a password"),
    ] {
        let error = pull_default(source, models.path()).await.unwrap_err().to_string();
        assert!(
            error.contains(expected) && !error.contains("secret"),
            "{source}: {error}"
        );
        assert!(names(models.path()).is_empty(), "{source}");
    }
    let small = PullOptions {
        bytes_max: 10_000,
        ..PullOptions::default()
    };
    let whole = write("whole.zip", &whole);
    let error = pull(&whole, models.path(), &small, &quiet).await.unwrap_err();
    assert!(
        matches!(error, PullError::TooLarge { bytes_max: 10_000 }),
        "{error}"
    );
    assert!(names(models.path()).is_empty());
}

/// Serves files below `root` (and `/m.zip`) on the loopback.
async fn serve(root: PathBuf, zip: Vec<u8>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut head = vec![0; 4096];
            let length = stream.read(&mut head).await.unwrap();
            let head = String::from_utf8_lossy(&head[..length]).into_owned();
            let path = head
                .split(' ')
                .nth(1)
                .unwrap()
                .trim_start_matches('/')
                .to_string();
            let content = if path == "m.zip" {
                Some(zip.clone())
            } else {
                fs::read(root.join(&path)).ok()
            };
            let (status, body) = content.map_or((404, Vec::new()), |body| (200, body));
            let head = format!(
                "HTTP/1.1 {status} X\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
                body.len()
            );
            stream.write_all(head.as_bytes()).await.unwrap();
            stream.write_all(&body).await.unwrap();
        }
    });
    url
}

#[tokio::test]
async fn addresses_of_directories_and_archives_are_pulled() {
    let models = TempDir::new().unwrap();
    let url = serve(fixture(""), archive("m/", &[])).await;
    let pulled = pull_default(&format!("{url}/tiny-xlm-r"), models.path())
        .await
        .unwrap();
    assert_eq!(
        (pulled.name.as_str(), pulled.checked.dimension),
        ("tiny-xlm-r", Some(32))
    );
    let pulled = pull_default(&format!("{url}/m.zip"), models.path())
        .await
        .unwrap();
    assert_eq!((pulled.name.as_str(), pulled.files.len()), ("m", FILES.len()));
    let error = pull_default(&format!("{url}/absent"), models.path())
        .await
        .unwrap_err();
    assert!(
        error
            .to_string()
            .ends_with("/absent/config.json: it is not there (404)"),
        "{error}"
    );
    assert_eq!(names(models.path()), ["m", "tiny-xlm-r"]);
}

#[test]
fn a_place_without_models_lists_none_and_a_broken_one_says_why() {
    let models = TempDir::new().unwrap();
    assert!(list(&models.path().join("absent")).unwrap().is_empty());
    fs::create_dir(models.path().join("broken")).unwrap();
    let listed = list(models.path()).unwrap();
    assert!(
        listed[0]
            .description
            .as_ref()
            .unwrap_err()
            .contains("config.json is missing")
    );
}
