//! The packages of the workspace and their source files.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

/// A package of the workspace.
#[derive(Debug)]
pub struct Package {
    pub name: String,
    /// The folder of its manifest, relative to the root of the workspace.
    pub folder: PathBuf,
    /// All packages that it depends on directly, dev-dependencies left out.
    pub depends_on: BTreeSet<String>,
}

/// Makes the root of the workspace the current folder: the checks use paths relative to it.
pub fn enter_root() -> Result<()> {
    let manifest = cargo(&["locate-project", "--workspace", "--message-format", "plain"])?;
    let root = Path::new(manifest.trim()).parent().unwrap_or(Path::new(""));
    std::env::set_current_dir(root).with_context(|| format!("cannot enter {}", root.display()))
}

/// Lists the packages of the workspace that the current folder is in.
pub fn packages() -> Result<Vec<Package>> {
    let output = cargo(&["metadata", "--format-version", "1", "--no-deps", "--locked"])?;
    let metadata: Value = serde_json::from_str(&output)?;
    let root = metadata["workspace_root"].as_str().unwrap_or_default();
    let packages = metadata["packages"]
        .as_array()
        .context("cargo metadata lists no packages")?;
    packages
        .iter()
        .map(|package| read_package(package, root))
        .collect()
}

fn read_package(package: &Value, root: &str) -> Result<Package> {
    let name = package["name"].as_str().context("a package has no name")?;
    let manifest = package["manifest_path"]
        .as_str()
        .context("a package has no manifest")?;
    let folder = Path::new(manifest).parent().unwrap_or(Path::new(""));
    let dependencies = package["dependencies"].as_array().into_iter().flatten();
    Ok(Package {
        name: name.to_owned(),
        folder: folder.strip_prefix(root).unwrap_or(folder).to_owned(),
        depends_on: dependencies
            .filter(|dependency| dependency["kind"] != "dev")
            .filter_map(|dependency| Some(dependency["name"].as_str()?.to_owned()))
            .collect(),
    })
}

/// Lists the `.rs` files below a folder.
pub fn rust_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(rust_files(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Runs cargo and returns what it prints.
pub fn cargo(arguments: &[&str]) -> Result<String> {
    let output = Command::new(env!("CARGO"))
        .args(arguments)
        .output()
        .context("cannot start cargo")?;
    ensure!(
        output.status.success(),
        "cargo {} failed: {}",
        arguments.first().unwrap_or(&""),
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(String::from_utf8(output.stdout)?)
}
