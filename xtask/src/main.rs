//! Checks and chores of the workspace. `cargo xtask ci` decides whether a change may land.

mod arrows;
mod ci;
mod console;
mod doc_tests;
mod licences;
mod postgres;
mod tidy;
mod workspace;

use std::process::ExitCode;

use anyhow::{Result, bail};

const USAGE: &str = "\
Checks and chores of the recalld workspace

Usage: cargo xtask <command>

  ci        run every check that lets a change land: arrows, tidy, licences, formatting, clippy
              and all tests; the browser suite (console) is run by itself
  arrows    check dependencies between crates, and that no modules form a cycle
              --all      list all module cycles
              --control  check that the checks can fail
  tidy      check names, comments, file sizes and the paths in documents
  licences  check that deny.toml allows the licence of every dependency
  postgres  run a command with a temporary PostgreSQL server:
              cargo xtask postgres -- cargo test --workspace
  console   test the console in a browser, on SQLite and on PostgreSQL
              --binary PATH  test this binary instead of building one
              NAME.test.mjs  run only this file
              screenshots    make the screenshots in docs/console instead
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<()> {
    let (command, rest) = match arguments.split_first() {
        Some((command, rest)) => (command.as_str(), rest),
        None => ("--help", arguments),
    };
    if matches!(command, "ci" | "console" | "arrows" | "tidy" | "licences") {
        workspace::enter_root()?;
    }
    match command {
        "ci" => ci::run(),
        "console" => console::run(rest),
        "arrows" => arrows::run(rest),
        "tidy" => tidy::check(),
        "licences" => licences::check(),
        "postgres" => postgres::run(rest),
        "--help" | "-h" => {
            print!("{USAGE}");
            Ok(())
        }
        other => bail!("unknown command {other:?}\n\n{USAGE}"),
    }
}
