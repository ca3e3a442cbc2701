//! Checks conventions that neither the compiler nor clippy knows: names, sizes, comments, and the
//! paths that documents mention.

mod documents;
mod fault;
mod sizes;
mod source;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use fault::{Fault, Rule};

/// Rules that a file, or some file below a folder, does not follow yet. An exception that excuses
/// nothing must be removed.
const EXCEPTIONS: &[(&str, &[Rule])] = &[];

/// Checks all files that git tracks.
pub fn check() -> Result<()> {
    let files = tracked_files()?;
    let (mut faults, excused) = partition(faults(&files)?, EXCEPTIONS);
    faults.extend(unused_exceptions(&excused, EXCEPTIONS));
    if !excused.is_empty() {
        println!("   {} known faults are excused in tidy.rs", excused.len());
    }
    match faults.is_empty() {
        true => Ok(()),
        false => {
            let lines: Vec<String> = faults.iter().map(ToString::to_string).collect();
            bail!("faults: {}\n{}", faults.len(), lines.join("\n"))
        }
    }
}

fn faults(files: &[PathBuf]) -> Result<Vec<Fault>> {
    let mut faults = Vec::new();
    let mut lengths = Vec::new();
    for file in files {
        let extension = file.extension().and_then(|extension| extension.to_str());
        if !matches!(extension, Some("rs" | "md")) {
            continue;
        }
        let text =
            std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
        if extension == Some("rs") {
            faults.extend(source::faults(file, &text));
            lengths.push((file.as_path(), text.lines().count()));
        } else {
            faults.extend(documents::faults(file, &text, files));
        }
    }
    faults.extend(sizes::faults(&lengths));
    Ok(faults)
}

/// Separates faults from those that an exception excuses.
fn partition(faults: Vec<Fault>, exceptions: &[(&str, &[Rule])]) -> (Vec<Fault>, Vec<Fault>) {
    faults.into_iter().partition(|fault| {
        !exceptions
            .iter()
            .any(|(folder, rules)| fault.file.starts_with(folder) && rules.contains(&fault.rule))
    })
}

fn unused_exceptions(excused: &[Fault], exceptions: &[(&str, &[Rule])]) -> Vec<Fault> {
    let mut unused = Vec::new();
    for (folder, rules) in exceptions {
        for rule in *rules {
            let is_used = |fault: &Fault| fault.file.starts_with(folder) && fault.rule == *rule;
            if !excused.iter().any(is_used) {
                let message = format!("follows {rule:?}; remove the exception from tidy.rs");
                unused.push(Fault::of_file(*rule, Path::new(folder), message));
            }
        }
    }
    unused
}

fn tracked_files() -> Result<Vec<PathBuf>> {
    let output = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .output()
        .context("cannot start git")?;
    ensure!(
        output.status.success(),
        "git ls-files failed: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    let list = String::from_utf8(output.stdout)?;
    Ok(list
        .lines()
        .map(PathBuf::from)
        .filter(|file| file.exists())
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exception_excuses_one_rule_in_one_folder() {
        let fault = |rule, file| Fault::of_file(rule, Path::new(file), String::new());
        let faults = vec![
            fault(Rule::Name, "crates/a/src/utils.rs"),
            fault(Rule::Name, "crates/b/src/utils.rs"),
            fault(Rule::Opening, "crates/a/src/lib.rs"),
        ];
        let exceptions: &[(&str, &[Rule])] = &[("crates/a", &[Rule::Name, Rule::CommentWidth])];
        let (kept, excused) = partition(faults, exceptions);
        assert_eq!((kept.len(), excused.len()), (2, 1));
        let unused = unused_exceptions(&excused, exceptions);
        assert_eq!(
            unused[0].to_string(),
            "crates/a: follows CommentWidth; remove the exception from tidy.rs"
        );
        assert_eq!(unused.len(), 1);
    }
}
