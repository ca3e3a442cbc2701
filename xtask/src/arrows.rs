//! Proves with `cargo tree` which crate knows which: all arrows point at `memory`, and only `cli`
//! knows all.

use std::collections::BTreeSet;
use std::process::Command;

use anyhow::{Context, Result, ensure};

/// Each crate, and the crates of ours that it may know.
const ARROWS: [(&str, &[&str]); 5] = [
    ("recalld-memory", &[]),
    ("recalld-store", &["recalld-memory"]),
    ("recalld-models", &["recalld-memory"]),
    ("recalld-server", &["recalld-memory"]),
    (
        "recalld",
        &[
            "recalld-memory",
            "recalld-store",
            "recalld-models",
            "recalld-server",
        ],
    ),
];

/// What a crate must not bring in, directly or not.
const ABSENT: [(&str, &[&str]); 3] = [
    (
        "recalld-memory",
        &["rusqlite", "tokio-postgres", "reqwest", "axum", "hyper", "clap"],
    ),
    ("recalld-store", &["reqwest", "axum", "clap"]),
    ("recalld-server", &["rusqlite", "tokio-postgres", "clap"]),
];

/// Checks all arrows.
pub fn check() -> Result<()> {
    for (name, allowed) in ARROWS {
        let known = dependencies(name)?;
        let ours = known
            .iter()
            .filter(|other| other.starts_with("recalld") && *other != name);
        for other in ours {
            ensure!(allowed.contains(&other.as_str()), "{name} must not know {other}");
        }
    }
    for (name, absent) in ABSENT {
        let known = dependencies(name)?;
        for other in absent {
            ensure!(!known.contains(*other), "{name} must not bring in {other}");
        }
    }
    Ok(())
}

/// Lists everything that a crate is built from, tests left out.
fn dependencies(name: &str) -> Result<BTreeSet<String>> {
    let arguments = [
        "tree",
        "--package",
        name,
        "--edges",
        "normal",
        "--prefix",
        "none",
        "--format",
        "{p}",
        "--locked",
    ];
    let output = Command::new(env!("CARGO"))
        .args(arguments)
        .output()
        .context("cargo cannot be started")?;
    ensure!(
        output.status.success(),
        "cargo tree: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    let lines = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(lines
        .lines()
        .filter_map(|line| line.split(' ').next())
        .map(str::to_owned)
        .collect())
}
