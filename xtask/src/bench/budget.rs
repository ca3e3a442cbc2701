//! Fails when a hot path takes many more instructions than it did.
//!
//! A small scene, in the profile that tests are built with: nothing has to be compiled for it. The
//! figures are those of an unoptimised program, so only their growth says something.

use std::fs;

use anyhow::{Context, Result, ensure};

use super::callgrind;
use super::page::grouped;
use super::scene::{Encoder, Program, Scene};

const PATH: &str = "xtask/bench-budget.toml";
const MEMORIES: usize = 100;
const WORKS: [&str; 3] = ["search", "context", "add"];
/// So much more than the budget is a regression, in percent.
const MORE_MAX: u64 = 10;

/// Compares the hot paths with what they took when the budget was written.
pub fn check() -> Result<()> {
    // It counts the instructions of programs for Linux alone.
    if !cfg!(target_os = "linux") {
        println!("   the instructions of the hot paths are not compared on this system");
        return Ok(());
    }
    ensure!(
        callgrind::install(),
        "valgrind is not installed; it counts the instructions of the hot paths"
    );
    let text = fs::read_to_string(PATH).with_context(|| format!("cannot read {PATH}"))?;
    let budget: toml::Table = toml::from_str(&text)?;
    let mut over = Vec::new();
    for (work, counted) in count()? {
        let allowed = budget.get(work).and_then(toml::Value::as_integer);
        let allowed = allowed.with_context(|| format!("{PATH} has no figure for {work}"))? as u64;
        let told = format!(
            "{work}: {} instructions, budget {}",
            grouped(counted),
            grouped(allowed)
        );
        println!("   {told}");
        if is_over(counted, allowed) {
            over.push(told);
        }
    }
    ensure!(
        over.is_empty(),
        "more than {MORE_MAX} % over budget:\n{}\nIf it is worth it, write the new figures with `cargo xtask bench \
         budget` and say why in the commit.",
        over.join("\n")
    );
    Ok(())
}

/// Writes what the hot paths take now.
pub fn renew() -> Result<()> {
    let mut text = String::from(
        "# Instructions of one request, in the profile of tests, 100 memories, without the encoder.\n\
         # `cargo xtask bench check` fails when one takes over 10 % more. Written by `cargo xtask bench budget`.\n",
    );
    for (work, counted) in count()? {
        text.push_str(&format!("{work} = {counted}\n"));
    }
    print!("{text}");
    Ok(fs::write(PATH, text)?)
}

fn count() -> Result<Vec<(&'static str, u64)>> {
    let program = Program::build("dev")?;
    let scene = Scene::prepare(&program, Encoder::Never, MEMORIES)?;
    let each = WORKS.map(|work| Ok((work, callgrind::each(&program, &scene, work)?)));
    each.into_iter().collect()
}

fn is_over(counted: u64, allowed: u64) -> bool {
    allowed * (100 + MORE_MAX) < counted * 100
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tenth_more_is_allowed() {
        assert!(!is_over(110, 100));
        assert!(is_over(111, 100));
        assert!(!is_over(50, 100));
    }
}
