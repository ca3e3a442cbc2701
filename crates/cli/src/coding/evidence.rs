//! Whether the files still say what a memory rests on. Looked at before a memory is injected, and
//! by `recalld check`.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use data_encoding::HEXLOWER;
use recalld_memory::memory::{Evidence, InvalidEvidence, Memory};
use recalld_memory::scope::Scope;
use recalld_memory::space::SpaceView;
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::project::head_commit;
use crate::engine::Engine;
use crate::failure::Failure;

/// A larger file is not looked at.
const BYTES_MAX: u64 = 1024 * 1024;

/// The most lines that belong to a symbol.
const LINES_MAX: usize = 400;

/// What became of what a memory rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Freshness {
    /// It is as it was, or nothing is known of how it was.
    Fresh,
    /// It says something else now.
    Changed,
    /// The file or the symbol is gone.
    Gone,
}

/// Looks at all that a memory rests on: the worst counts.
pub(crate) fn of_memory(memory: &Memory, root: &Path) -> Freshness {
    let all = memory.evidence.iter().map(|evidence| of(evidence, root));
    all.max().unwrap_or(Freshness::Fresh)
}

/// Finds the memories that rest on files.
pub(crate) async fn resting(engine: &Engine, scope: &Scope) -> Result<Vec<Arc<Memory>>, Failure> {
    let look = |view: &SpaceView| -> Vec<Arc<Memory>> {
        let resting = view
            .current(scope.lens())
            .filter(|memory| !memory.evidence.is_empty());
        resting.cloned().collect()
    };
    Ok(engine.ports.spaces.read(scope.space(), look).await?)
}

/// Looks at one place.
pub(crate) fn of(evidence: &Evidence, root: &Path) -> Freshness {
    let Some(text) = read(root, evidence.path()) else {
        return Freshness::Gone;
    };
    let Some(part) = part(&text, evidence.symbol()) else {
        return Freshness::Gone;
    };
    match evidence.hash() {
        Some(hash) if !digest(&part).starts_with(hash) => Freshness::Changed,
        _ => Freshness::Fresh,
    }
}

/// Takes a place down as it is now: `PATH`, or `PATH#SYMBOL`.
pub(crate) fn taken(named: &str, root: &Path) -> Result<Evidence, String> {
    let (path, symbol) = match named.split_once('#') {
        Some((path, symbol)) => (path, Some(symbol)),
        None => (named, None),
    };
    let plain = |error: InvalidEvidence| error.to_string();
    let evidence = Evidence::of_file(path).and_then(|it| it.with_symbol(symbol));
    let evidence = evidence.map_err(plain)?;
    let text = read(root, path).ok_or_else(|| format!("cannot read {path} in {}", root.display()))?;
    let part = part(&text, symbol);
    let part = part.ok_or_else(|| format!("{path} does not mention {}", symbol.unwrap_or_default()))?;
    let commit = head_commit(root);
    evidence
        .seen_as(Some(&digest(&part)), commit.as_deref())
        .map_err(plain)
}

/// Reads a file of the project, and nothing that a link leads to outside of it.
fn read(root: &Path, path: &str) -> Option<String> {
    let (root, path) = (root.canonicalize().ok()?, root.join(path).canonicalize().ok()?);
    let about = fs::metadata(&path).ok()?;
    let is_inside = path.starts_with(&root);
    (is_inside && about.is_file() && about.len() <= BYTES_MAX).then(|| fs::read_to_string(&path).ok())?
}

/// The part of a file that a symbol names: its first line, and what is indented deeper below it.
/// Without a symbol, all of it. White space at the ends of lines does not count.
fn part(text: &str, symbol: Option<&str>) -> Option<String> {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let Some(symbol) = symbol else {
        return Some(lines.join("\n"));
    };
    let first = lines.iter().position(|line| mentions(line, symbol))?;
    let depth = indentation(lines[first]);
    let below = lines[first + 1..].iter().take(LINES_MAX);
    let is_part = |line: &&&str| line.is_empty() || depth < indentation(line);
    let count = below.take_while(is_part).count();
    // The line that closes the block, if there is one.
    let end = (first + count + 2).min(lines.len());
    Some(lines[first..end].join("\n"))
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Whether a line has the symbol as a word of its own.
fn mentions(line: &str, symbol: &str) -> bool {
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    line.match_indices(symbol).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + symbol.len()..].chars().next();
        !is_word(before) && !is_word(after)
    })
}

fn digest(text: &str) -> String {
    HEXLOWER.encode(&Sha256::digest(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CODE: &str =
        "fn other() {\n    1\n}\n\nfn retry() {\n    let times = 3;\n    times\n}\n\nfn last() {}\n";

    #[test]
    fn a_change_elsewhere_leaves_evidence_fresh() {
        let place = tempfile::tempdir().unwrap();
        let write = |text: &str| fs::write(place.path().join("a.rs"), text).unwrap();
        write(CODE);
        let of_symbol = taken("a.rs#retry", place.path()).unwrap();
        let of_file = taken("a.rs", place.path()).unwrap();
        assert_eq!(of(&of_symbol, place.path()), Freshness::Fresh);
        write(&CODE.replace("    1\n", "    2  \n"));
        assert_eq!(of(&of_symbol, place.path()), Freshness::Fresh);
        assert_eq!(of(&of_file, place.path()), Freshness::Changed);
        write(&CODE.replace("times = 3", "times = 5"));
        assert_eq!(of(&of_symbol, place.path()), Freshness::Changed);
        write(&CODE.replace("fn retry", "fn retrying"));
        assert_eq!(of(&of_symbol, place.path()), Freshness::Gone);
        fs::remove_file(place.path().join("a.rs")).unwrap();
        assert_eq!(of(&of_file, place.path()), Freshness::Gone);
    }

    #[test]
    fn nothing_outside_the_project_is_read() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().join("in");
        fs::create_dir_all(&root).unwrap();
        fs::write(place.path().join("secret"), "x").unwrap();
        assert!(taken("../secret", &root).is_err());
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(place.path().join("secret"), root.join("link")).unwrap();
            assert!(taken("link", &root).is_err());
        }
        assert!(taken("nowhere", &root).is_err());
    }
}
