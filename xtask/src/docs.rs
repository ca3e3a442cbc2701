//! Runs the shell commands of the documentation, literally and in order.
//!
//! Every fenced block marked `sh`, `bash` or `shell` in README.md and docs/ runs in bash, all
//! blocks of a page in one shell, in an empty home directory. A comment on the line before a block
//! says otherwise: `<!-- not run: REASON -->` leaves it out, and is counted; `<!-- stays running
//! -->` starts it in the background until the page ends, and waits until a server answers.

mod page;
mod shell;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use crate::toolchain::{build_binary, built_binary};
use page::{Block, Running};

/// The most blocks that may be left out. It may only shrink.
const NOT_RUN_MAX: usize = 23;

/// Runs all blocks with the binary that the tests of the workspace have built.
pub fn check_built() -> Result<()> {
    let binary = built_binary().context("the tests of the workspace have built no recalld")?;
    run_with(&binary, &[])
}

/// Runs the blocks of all pages, or of those that are named.
pub fn run(arguments: &[String]) -> Result<()> {
    let mut binary = None;
    let mut only = Vec::new();
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--binary" => {
                let path = arguments.next().context("--binary needs a path")?;
                binary = Some(fs::canonicalize(path).with_context(|| format!("cannot find {path}"))?);
            }
            page if page.ends_with(".md") => only.push(PathBuf::from(page)),
            other => bail!("unknown argument {other:?}"),
        }
    }
    let binary = match binary {
        Some(binary) => binary,
        None => build_binary()?,
    };
    run_with(&binary, &only)
}

fn run_with(binary: &Path, only: &[PathBuf]) -> Result<()> {
    let (mut ran, mut left_out, mut failed) = (0, 0, Vec::new());
    for path in pages()? {
        if !only.is_empty() && !only.contains(&path) {
            continue;
        }
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let blocks = page::blocks(&text).with_context(|| path.display().to_string())?;
        for Block { line, running, .. } in &blocks {
            if let Running::Not { reason } = running {
                println!("   not run: {}:{line}: {reason}", path.display());
                left_out += 1;
            }
        }
        let runs = blocks
            .iter()
            .filter(|block| !matches!(block.running, Running::Not { .. }));
        let count = runs.count();
        if count == 0 {
            continue;
        }
        match shell::run(binary, &blocks) {
            Ok(()) => ran += count,
            Err(error) => failed.push(format!("{}: {error:#}", path.display())),
        }
    }
    println!("   {ran} blocks ran, {left_out} were left out for the reason that the page gives");
    ensure!(
        failed.is_empty(),
        "commands of the documentation failed:\n\n{}",
        failed.join("\n\n")
    );
    ensure!(
        left_out <= NOT_RUN_MAX,
        "{left_out} blocks are left out, over the limit of {NOT_RUN_MAX}"
    );
    Ok(())
}

/// The README and all pages below `docs`.
fn pages() -> Result<Vec<PathBuf>> {
    let mut pages = vec![PathBuf::from("README.md")];
    for entry in fs::read_dir(Path::new("docs"))? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "md") {
            pages.push(path);
        }
    }
    pages[1..].sort();
    Ok(pages)
}
