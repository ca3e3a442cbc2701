//! Models by name, from a hub that lists the files of each model with their lengths and checksums.
//!
//! All files are of one commit. What was fetched stays in a hidden directory until the model is
//! installed, so that an interrupted download goes on where it stopped; a file that does not have
//! its checksum is thrown away.

mod transfer;

use std::fs::File;
use std::path::{Path, PathBuf};

use reqwest::{Client, Url};
use serde::Deserialize;
use transfer::{Expected, chunk, failed, request, resume};

use super::progress::PullError;
use super::staging::{Staging, wanted};
use crate::http;

/// The hub that is asked unless another one is named.
pub const HUB_DEFAULT: &str = "https://huggingface.co";

/// Short names of models that work well here.
const SHORT_NAMES: [(&str, &str); 8] = [
    ("minilm", "sentence-transformers/all-MiniLM-L6-v2"),
    ("e5-small", "intfloat/multilingual-e5-small"),
    ("e5-base", "intfloat/multilingual-e5-base"),
    ("bge-small", "BAAI/bge-small-en-v1.5"),
    ("bge-base", "BAAI/bge-base-en-v1.5"),
    ("gte-small", "thenlper/gte-small"),
    ("ms-marco-minilm", "cross-encoder/ms-marco-MiniLM-L-6-v2"),
    ("bge-reranker", "BAAI/bge-reranker-base"),
];

/// The most bytes of a listing.
const LISTING_BYTES_MAX: usize = 4 << 20;

/// The id of the model that `source` names: one of the short names, or `owner/name`.
pub(super) fn id_of(source: &str) -> Option<String> {
    if let Some((_, id)) = SHORT_NAMES.iter().find(|(name, _)| *name == source) {
        return Some((*id).to_owned());
    }
    let (owner, name) = source.split_once('/')?;
    let is_plain = |part: &str| {
        part.starts_with(|first: char| first.is_ascii_alphanumeric())
            && part.len() <= 96
            && !part.contains("..")
            && part
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-'))
    };
    (is_plain(owner) && is_plain(name)).then(|| source.to_owned())
}

/// A file of a model, as the hub lists it.
#[derive(Debug, Deserialize)]
struct Listed {
    #[serde(rename = "type")]
    kind: String,
    path: String,
    #[serde(default)]
    size: u64,
    lfs: Option<Large>,
}

/// What the hub says of a file that it keeps apart.
#[derive(Debug, Deserialize)]
struct Large {
    /// Its SHA-256.
    oid: String,
    size: u64,
}

impl Listed {
    fn bytes(&self) -> u64 {
        self.lfs.as_ref().map_or(self.size, |large| large.size)
    }
}

/// Where the downloads of a model are kept until it is installed.
pub(super) fn partial_directory(models: &Path, id: &str) -> PathBuf {
    models.join(format!(".partial-{}", id.replace('/', "--")))
}

/// Fetches the model `id` from `hub` into `partial`, and then copies it to `staging`.
pub(super) async fn fetch(
    client: &Client,
    hub: &str,
    id: &str,
    partial: &Path,
    staging: &mut Staging<'_>,
) -> Result<(), PullError> {
    let base = http::address(hub)?;
    let commit = commit(client, &base, id).await?;
    let files = files(client, &base, id, &commit).await?;
    let total: u64 = files.iter().map(Listed::bytes).sum();
    if staging.bytes_max < total {
        return Err(PullError::TooLarge {
            bytes_max: staging.bytes_max,
        });
    }
    // Of another commit, what is there already may be of another model.
    let place = partial.join(&commit);
    for file in &files {
        let url = below(&base, &format!("{id}/resolve/{commit}/{}", file.path));
        let expected = Expected {
            name: Path::new(&file.path),
            bytes: file.bytes(),
            sha256: file.lfs.as_ref().map(|large| large.oid.as_str()),
        };
        resume(client, &url, &place.join(&file.path), &expected, staging.progress).await?;
    }
    for file in &files {
        let path = place.join(&file.path);
        let content = File::open(&path).map_err(|source| PullError::Read { path, source })?;
        staging.copy(Path::new(&file.path), content)?;
    }
    Ok(())
}

async fn commit(client: &Client, base: &Url, id: &str) -> Result<String, PullError> {
    #[derive(Deserialize)]
    struct About {
        sha: String,
    }
    let url = below(base, &format!("api/models/{id}"));
    let about: About = listing(client, &url).await?;
    let is_commit = 7 <= about.sha.len() && about.sha.len() <= 64;
    match is_commit && about.sha.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        true => Ok(about.sha),
        false => Err(failed(&url, "it names no commit")),
    }
}

/// The files that belong to a model, the small ones first.
async fn files(client: &Client, base: &Url, id: &str, commit: &str) -> Result<Vec<Listed>, PullError> {
    let mut url = below(base, &format!("api/models/{id}/tree/{commit}"));
    url.set_query(Some("recursive=true"));
    let all: Vec<Listed> = listing(client, &url).await?;
    let mut files: Vec<Listed> = all
        .into_iter()
        .filter(|file| file.kind == "file" && wanted(Path::new(&file.path)) && is_ours(&file.path))
        .collect();
    files.sort_by_key(Listed::bytes);
    match files.iter().any(|file| file.path == "model.safetensors") {
        true => Ok(files),
        false => Err(failed(
            &url,
            "the model has no model.safetensors, which is needed",
        )),
    }
}

/// Whether a file is of the model itself, and not of the same weights for another program.
fn is_ours(path: &str) -> bool {
    let elsewhere = ["onnx/", "openvino/", "coreml/", "tf/"];
    !elsewhere.iter().any(|folder| path.starts_with(folder))
}

async fn listing<T: serde::de::DeserializeOwned>(client: &Client, url: &Url) -> Result<T, PullError> {
    let mut response = request(client, url, 0).await?;
    let mut body = Vec::new();
    while let Some(chunk) = chunk(&mut response, url).await? {
        body.extend_from_slice(&chunk);
        if LISTING_BYTES_MAX < body.len() {
            return Err(failed(url, "the listing is too long"));
        }
    }
    serde_json::from_slice(&body)
        .map_err(|error| failed(url, &format!("the listing cannot be read: {error}")))
}

fn below(base: &Url, path: &str) -> Url {
    let mut url = base.clone();
    let path = format!("{}/{path}", url.path().trim_end_matches('/'));
    url.set_path(&path);
    url
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_known_by_short_names_and_by_owner_and_name() {
        assert_eq!(
            id_of("minilm").as_deref(),
            Some("sentence-transformers/all-MiniLM-L6-v2")
        );
        assert_eq!(id_of("owner/model-1.5").as_deref(), Some("owner/model-1.5"));
        for other in [
            "unknown", "a/b/c", "../x", "./x", "owner/", "/etc", "a/..b", "a/b c",
        ] {
            assert_eq!(id_of(other), None, "{other}");
        }
    }
}
