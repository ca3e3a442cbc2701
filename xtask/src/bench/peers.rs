//! Measures what users would pick instead, from their own public packages, in the same run.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::toolchain::check;

const SCRIPT: &str = "tools/peers/measure.py";
const PACKAGES: &str = "tools/peers/requirements.txt";

/// Installs the packages into an environment of their own, and measures.
pub fn run(arguments: &[String]) -> Result<()> {
    let binary = match arguments {
        [flag, path] if flag == "--binary" => PathBuf::from(path),
        [] => release_binary()?,
        _ => bail!("usage: cargo xtask bench --peers [--binary PATH]"),
    };
    let target = target();
    let environment = target.join("peers");
    let python = environment.join("bin/python");
    if !python.exists() {
        check(Command::new("python3").args(["-m", "venv"]).arg(&environment))
            .context("Python with its module venv is needed")?;
    }
    let mut install = Command::new(&python);
    install.args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "-r",
        PACKAGES,
    ]);
    check(&mut install)?;
    check(Command::new(&python).arg(SCRIPT).arg(&binary))
}

fn release_binary() -> Result<PathBuf> {
    let arguments = ["build", "--locked", "--release", "--bin", "recalld"];
    check(Command::new(env!("CARGO")).args(arguments))?;
    Ok(target().join("release/recalld"))
}

fn target() -> PathBuf {
    let named = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    named.unwrap_or_else(|| Path::new("target").to_owned())
}
