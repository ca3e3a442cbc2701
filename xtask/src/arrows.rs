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

use module_graph::{ModuleCycle, module_cycles};

pub use control::check as check_control;

/// Whether a cycle between siblings below the top level fails the check. If not, it is counted.
const NESTED_CYCLES_FAIL: bool = true;

/// Crates whose module cycles are known and do not fail the check yet. A crate that has none left
/// must be taken off the list.
const UNMENDED: &[&str] = &[];

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
    let packages = crate_graph::workspace()?;
    let mut faults = crate_graph::faults(&packages);
    faults.extend(crate_graph::forbidden_packages(&packages)?);
    let mut tolerated = 0;
    for package in &packages {
        let (failing, other): (Vec<ModuleCycle>, _) = module_cycles(&package.folder)?
            .into_iter()
            .partition(|cycle| cycle.is_top_level() || NESTED_CYCLES_FAIL);
        tolerated += other.len();
        if !UNMENDED.contains(&package.name.as_str()) {
            faults.extend(failing.iter().map(ToString::to_string));
        } else if failing.is_empty() {
            faults.push(format!(
                "{} has no cycles; take it off UNMENDED in arrows.rs",
                package.name
            ));
        } else {
            tolerated += failing.len();
        }
    }
    if 0 < tolerated {
        println!("   {tolerated} module cycles are tolerated; `cargo xtask arrows --all` lists them");
    }
    match faults.is_empty() {
        true => Ok(()),
        false => bail!("{} faults:\n{}", faults.len(), faults.join("\n")),
    }
}

/// Prints all module cycles, those that do not fail the check included.
fn list() -> Result<()> {
    let (mut top_level, mut nested) = (0, 0);
    for package in crate_graph::workspace()? {
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
