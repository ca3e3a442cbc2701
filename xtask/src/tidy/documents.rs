//! Every path that a Markdown document mentions exists.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use regex::Regex;

use super::fault::{Fault, Rule};

/// Documents about the source, where `space/view.rs` means a file of some crate. Elsewhere a name
/// such as `config.toml` may be a file of the user.
const ABOUT_THE_SOURCE: [&str; 2] = ["ARCHITECTURE.md", "CONTRIBUTING.md"];

/// The target of a link, without its fragment. Addresses have a colon.
static LINK: LazyLock<Regex> = LazyLock::new(|| pattern(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)"));

/// A path from the root of the repository: in code, or at the start of a line of a code block.
static FROM_ROOT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?:`|^\s*)((?:crates|xtask|docs|tools|clients|examples|\.ci)/[A-Za-z0-9_./-]+)")
});

/// The end of the path of a source file or a folder, in code.
static PATH_END: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"`((?:[A-Za-z0-9_.-]+/)*(?:[A-Za-z0-9_-]+\.(?:rs|md|sql|toml|py|json)|[a-z0-9_-]+/))`")
});

/// A source file, in code.
static SOURCE_FILE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"`((?:[A-Za-z0-9_.-]+/)*[A-Za-z0-9_-]+\.rs)`"));

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the pattern is valid")
}

/// Returns the paths that the document mentions and that are not among the tracked files.
pub fn faults(document: &Path, text: &str, files: &[PathBuf]) -> Vec<Fault> {
    let folder = document.parent().unwrap_or(Path::new(""));
    let is_about_source = document
        .to_str()
        .is_some_and(|name| ABOUT_THE_SOURCE.contains(&name));
    let path_end: &Regex = match is_about_source {
        true => &PATH_END,
        false => &SOURCE_FILE,
    };
    let mut faults = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let mut missing = Vec::new();
        for found in LINK.captures_iter(line) {
            if !folder.join(&found[1]).exists() {
                missing.push(found[1].to_owned());
            }
        }
        for found in FROM_ROOT.captures_iter(line) {
            let path = found[1].trim_end_matches('.');
            if !exists_from_root(path, files) {
                missing.push(path.to_owned());
            }
        }
        for found in path_end.captures_iter(line) {
            if !ends_a_path(&found[1], files) && !missing.contains(&found[1].to_owned()) {
                missing.push(found[1].to_owned());
            }
        }
        faults.extend(missing.into_iter().map(|path| {
            let message = format!("mentions {path}, which does not exist");
            Fault::of_line(Rule::DocumentPath, document, number, message)
        }));
    }
    faults
}

fn exists_from_root(path: &str, files: &[PathBuf]) -> bool {
    files.iter().any(|file| file.starts_with(path))
}

/// Whether a tracked file ends with `path`, or a tracked folder if `path` ends with a slash.
fn ends_a_path(path: &str, files: &[PathBuf]) -> bool {
    match path.strip_suffix('/') {
        None => files.iter().any(|file| file.ends_with(path)),
        Some(folder) => files
            .iter()
            .any(|file| file.ancestors().skip(1).any(|above| above.ends_with(folder))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(document: &str, text: &str, expected: &[&str]) {
        let files = ["crates/memory/src/space/view.rs", "docs/storage.md"].map(PathBuf::from);
        let found: Vec<String> = faults(Path::new(document), text, &files)
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn paths_that_do_not_exist_are_found() {
        check(
            "ARCHITECTURE.md",
            "`crates/memory`, `crates/memory/src/space/view.rs`, `space/`, `view.rs`, `space/view.rs`",
            &[],
        );
        let missing = |path: &str| format!("ARCHITECTURE.md:1: mentions {path}, which does not exist");
        for path in ["crates/memory/src/space.rs", "ace/view.rs", "spaces/", "view.md"] {
            check("ARCHITECTURE.md", &format!("See `{path}`."), &[&missing(path)]);
        }
        check(
            "ARCHITECTURE.md",
            "crates/gone   a room",
            &[&missing("crates/gone")],
        );
        check("ARCHITECTURE.md", "[link](gone.md#part)", &[&missing("gone.md")]);
    }

    #[test]
    fn documents_for_users_may_mention_their_files() {
        check(
            "README.md",
            "Edit `config.toml` in `data/`, see https://example.com/docs/a.",
            &[],
        );
        check(
            "README.md",
            "`gone.rs`",
            &["README.md:1: mentions gone.rs, which does not exist"],
        );
    }
}
