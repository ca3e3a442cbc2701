//! Models over HTTP: one archive, or the files of a directory.

use std::path::Path;
use std::time::Duration;

use reqwest::{Client, Response, StatusCode, Url};
use tokio::time::timeout;

use super::progress::PullError;
use super::staging::{Staging, wanted};
use crate::http;

/// A download that gives nothing for so long has died.
pub(super) const SILENCE_MAX: Duration = Duration::from_secs(60);

/// What every model has.
const REQUIRED: [&str; 2] = ["config.json", "model.safetensors"];
/// What models may have. `modules.json` names further directories.
const OPTIONAL: [&str; 8] = [
    "tokenizer.json",
    "tokenizer_config.json",
    "vocab.txt",
    "special_tokens_map.json",
    "modules.json",
    "sentence_bert_config.json",
    "config_sentence_transformers.json",
    "LICENSE",
];
/// More modules than any model has.
const MODULES_MAX: usize = 16;

/// Fetches one file as it is.
pub(super) async fn fetch(
    client: &Client,
    url: &Url,
    name: &Path,
    staging: &mut Staging<'_>,
) -> Result<(), PullError> {
    match request(client, url).await? {
        Some(response) => save(response, url, name, staging).await,
        None => Err(PullError::Http {
            url: url.to_string(),
            reason: "it is not there (404)".to_string(),
        }),
    }
}

/// Fetches the usual files of a model from below `base`.
pub(super) async fn fetch_directory(
    client: &Client,
    base: &Url,
    staging: &mut Staging<'_>,
) -> Result<(), PullError> {
    // The small ones first: a wrong address is then seen before the long download.
    fetch(client, &below(base, REQUIRED[0]), Path::new(REQUIRED[0]), staging).await?;
    for name in OPTIONAL {
        fetch_if_there(client, base, name, staging).await?;
    }
    for module in modules(&staging.directory) {
        for name in ["config.json", "model.safetensors"] {
            let name = format!("{module}/{name}");
            if wanted(Path::new(&name)) {
                fetch_if_there(client, base, &name, staging).await?;
            }
        }
    }
    fetch(client, &below(base, REQUIRED[1]), Path::new(REQUIRED[1]), staging).await
}

async fn fetch_if_there(
    client: &Client,
    base: &Url,
    name: &str,
    staging: &mut Staging<'_>,
) -> Result<(), PullError> {
    let url = below(base, name);
    match request(client, &url).await? {
        Some(response) => save(response, &url, Path::new(name), staging).await,
        None => Ok(()),
    }
}

/// Gives the paths of the modules that a model's `modules.json` names, apart from its own
/// directory.
fn modules(directory: &Path) -> Vec<String> {
    let text = std::fs::read(directory.join("modules.json")).unwrap_or_default();
    let list: Vec<serde_json::Value> = serde_json::from_slice(&text).unwrap_or_default();
    let paths = list.iter().filter_map(|module| module.get("path")?.as_str());
    paths
        .filter(|path| !path.is_empty())
        .take(MODULES_MAX)
        .map(str::to_string)
        .collect()
}

fn below(base: &Url, name: &str) -> Url {
    let mut url = base.clone();
    let path = format!("{}/{name}", url.path().trim_end_matches('/'));
    url.set_path(&path);
    url
}

/// Asks for a file; none if it does not exist.
async fn request(client: &Client, url: &Url) -> Result<Option<Response>, PullError> {
    let failed = |reason: String| PullError::Http {
        url: url.to_string(),
        reason,
    };
    let silent = |_| failed(format!("no answer within {SILENCE_MAX:?}"));
    let sent = timeout(SILENCE_MAX, client.get(url.clone()).send())
        .await
        .map_err(silent)?;
    let response = sent.map_err(|error| failed(http::reason(error)))?;
    match response.status() {
        StatusCode::NOT_FOUND => Ok(None),
        status if status.is_success() => Ok(Some(response)),
        status => Err(failed(format!("it answered {status}"))),
    }
}

async fn save(
    mut response: Response,
    url: &Url,
    name: &Path,
    staging: &mut Staging<'_>,
) -> Result<(), PullError> {
    let failed = |reason: String| PullError::Http {
        url: url.to_string(),
        reason,
    };
    let mut file = staging.open(name)?;
    loop {
        let chunk = timeout(SILENCE_MAX, response.chunk())
            .await
            .map_err(|_| failed(format!("nothing more within {SILENCE_MAX:?}")))?
            .map_err(|error| failed(http::reason(error)))?;
        match chunk {
            Some(chunk) => staging.write(&mut file, &chunk)?,
            None => break,
        }
    }
    staging.close(file);
    Ok(())
}
