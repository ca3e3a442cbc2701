//! The user's own commit messages.

use std::path::Path;
use std::process::Command;

use super::Said;

/// How many commits are read, the newest first.
const COMMITS_MAX: &str = "--max-count=2000";

/// Between the fields of a commit, and between commits.
const FIELD: char = '\u{1f}';
const COMMIT: char = '\u{1e}';

/// Reads the messages of the commits that the user made in a repository.
pub(crate) fn said(root: &Path) -> Vec<Said> {
    let own = git(root, &["config", "user.email"]).unwrap_or_default();
    let own = own.trim();
    if own.is_empty() {
        return Vec::new();
    }
    let (author, format) = (
        format!("--author=<{own}>"),
        format!("--format=%aI{FIELD}%B{COMMIT}"),
    );
    let words = [
        "log",
        "--fixed-strings",
        "--no-merges",
        COMMITS_MAX,
        &author,
        &format,
    ];
    let log = git(root, &words).unwrap_or_default();
    let commits = log.split(COMMIT).filter_map(|commit| commit.split_once(FIELD));
    let said = commits.map(|(at, text)| Said {
        text: text.trim().to_owned(),
        folder: root.to_owned(),
        at: at.trim().parse().ok(),
    });
    said.collect()
}

fn git(root: &Path, words: &[&str]) -> Option<String> {
    let done = Command::new("git")
        .arg("-C")
        .arg(root)
        .args(words)
        .output()
        .ok()?;
    done.status
        .success()
        .then(|| String::from_utf8_lossy(&done.stdout).into_owned())
}
