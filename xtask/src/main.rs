//! Checks and chores of the workspace. `cargo xtask ci` decides whether a change may land.

mod arrows;
mod bench;
mod build;
mod ci;
mod clients;
mod console;
mod dist;
mod doc_tests;
mod docs;
mod licences;
mod nightly;
mod packages;
mod postgres;
mod rehearsal;
mod tidy;
mod toolchain;
mod workspace;

use std::process::ExitCode;

use anyhow::{Result, bail};

const USAGE: &str = "\
Checks and chores of the recalld workspace

Usage: cargo xtask <command>

  ci        run every check that lets a change land: arrows, tidy, licences, formatting, clippy,
              all tests, the commands of the documentation, the main SDKs of vendors, the client
              packages, a short rehearsal, and the console in a browser
  nightly   run what takes longer, on SQLite and on PostgreSQL: all SDKs of vendors, the client
              packages, the examples, and the console with a long list
              --binary PATH  test this binary instead of building one
  bench     measure what requests take, and write docs/performance.md
              --profile NAME  of the program that is measured; bench if none is given
              --program PATH  measure this build of the example hot_paths
              --sizes N,N     only with so many memories, and write no page
              --peers         measure what could be used instead, from its public packages
              check           compare the hot paths with xtask/bench-budget.toml
              budget          write that file anew
  arrows    check dependencies between crates, and that no modules form a cycle
              --all      list all module cycles
              --control  check that the checks can fail
  tidy      check names, comments, file sizes and the paths in documents
  licences  check that deny.toml allows the licence of every dependency
  docs      run the shell commands of README.md and docs/, literally and in order
              --binary PATH  run this binary instead of building one
              PAGE.md        run only this page
  dist      make the packages in target/packages: wheel, npm, deb, container, mcpb, archive, sbom,
              homebrew, or those that are named
              --binary PATH  pack this binary instead of building one with the profile dist
              --out DIR      where they go
              --try-in ROOT  install them in copies of this minimal system, and use them there
              --agents DIR   and with the Claude Code that npm installed in DIR
  postgres  run a command with a temporary PostgreSQL server:
              cargo xtask postgres -- cargo test --workspace
  rehearsal rehearse a deployment on PostgreSQL: upgrade, load, key rotation, crash, backup, restore
              --binary PATH   rehearse with this binary instead of building one
              --earlier PATH  go back to this binary
              --seconds N     how long each phase of the load lasts
  console   test the console in a browser, on SQLite and on PostgreSQL
              --binary PATH  test this binary instead of building one
              --full         with a list of 20,000 memories
              NAME.test.mjs  run only this file
              screenshots    make the screenshots in docs/console instead
  clients   drive the SDKs of vendors, on SQLite and on PostgreSQL
              --binary PATH  test this binary instead of building one
              --sqlite       on SQLite only
              FILE           run only this script
  packages  test the client packages and the examples, on SQLite and on PostgreSQL
              --binary PATH  test this binary instead of building one
              python, typescript, examples   test only these
              generate       make the typed parts of the packages from the OpenAPI document instead
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
    if matches!(
        command,
        "bench"
            | "ci"
            | "nightly"
            | "clients"
            | "console"
            | "arrows"
            | "dist"
            | "docs"
            | "packages"
            | "rehearsal"
            | "tidy"
            | "licences"
    ) {
        workspace::enter_root()?;
    }
    match command {
        "bench" => bench::run(rest),
        "ci" => ci::run(),
        "clients" => clients::run(rest),
        "console" => console::run(rest),
        "dist" => dist::run(rest),
        "docs" => docs::run(rest),
        "nightly" => nightly::run(rest),
        "packages" => packages::run(rest),
        "arrows" => arrows::run(rest),
        "tidy" => tidy::check(),
        "licences" => licences::check(),
        "postgres" => postgres::run(rest),
        "rehearsal" => rehearsal::run(rest),
        "--help" | "-h" => {
            print!("{USAGE}");
            Ok(())
        }
        other => bail!("unknown command {other:?}\n\n{USAGE}"),
    }
}
