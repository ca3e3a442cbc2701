//! Everything that must hold before a change lands, the quickest first.

use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, ensure};

use crate::postgres;

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
    step("tests", tests)?;
    println!("\nall checks passed in {} s", began.elapsed().as_secs());
    Ok(())
}

/// Runs all tests, with the PostgreSQL that is named in the environment or one of their own.
fn tests() -> Result<()> {
    let mut command = Command::new(env!("CARGO"));
    command.args(["test", "--workspace", "--locked"]);
    let server = match std::env::var_os(postgres::ADDRESS) {
        Some(_) => None,
        None => Some(postgres::Server::start()?),
    };
    if let Some(server) = &server {
        server.lend(&mut command);
    }
    finished(&mut command)
}

fn step(name: &str, check: impl FnOnce() -> Result<()>) -> Result<()> {
    println!("== {name}");
    let began = Instant::now();
    check().with_context(|| format!("{name} failed"))?;
    println!("   {name} took {} s", began.elapsed().as_secs());
    Ok(())
}

fn cargo(arguments: &[&str]) -> Result<()> {
    finished(Command::new(env!("CARGO")).args(arguments))
}

fn finished(command: &mut Command) -> Result<()> {
    let status = command.status().context("cargo cannot be started")?;
    ensure!(status.success(), "cargo ended with {status}");
    Ok(())
}
