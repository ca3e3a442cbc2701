//! The Homebrew formula. It was never installed: the project has no macOS machine.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

use super::{Release, archive, write};

/// Where the archives of a release will be. Nothing is published yet.
const RELEASE_URL: &str = "https://example.invalid/recalld/releases";

pub fn make(release: &Release) -> Result<Vec<PathBuf>> {
    let archive = release.out.join(archive::name(release));
    let bytes = fs::read(&archive).context("make the archive first")?;
    let digest = HEXLOWER.encode(&Sha256::digest(&bytes));
    let formula = release.filled(
        "homebrew/recalld.rb",
        &[("release_url", RELEASE_URL), ("archive_sha256", &digest)],
    )?;
    let path = release.out.join("recalld.rb");
    write(&path, &formula)?;
    Ok(vec![path])
}
