//! The MCP bundle, which desktop programs install by a double click.

use std::fs;
use std::path::PathBuf;

use anyhow::Result;

use super::Release;
use super::zipped::Zipped;

pub fn make(release: &Release) -> Result<Vec<PathBuf>> {
    let path = release.out.join(format!(
        "recalld-{}-{}.mcpb",
        release.version, release.target.name
    ));
    let manifest = release.filled(
        "mcpb/manifest.json",
        &[("node_platform", release.target.node_platform)],
    )?;
    let mut zip = Zipped::create(&path)?;
    zip.add("manifest.json", manifest.as_bytes(), 0o100_644)?;
    zip.add("server/recalld", &fs::read(&release.binary)?, 0o100_755)?;
    zip.finish()?;
    Ok(vec![path])
}
