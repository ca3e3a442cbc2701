//! Finds the packages that have examples in their documentation: nextest does not run those, and
//! running rustdoc on packages without any costs time for nothing.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use crate::workspace;

/// The words after the opening fence of an example that is Rust.
const RUST: [&str; 6] = [
    "",
    "rust",
    "should_panic",
    "no_run",
    "compile_fail",
    "edition2024",
];

/// Lists the libraries of the workspace with at least one example.
pub fn packages() -> Result<BTreeSet<String>> {
    let mut found = BTreeSet::new();
    for package in workspace::packages()? {
        let source = package.folder.join("src");
        if source.join("lib.rs").exists() {
            for file in workspace::rust_files(&source)? {
                if file_has_example(&file)? {
                    found.insert(package.name.clone());
                    break;
                }
            }
        }
    }
    Ok(found)
}

fn file_has_example(file: &Path) -> Result<bool> {
    let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    Ok(has_example(&text))
}

/// Whether a documentation comment opens a fence that is Rust.
fn has_example(text: &str) -> bool {
    let mut is_open = false;
    for line in text.lines() {
        let line = line.trim_start();
        let documentation = line.strip_prefix("///").or_else(|| line.strip_prefix("//!"));
        let Some(fence) = documentation.and_then(|line| line.trim().strip_prefix("```")) else {
            continue;
        };
        if !is_open && fence.split(',').all(|word| RUST.contains(&word.trim())) {
            return true;
        }
        is_open = !is_open;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::has_example;

    #[test]
    fn only_rust_in_documentation_is_an_example() {
        assert!(has_example("/// Adds.\n///\n/// ```\n/// add(1);\n/// ```\n"));
        assert!(has_example("//! ```rust,no_run\n//! ```\n"));
        assert!(!has_example("/// ```text\n/// a table\n/// ```\n"));
        assert!(!has_example("// ```\nlet fence = \"```\";\n"));
    }
}
