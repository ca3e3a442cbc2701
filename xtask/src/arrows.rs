//! Proves which crate depends on which, and that no crate has a cycle between its modules.
//!
//! Modules are read from the source with `syn`, which takes seconds and needs no compiled crate.
//! An arrow leads from a module to each module that it names, in a `use` or anywhere else.

mod cfg_test;
mod control;
mod crate_graph;
mod cycles;
mod module_graph;
mod module_tree;
mod names;
mod resolve;
#[cfg(test)]
mod tests;
mod token_paths;

use anyhow::{Result, bail};

use crate::workspace;
use module_graph::module_cycles;

pub use control::check as check_control;

/// Runs `cargo xtask arrows` with its arguments.
pub fn run(arguments: &[String]) -> Result<()> {
    match arguments {
        [] => check(),
        [option] if option == "--all" => list(),
        [option] if option == "--control" => check_control(),
        _ => bail!("usage: cargo xtask arrows [--all | --control]"),
    }
}

/// Checks the crate graph and the module graph of each crate.
pub fn check() -> Result<()> {
    let packages = workspace::packages()?;
    let mut faults = crate_graph::check(&packages)?;
    for package in &packages {
        let cycles = module_cycles(&package.folder)?;
        faults.extend(cycles.iter().map(ToString::to_string));
    }
    match faults.is_empty() {
        true => Ok(()),
        false => bail!("faults: {}\n{}", faults.len(), faults.join("\n")),
    }
}

/// Prints all module cycles.
fn list() -> Result<()> {
    let (mut top_level, mut nested) = (0, 0);
    for package in workspace::packages()? {
        for cycle in module_cycles(&package.folder)? {
            match cycle.is_top_level() {
                true => top_level += 1,
                false => nested += 1,
            }
            println!("{cycle}");
        }
    }
    println!("{top_level} cycles between top-level modules, {nested} below");
    Ok(())
}
