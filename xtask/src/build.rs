//! Builds the program for packages.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};

use crate::toolchain::check;

/// Builds the program as packages contain it, and returns its path.
pub fn packaged_binary() -> Result<PathBuf> {
    let arguments = [
        "build",
        "--locked",
        "--profile",
        "dist",
        "--bin",
        "recalld",
        "--all-features",
    ];
    check(Command::new(env!("CARGO")).args(arguments))?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from("target"), PathBuf::from);
    let path = target.join("dist/recalld");
    fs::canonicalize(&path).with_context(|| format!("cannot find {}", path.display()))
}
