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
use module_graph::{ModuleCycle, module_cycles};

pub use control::check as check_control;

/// Crates that still have cycles between top-level modules. A crate that has none left must be
/// removed from the list.
const KNOWN_TOP_LEVEL_CYCLES: &[&str] = &["recalld-memory", "recalld-models"];

/// Crates that still have cycles between the modules of a folder, under the same rule.
const KNOWN_NESTED_CYCLES: &[&str] = &["recalld-memory", "recalld-models"];

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
    let mut tolerated = 0;
    for package in &packages {
        let (top_level, nested): (Vec<ModuleCycle>, _) = module_cycles(&package.folder)?
            .into_iter()
            .partition(ModuleCycle::is_top_level);
        let levels = [
            (top_level, KNOWN_TOP_LEVEL_CYCLES, "KNOWN_TOP_LEVEL_CYCLES"),
            (nested, KNOWN_NESTED_CYCLES, "KNOWN_NESTED_CYCLES"),
        ];
        for (cycles, known, list) in levels {
            if !known.contains(&package.name.as_str()) {
                faults.extend(cycles.iter().map(ToString::to_string));
            } else if cycles.is_empty() {
                faults.push(format!(
                    "{} has no such cycles left; remove it from {list} in arrows.rs",
                    package.name
                ));
            } else {
                tolerated += cycles.len();
            }
        }
    }
    if 0 < tolerated {
        println!("   {tolerated} known module cycles; `cargo xtask arrows --all` lists them");
    }
    match faults.is_empty() {
        true => Ok(()),
        false => bail!("faults: {}\n{}", faults.len(), faults.join("\n")),
    }
}

/// Prints all module cycles, known ones included.
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
