//! Runs what takes too long before every change: the console with a long list, all SDKs of vendors,
//! the client packages and the examples, each on SQLite and on PostgreSQL, and the rehearsal.

use anyhow::{Context, Result, bail};

use crate::toolchain::build_binary;
use crate::{clients, console, packages, rehearsal};

/// Runs all of it with one binary, and reports at the end what failed.
pub fn run(arguments: &[String]) -> Result<()> {
    let binary = match arguments {
        [] => build_binary()?.to_string_lossy().into_owned(),
        [option, path] if option == "--binary" => path.clone(),
        _ => bail!("usage: cargo xtask nightly [--binary PATH]"),
    };
    let with = |more: &[&str]| -> Vec<String> {
        let words = ["--binary", &binary].into_iter().chain(more.iter().copied());
        words.map(str::to_owned).collect()
    };
    let steps = [
        ("SDKs of vendors", clients::run(&with(&[]))),
        ("client packages and examples", packages::run(&with(&[]))),
        ("rehearsal of a deployment", rehearsal::run(&with(&[]))),
        ("console in a browser", console::run(&with(&["--full"]))),
    ];
    let mut failed = Vec::new();
    for (name, result) in steps {
        match result.with_context(|| format!("{name} failed")) {
            Ok(()) => println!("passed  {name}"),
            Err(error) => {
                println!("FAILED  {error:#}");
                failed.push(name);
            }
        }
    }
    match failed.as_slice() {
        [] => Ok(()),
        failed => bail!("failed: {}", failed.join(", ")),
    }
}
