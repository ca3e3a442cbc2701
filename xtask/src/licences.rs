//! Checks that every dependency has a licence that `deny.toml` allows. `cargo deny` reads the same
//! file and does more; this needs nothing installed.

use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

/// Checks all packages of the lock file.
pub fn check() -> Result<()> {
    let allowed = allowed()?;
    let arguments = ["metadata", "--format-version", "1", "--locked"];
    let output = Command::new(env!("CARGO"))
        .args(arguments)
        .output()
        .context("cargo cannot be started")?;
    ensure!(
        output.status.success(),
        "cargo metadata: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    let metadata: Value = serde_json::from_slice(&output.stdout)?;
    let packages = metadata["packages"]
        .as_array()
        .context("cargo metadata lists no packages")?;
    let mut refused = Vec::new();
    for package in packages.iter().filter(|package| !package["source"].is_null()) {
        let licence = package["license"].as_str().unwrap_or("none");
        if !is_allowed(licence, &allowed) {
            refused.push(format!("{} {}: {licence}", package["name"], package["version"]));
        }
    }
    match refused.is_empty() {
        true => Ok(()),
        false => bail!("licences that deny.toml does not allow:\n{}", refused.join("\n")),
    }
}

fn allowed() -> Result<Vec<String>> {
    let file: toml::Table = std::fs::read_to_string("deny.toml")?
        .parse()
        .context("deny.toml")?;
    let list = file
        .get("licenses")
        .and_then(|licenses| licenses.get("allow"))
        .and_then(|allow| allow.as_array());
    let list = list.context("deny.toml names no licences")?;
    Ok(list
        .iter()
        .filter_map(|licence| licence.as_str())
        .map(str::to_owned)
        .collect())
}

/// Reads an SPDX expression: any side of an OR will do, all sides of an AND must.
fn is_allowed(expression: &str, allowed: &[String]) -> bool {
    let expression = expression.replace('/', " OR ").replace(['(', ')'], " ");
    expression.split(" OR ").any(|way| {
        way.split(" AND ").map(str::trim).all(|licence| {
            let licence = licence.split(" WITH ").next().unwrap_or(licence).trim();
            allowed.iter().any(|known| known == licence)
        })
    })
}
