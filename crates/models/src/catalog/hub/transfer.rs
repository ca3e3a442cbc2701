//! Fetches one file in as many parts as it takes, and checks it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;

use data_encoding::HEXLOWER;
use reqwest::header::RANGE;
use reqwest::{Client, Response, StatusCode, Url};
use sha2::{Digest, Sha256};
use tokio::time::timeout;

use crate::catalog::download::SILENCE_MAX;
use crate::catalog::progress::{Progress, PullError};
use crate::http;

/// What a file must be.
pub(super) struct Expected<'f> {
    /// Its path inside the model.
    pub(super) name: &'f Path,
    pub(super) bytes: u64,
    /// Its checksum, if the hub lists one.
    pub(super) sha256: Option<&'f str>,
}

/// Fetches what is missing of a file, and checks the whole.
pub(super) async fn resume(
    client: &Client,
    url: &Url,
    path: &Path,
    expected: &Expected<'_>,
    progress: &(dyn Fn(Progress<'_>) + Send + Sync),
) -> Result<(), PullError> {
    let unwritable = |source| PullError::Write {
        path: path.to_path_buf(),
        source,
    };
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(unwritable)?;
    }
    let mut done = fs::metadata(path).map_or(0, |about| about.len());
    if done < expected.bytes || done == 0 {
        let mut response = request(client, url, done).await?;
        // A server that does not know ranges sends the whole.
        let is_rest = response.status() == StatusCode::PARTIAL_CONTENT;
        let mut file = OpenOptions::new()
            .create(true)
            .write(true)
            .append(is_rest)
            .truncate(!is_rest)
            .open(path)
            .map_err(unwritable)?;
        done = if is_rest { done } else { 0 };
        while let Some(chunk) = chunk(&mut response, url).await? {
            done += chunk.len() as u64;
            if expected.bytes < done {
                break;
            }
            file.write_all(&chunk).map_err(unwritable)?;
            progress(Progress {
                file: expected.name,
                file_bytes: done,
                bytes: done,
            });
        }
        file.sync_all().map_err(unwritable)?;
    }
    verify(url, path, expected, done)
}

/// Throws a file away that is not what the hub lists. One that is too short is kept: the rest may
/// still come.
fn verify(url: &Url, path: &Path, expected: &Expected<'_>, bytes: u64) -> Result<(), PullError> {
    if bytes < expected.bytes {
        let reason = format!(
            "it ended after {bytes} of {} bytes; pull again to go on",
            expected.bytes
        );
        return Err(failed(url, &reason));
    }
    let digest = digest(path).map_err(|source| PullError::Read {
        path: path.to_path_buf(),
        source,
    })?;
    let is_right = expected
        .sha256
        .is_none_or(|listed| listed.eq_ignore_ascii_case(&digest));
    if is_right && bytes == expected.bytes {
        return Ok(());
    }
    fs::remove_file(path).map_err(|source| PullError::Write {
        path: path.to_path_buf(),
        source,
    })?;
    Err(failed(
        url,
        "what arrived does not have the checksum or length that the hub lists",
    ))
}

fn digest(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let (mut digest, mut buffer) = (Sha256::new(), vec![0; 1 << 16]);
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(HEXLOWER.encode(&digest.finalize())),
            count => digest.update(&buffer[..count]),
        }
    }
}

/// Asks for a file from byte `from` on.
pub(super) async fn request(client: &Client, url: &Url, from: u64) -> Result<Response, PullError> {
    let mut request = client.get(url.clone());
    if 0 < from {
        request = request.header(RANGE, format!("bytes={from}-"));
    }
    let sent = timeout(SILENCE_MAX, request.send())
        .await
        .map_err(|_| failed(url, &format!("no answer within {SILENCE_MAX:?}")))?;
    let response = sent.map_err(|error| failed(url, &http::reason(error)))?;
    match response.status() {
        status if status.is_success() => Ok(response),
        StatusCode::NOT_FOUND => Err(failed(url, "it is not there (404)")),
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
            Err(failed(url, "the hub has no such model that is open to all"))
        }
        status => Err(failed(url, &format!("it answered {status}"))),
    }
}

pub(super) async fn chunk(response: &mut Response, url: &Url) -> Result<Option<Vec<u8>>, PullError> {
    let chunk = timeout(SILENCE_MAX, response.chunk())
        .await
        .map_err(|_| failed(url, &format!("nothing more within {SILENCE_MAX:?}")))?;
    let chunk = chunk.map_err(|error| failed(url, &http::reason(error)))?;
    Ok(chunk.map(Into::into))
}

pub(super) fn failed(url: &Url, reason: &str) -> PullError {
    PullError::Http {
        url: url.to_string(),
        reason: reason.to_owned(),
    }
}
