//! Rehearses a day of a deployment: upgrade, load, key rotation, crash, backup, restore, going
//! back.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::postgres::{ADDRESS, Server};
use crate::toolchain::{build_binary, built_binary, check};

const SCRIPT: &str = "tools/rehearsal/rehearse.py";

/// Runs a short rehearsal with the debug binary that was built before.
pub fn check_built() -> Result<()> {
    let binary = built_binary().context("the tests of the workspace have built no recalld")?;
    let binary = binary.to_string_lossy().into_owned();
    run(&["--binary", &binary, "--seconds", "4"].map(str::to_owned))
}

/// Runs the rehearsal on the PostgreSQL server that the environment names, or a temporary one.
pub fn run(arguments: &[String]) -> Result<()> {
    let mut binary = None;
    let mut command = Command::new("python3");
    command.arg(SCRIPT);
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let value = words.next().with_context(|| format!("{word} needs a value"))?;
        match word.as_str() {
            "--binary" => binary = Some(existing(value)?),
            "--earlier" => {
                command.arg("--earlier").arg(existing(value)?);
            }
            "--seconds" => {
                command.args(["--seconds", value]);
            }
            other => bail!("unknown argument {other:?}"),
        }
    }
    let binary = match binary {
        Some(binary) => binary,
        None => build_binary()?,
    };
    command.arg("--binary").arg(binary);
    if std::env::var_os(ADDRESS).is_some() {
        return check(&mut command);
    }
    let server = Server::start()?;
    check(server.set_environment(&mut command))
}

fn existing(path: &str) -> Result<PathBuf> {
    fs::canonicalize(path).with_context(|| format!("cannot find {path}"))
}
