//! Models by name from a hub, which a listener on the loopback stands in for: checksums, downloads
//! that break off and go on, listings that lie.

#![expect(
    clippy::unwrap_used,
    reason = "all of this is test code, also what no test attribute marks"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use data_encoding::HEXLOWER;
use recalld_models::catalog::{Progress, PullError, PullOptions, Pulled, pull};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";

/// What the hub does wrong.
#[derive(Clone, Copy, PartialEq)]
enum Fault {
    None,
    /// Breaks the first download of the weights off half way.
    BreaksOff,
    /// Lists another checksum than that of what it sends.
    WrongChecksum,
    /// Lists a file outside the model.
    Escapes,
}

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures")
        .join(name)
}

fn listing(root: &Path, fault: Fault) -> Value {
    let mut files = Vec::new();
    for name in [
        "config.json",
        "tokenizer.json",
        "model.safetensors",
        "onnx/model.json",
    ] {
        let content = fs::read(root.join(name)).unwrap_or_default();
        let mut file = json!({"type": "file", "path": name, "size": content.len(), "oid": "git"});
        if name == "model.safetensors" {
            let sum = match fault {
                Fault::WrongChecksum => "00".repeat(32),
                _ => HEXLOWER.encode(&Sha256::digest(&content)),
            };
            file["lfs"] = json!({"oid": sum, "size": content.len()});
        }
        files.push(file);
    }
    if fault == Fault::Escapes {
        files.push(json!({"type": "file", "path": "../../slipped.json", "size": 2, "oid": "git"}));
    }
    files.push(json!({"type": "directory", "path": "onnx", "size": 0, "oid": "git"}));
    Value::Array(files)
}

/// Serves `owner/tiny` from a fixture. Returns its address and how often bytes after the first were
/// asked for.
async fn hub(model: &str, fault: Fault) -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let (root, resumed) = (fixture(model), Arc::new(AtomicUsize::new(0)));
    let count = Arc::clone(&resumed);
    tokio::spawn(async move {
        let mut breaks = fault == Fault::BreaksOff;
        while let Ok((stream, _)) = listener.accept().await {
            answer(stream, &root, fault, &mut breaks, &count).await;
        }
    });
    (url, resumed)
}

async fn answer(mut stream: TcpStream, root: &Path, fault: Fault, breaks: &mut bool, resumed: &AtomicUsize) {
    let mut head = vec![0; 8192];
    let length = stream.read(&mut head).await.unwrap();
    let head = String::from_utf8_lossy(&head[..length]).to_lowercase();
    let path = head.split(' ').nth(1).unwrap().to_owned();
    let tree = format!("/api/models/owner/tiny/tree/{COMMIT}?recursive=true");
    let content = match path.as_str() {
        "/api/models/owner/tiny" => Some(json!({ "sha": COMMIT }).to_string().into_bytes()),
        path if path == tree => Some(listing(root, fault).to_string().into_bytes()),
        path => path
            .strip_prefix(&format!("/owner/tiny/resolve/{COMMIT}/"))
            .and_then(|name| fs::read(root.join(name)).ok()),
    };
    let Some(content) = content else {
        let gone = b"HTTP/1.1 404 X\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";
        return stream.write_all(gone).await.unwrap();
    };
    let from = head
        .split("range: bytes=")
        .nth(1)
        .and_then(|rest| rest.split('-').next()?.parse::<usize>().ok());
    resumed.fetch_add(usize::from(from.is_some()), Ordering::SeqCst);
    let body = &content[from.unwrap_or(0)..];
    let status = if from.is_some() { 206 } else { 200 };
    let head = format!(
        "HTTP/1.1 {status} X\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    if *breaks && path.ends_with("model.safetensors") {
        *breaks = false;
        return stream.write_all(&body[..body.len() / 2]).await.unwrap();
    }
    stream.write_all(body).await.unwrap();
}

async fn pull_from(hub: &str, models: &Path) -> Result<Pulled, PullError> {
    let options = PullOptions {
        hub: hub.to_owned(),
        ..PullOptions::default()
    };
    let quiet = |_: Progress<'_>| {};
    pull("owner/tiny", models, &options, &quiet).await
}

fn names(models: &Path) -> Vec<String> {
    let entries = fs::read_dir(models).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[tokio::test]
async fn a_model_and_a_cross_encoder_are_pulled_by_name() {
    for model in ["tiny-xlm-r", "tiny-cross-encoder-xlm-r"] {
        let models = TempDir::new().unwrap();
        let (url, _) = hub(model, Fault::None).await;
        let pulled = pull_from(&url, models.path()).await.unwrap();
        assert_eq!((pulled.name.as_str(), pulled.files.len()), ("tiny", 3));
        assert_eq!(names(models.path()), ["tiny"]);
    }
}

#[tokio::test]
async fn a_download_that_broke_off_goes_on() {
    let models = TempDir::new().unwrap();
    let (url, resumed) = hub("tiny-xlm-r", Fault::BreaksOff).await;
    pull_from(&url, models.path()).await.unwrap_err();
    assert_eq!(names(models.path()), [".partial-owner--tiny"]);
    let pulled = pull_from(&url, models.path()).await.unwrap();
    assert_eq!(pulled.name, "tiny");
    assert_eq!(resumed.load(Ordering::SeqCst), 1, "only the rest was asked for");
    assert_eq!(names(models.path()), ["tiny"]);
}

#[tokio::test]
async fn what_does_not_have_its_checksum_is_not_installed() {
    let models = TempDir::new().unwrap();
    let (url, _) = hub("tiny-xlm-r", Fault::WrongChecksum).await;
    let error = pull_from(&url, models.path()).await.unwrap_err().to_string();
    assert!(error.contains("checksum"), "{error}");
    let kept = models.path().join(".partial-owner--tiny").join(COMMIT);
    assert!(!kept.join("model.safetensors").exists());
}

#[tokio::test]
async fn a_listing_cannot_name_a_file_outside_the_model() {
    let models = TempDir::new().unwrap();
    let (url, _) = hub("tiny-xlm-r", Fault::Escapes).await;
    let pulled = pull_from(&url, models.path()).await.unwrap();
    assert_eq!(pulled.files.len(), 3);
    assert_eq!(names(models.path()), ["tiny"]);
}

#[tokio::test]
async fn a_name_that_the_hub_does_not_know_is_refused() {
    let models = TempDir::new().unwrap();
    let (url, _) = hub("tiny-xlm-r", Fault::None).await;
    let options = PullOptions {
        hub: url,
        ..PullOptions::default()
    };
    let error = pull("owner/other", models.path(), &options, &|_: Progress<'_>| {}).await;
    assert!(error.unwrap_err().to_string().ends_with("it is not there (404)"));
}
