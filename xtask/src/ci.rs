//! Everything that must hold before a change lands, the quickest first.

use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, ensure};

/// Runs all checks and stops at the first that fails.
pub fn run() -> Result<()> {
    let began = Instant::now();
    step("tidy", crate::tidy::check)?;
    step("arrows", crate::arrows::check)?;
    step("licences", crate::licences::check)?;
    step("format", || cargo(&["fmt", "--all", "--check"]))?;
    let lints = [
        "clippy",
        "--workspace",
        "--all-targets",
        "--locked",
        "--quiet",
        "--",
        "-D",
        "warnings",
    ];
    step("lints", || cargo(&lints))?;
    step("tests", || cargo(&["test", "--workspace", "--locked"]))?;
    println!("\nall checks passed in {} s", began.elapsed().as_secs());
    Ok(())
}

fn step(name: &str, check: impl FnOnce() -> Result<()>) -> Result<()> {
    println!("== {name}");
    let began = Instant::now();
    check().with_context(|| format!("{name} failed"))?;
    println!("   {name} took {} s", began.elapsed().as_secs());
    Ok(())
}

fn cargo(arguments: &[&str]) -> Result<()> {
    let status = Command::new(env!("CARGO"))
        .args(arguments)
        .status()
        .context("cargo cannot be started")?;
    ensure!(
        status.success(),
        "cargo {} ended with {status}",
        arguments.join(" ")
    );
    Ok(())
}
