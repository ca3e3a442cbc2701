//! The house rules that a compiler does not know.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use regex::Regex;

/// A file may have this many lines, so that it keeps to one idea.
const LINES_MAX: usize = 500;

/// Names that say nothing about what is inside.
const EMPTY_NAMES: [&str; 6] = ["utils", "helpers", "common", "manager", "service", "misc"];

/// Checks all files that git knows.
pub fn check() -> Result<()> {
    let files = files()?;
    let mut faults = Vec::new();
    for file in files
        .iter()
        .filter(|file| file.extension().is_some_and(|kind| kind == "rs"))
    {
        source(file, &mut faults)?;
    }
    for file in files
        .iter()
        .filter(|file| file.extension().is_some_and(|kind| kind == "md"))
    {
        prose(file, &mut faults)?;
    }
    match faults.is_empty() {
        true => Ok(()),
        false => bail!("{} faults:\n{}", faults.len(), faults.join("\n")),
    }
}

fn files() -> Result<Vec<PathBuf>> {
    let output = Command::new("git")
        .args(["ls-files"])
        .output()
        .context("git cannot be started")?;
    let list = String::from_utf8(output.stdout)?;
    Ok(list
        .lines()
        .map(PathBuf::from)
        .filter(|file| file.exists())
        .collect())
}

fn source(file: &Path, faults: &mut Vec<String>) -> Result<()> {
    let text = std::fs::read_to_string(file)?;
    let name = file
        .file_stem()
        .and_then(|name| name.to_str())
        .unwrap_or_default();
    let mut fault = |what: String| faults.push(format!("{}: {what}", file.display()));
    if name == "mod" {
        fault("is a mod.rs; write foo.rs beside foo/".to_owned());
    }
    if EMPTY_NAMES.contains(&name) {
        fault("has a name that does not say what is inside".to_owned());
    }
    if !text.starts_with("//!") && !text.is_empty() {
        fault("does not open with what this room is for (//!)".to_owned());
    }
    if LINES_MAX < text.lines().count() {
        fault(format!(
            "has {} lines, over the limit of {LINES_MAX}",
            text.lines().count()
        ));
    }
    // Put together from pieces, so that this file does not accuse itself.
    for unfinished in [
        concat!("#[ig", "nore"),
        concat!("to", "do!("),
        concat!("unimpl", "emented!("),
    ] {
        if text.contains(unfinished) {
            fault(format!("holds {unfinished}"));
        }
    }
    Ok(())
}

/// Every path that a document names, and every file that it links to, exists.
fn prose(file: &Path, faults: &mut Vec<String>) -> Result<()> {
    let text = std::fs::read_to_string(file)?;
    let folder = file.parent().unwrap_or(Path::new(""));
    let link = Regex::new(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)")?;
    for found in link.captures_iter(&text) {
        if !folder.join(&found[1]).exists() {
            faults.push(format!(
                "{}: links to {}, which does not exist",
                file.display(),
                &found[1]
            ));
        }
    }
    let path = Regex::new(r"`((?:crates|xtask|docs|tools|\.ci)/[A-Za-z0-9_./-]+)`")?;
    for found in path.captures_iter(&text) {
        if !Path::new(&found[1]).exists() {
            faults.push(format!(
                "{}: names {}, which does not exist",
                file.display(),
                &found[1]
            ));
        }
    }
    Ok(())
}
