//! Chores of the workspace: `cargo xtask ci` is what decides whether a change may land.

mod arrows;
mod ci;
mod doc_tests;
mod licences;
mod postgres;
mod tidy;
mod workspace;

use std::process::ExitCode;

use anyhow::bail;

const USAGE: &str = "\
Chores of the recalld workspace

Usage: cargo xtask <chore>

  ci        everything that must hold: format, lints, tests, and the checks below
  arrows    which crate may know which
  tidy      the house rules: names, sizes, paths in the documents
  licences  every dependency has a licence that deny.toml allows
  postgres  runs what follows `--` with a PostgreSQL of its own: cargo xtask postgres -- cargo test --workspace
";

fn main() -> ExitCode {
    let chore = std::env::args().nth(1);
    let done = match chore.as_deref() {
        Some("ci") => ci::run(),
        Some("arrows") => arrows::run(&std::env::args().skip(2).collect::<Vec<_>>()),
        Some("tidy") => tidy::check(),
        Some("licences") => licences::check(),
        Some("postgres") => postgres::run(std::env::args().skip(2)),
        Some("--help" | "-h") | None => {
            print!("{USAGE}");
            Ok(())
        }
        Some(other) => (|| bail!("there is no chore {other:?}\n\n{USAGE}"))(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
