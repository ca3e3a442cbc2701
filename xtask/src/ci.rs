//! Runs everything that must hold before a change lands, the quickest check first.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

use crate::postgres;
use crate::{arrows, clients, console, doc_tests, docs, licences, packages, rehearsal, tidy};

const CLIPPY: &[&str] = &[
    "clippy",
    "--workspace",
    "--all-targets",
    "--locked",
    "--quiet",
    "--",
    "-D",
    "warnings",
];

/// Runs tests of all binaries in parallel, and reports all that fail.
const NEXTEST: &[&str] = &[
    "nextest",
    "run",
    "--workspace",
    "--locked",
    "--no-fail-fast",
    "--status-level=slow",
    "--final-status-level=fail",
];

/// Runs all checks and stops at the first that fails.
pub fn run() -> Result<()> {
    let mut steps = Steps::default();
    steps.run("tidy", tidy::check)?;
    steps.run("arrows", arrows::check)?;
    steps.run("arrows control", arrows::check_control)?;
    steps.run("licences", licences::check)?;
    steps.run("format", || cargo(&["fmt", "--all", "--check"]))?;
    steps.run("clippy", || cargo(CLIPPY))?;
    if has_nextest() {
        steps.run("tests", || tests(NEXTEST))?;
        for package in doc_tests::packages()? {
            let arguments = ["test", "--doc", "--locked", "--package", &package];
            steps.run(&format!("doc tests of {package}"), || cargo(&arguments))?;
        }
    } else {
        println!("   cargo-nextest is not installed; `cargo test` runs one test binary at a time");
        steps.run("tests", || tests(&["test", "--workspace", "--locked"]))?;
    }
    steps.run("commands of the documentation", docs::check_built)?;
    steps.run("SDKs of vendors", clients::check_built)?;
    steps.run("client packages", packages::check_built)?;
    steps.run("rehearsal of a deployment", rehearsal::check_built)?;
    let mut flaky = Vec::new();
    steps.run("console in a browser", || {
        flaky = console::check_built()?;
        Ok(())
    })?;
    steps.summarise();
    for file in flaky {
        println!("FLAKY: {file} failed beside others and passed alone");
    }
    Ok(())
}

/// The steps that have passed, and how long each took.
#[derive(Default)]
struct Steps {
    passed: Vec<(String, Duration)>,
}

impl Steps {
    fn run(&mut self, name: &str, check: impl FnOnce() -> Result<()>) -> Result<()> {
        println!("== {name}");
        let start = Instant::now();
        check().with_context(|| format!("{name} failed"))?;
        let duration = start.elapsed();
        println!("   {name}: passed in {:.1} s", duration.as_secs_f64());
        self.passed.push((name.to_owned(), duration));
        Ok(())
    }

    fn summarise(&self) {
        println!();
        for (name, duration) in &self.passed {
            println!("{:>8.1} s  {name}", duration.as_secs_f64());
        }
        let total: Duration = self.passed.iter().map(|(_, duration)| *duration).sum();
        println!("\nall checks passed in {} s", total.as_secs());
    }
}

/// Runs all tests against the PostgreSQL server that the environment names, or a temporary one.
fn tests(arguments: &[&str]) -> Result<()> {
    let mut command = Command::new(env!("CARGO"));
    command.args(arguments);
    let server = match std::env::var_os(postgres::ADDRESS) {
        Some(_) => None,
        None => Some(postgres::Server::start()?),
    };
    if let Some(server) = &server {
        server.set_environment(&mut command);
    }
    wait_for_success(&mut command)
}

fn has_nextest() -> bool {
    Command::new(env!("CARGO"))
        .args(["nextest", "--version"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

fn cargo(arguments: &[&str]) -> Result<()> {
    wait_for_success(Command::new(env!("CARGO")).args(arguments))
}

fn wait_for_success(command: &mut Command) -> Result<()> {
    let status = command.status().context("cannot start cargo")?;
    ensure!(status.success(), "cargo failed with {status}");
    Ok(())
}
