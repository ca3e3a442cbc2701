//! Shows that the checks can fail: they must find the faults of built-in examples.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

use crate::workspace::Package;

use super::crate_graph;
use super::module_graph::module_cycles;

/// A crate with a cycle between top-level modules, one inside a folder, and none elsewhere.
const CYCLIC: &[(&str, &str)] = &[
    ("src/lib.rs", "mod reader; mod report; mod writer;"),
    (
        "src/reader.rs",
        "use crate::report::{self, Report}; pub fn read() {}",
    ),
    ("src/report.rs", "mod line; mod page; pub struct Report;"),
    ("src/report/line.rs", "pub fn line() { super::page::page() }"),
    (
        "src/report/page.rs",
        "pub fn page() { vec![super::line::line()]; crate::writer::write() }",
    ),
    ("src/writer.rs", "pub fn write() { crate::reader::read() }"),
];

/// The routes of the cycles above.
const CYCLIC_ROUTES: &[&str] = &[
    "crate: reader → report → writer → reader",
    "crate::report: line → page → line",
];

/// The same modules with arrows in one direction.
const ACYCLIC: &[(&str, &str)] = &[
    ("src/lib.rs", "mod reader; mod report; mod writer;"),
    ("src/reader.rs", "use crate::report::Report; pub fn read() {}"),
    ("src/report.rs", "mod line; mod page; pub struct Report;"),
    ("src/report/line.rs", "pub fn line() { super::page::page() }"),
    ("src/report/page.rs", "use super::Report; pub fn page() {}"),
    (
        "src/writer.rs",
        "#[cfg(test)] mod tests { use super::*; } pub fn write() { crate::reader::read() }",
    ),
];

/// Fails if a check does not find what it must find.
pub fn check() -> Result<()> {
    let found = cycle_routes(CYCLIC)?;
    ensure!(
        found == CYCLIC_ROUTES,
        "the module check must find {CYCLIC_ROUTES:?}, but finds {found:?}"
    );
    let found = cycle_routes(ACYCLIC)?;
    ensure!(
        found.is_empty(),
        "the module check must find nothing, but finds {found:?}"
    );
    let packages = [
        package("recalld-memory", &["recalld-store", "serde"]),
        package("recalld-store", &["recalld-memory"]),
        package("recalld-server", &["recalld-testing"]),
        package("recalld-testing", &["recalld-store"]),
        package("recalld-unlisted", &[]),
    ];
    let mut found = crate_graph::faults(&packages);
    let dependencies = ["serde", "rusqlite"].map(str::to_owned).into();
    found.extend(crate_graph::forbidden("recalld-memory", &dependencies));
    let expected = [
        "recalld-memory must not depend on recalld-store",
        "recalld-server must not depend on recalld-testing",
        "recalld-unlisted has no rule in crate_graph.rs",
        "recalld-memory must not bring in rusqlite",
    ];
    ensure!(
        found == expected,
        "the crate check must find {expected:?}, but finds {found:?}"
    );
    Ok(())
}

/// Writes a package to a temporary folder and returns its module cycles as `parent: a → b → a`.
pub(super) fn cycle_routes(files: &[(&str, &str)]) -> Result<Vec<String>> {
    let folder = tempfile::tempdir().context("cannot create a temporary folder")?;
    write_files(folder.path(), files)?;
    let cycles = module_cycles(folder.path())?;
    Ok(cycles
        .iter()
        .map(|cycle| format!("{}: {}", cycle.parent, cycle.route()))
        .collect())
}

pub(super) fn write_files(folder: &Path, files: &[(&str, &str)]) -> Result<()> {
    for (name, text) in files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap_or(folder))?;
        fs::write(path, text)?;
    }
    Ok(())
}

fn package(name: &str, depends_on: &[&str]) -> Package {
    Package {
        name: name.to_owned(),
        folder: Path::new("crates").join(name),
        depends_on: depends_on
            .iter()
            .map(ToString::to_string)
            .collect::<BTreeSet<_>>(),
    }
}
