//! Checks that `deny.toml` allows the licence of every dependency. `cargo deny` reads the same file
//! and checks more, but must be installed.

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::workspace;

/// Checks all packages of the lock file.
pub fn check() -> Result<()> {
    let allowed = allowed_licences()?;
    let output = workspace::cargo(&["metadata", "--format-version", "1", "--locked"])?;
    let metadata: Value = serde_json::from_str(&output)?;
    let packages = metadata["packages"]
        .as_array()
        .context("cargo metadata lists no packages")?;
    let mut rejected = Vec::new();
    for package in packages.iter().filter(|package| !package["source"].is_null()) {
        let licence = package["license"].as_str().unwrap_or("none");
        if !is_allowed(licence, &allowed) {
            rejected.push(format!("{} {}: {licence}", package["name"], package["version"]));
        }
    }
    match rejected.is_empty() {
        true => Ok(()),
        false => bail!("licences that deny.toml does not allow:\n{}", rejected.join("\n")),
    }
}

fn allowed_licences() -> Result<Vec<String>> {
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

/// Evaluates an SPDX expression: one side of an `OR` suffices, an `AND` needs both.
fn is_allowed(expression: &str, allowed: &[String]) -> bool {
    let expression = expression.replace('/', " OR ").replace(['(', ')'], " ");
    expression.split(" OR ").any(|alternative| {
        alternative.split(" AND ").map(str::trim).all(|licence| {
            let licence = licence.split(" WITH ").next().unwrap_or(licence).trim();
            allowed.iter().any(|known| known == licence)
        })
    })
}
