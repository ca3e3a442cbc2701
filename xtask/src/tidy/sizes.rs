//! Keeps files short. Crates that have longer files may only get better: the numbers below must
//! match what is there, so they fall with every file that is split and never rise unnoticed.

use std::collections::BTreeMap;
use std::path::Path;

use super::fault::{Fault, Rule};

/// A file of at most this many lines keeps to one idea.
const LINES_MAX: usize = 300;

/// How many files of a crate are longer than [`LINES_MAX`], and the lines of the longest.
const LONG_FILES: &[(&str, LongFiles)] = &[
    ("crates/cli", LongFiles::new(4, 476)),
    ("crates/index", LongFiles::new(5, 384)),
    ("crates/memory", LongFiles::new(9, 493)),
    ("crates/models", LongFiles::new(2, 325)),
    ("crates/portability", LongFiles::new(7, 394)),
    ("crates/server", LongFiles::new(4, 398)),
    ("crates/store", LongFiles::new(7, 518)),
];

/// A summary of the long files of a crate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct LongFiles {
    count: usize,
    lines_max: usize,
}

impl LongFiles {
    const fn new(count: usize, lines_max: usize) -> LongFiles {
        LongFiles { count, lines_max }
    }
}

/// Compares the lengths of files with what is allowed.
pub fn faults(lengths: &[(&Path, usize)]) -> Vec<Fault> {
    compare(lengths, LONG_FILES)
}

fn compare(lengths: &[(&Path, usize)], allowed: &[(&str, LongFiles)]) -> Vec<Fault> {
    let mut long: BTreeMap<&str, Vec<(&Path, usize)>> = BTreeMap::new();
    for (folder, _) in allowed {
        long.entry(folder).or_default();
    }
    for (file, lines) in lengths.iter().filter(|(_, lines)| LINES_MAX < *lines) {
        long.entry(crate_folder(file)).or_default().push((file, *lines));
    }
    let mut faults = Vec::new();
    for (folder, files) in long {
        let found = LongFiles {
            count: files.len(),
            lines_max: files.iter().map(|(_, lines)| *lines).max().unwrap_or(0),
        };
        let allowed = allowed.iter().find(|(name, _)| *name == folder);
        let allowed = allowed.map_or_else(LongFiles::default, |(_, allowed)| *allowed);
        if found == allowed {
            continue;
        }
        let is_worse = allowed.count < found.count || allowed.lines_max < found.lines_max;
        let advice = match is_worse {
            true => "split files",
            false => "lower the numbers in sizes.rs",
        };
        let message = format!(
            "has {} files of more than {LINES_MAX} lines and at most {}; listed are {} and {}: {advice}",
            found.count, found.lines_max, allowed.count, allowed.lines_max
        );
        faults.push(Fault::of_file(Rule::Size, Path::new(folder), message));
        if is_worse {
            let list = files.iter().map(|(file, lines)| {
                let message = format!("has {lines} lines");
                Fault::of_file(Rule::Size, file, message)
            });
            faults.extend(list);
        }
    }
    faults
}

/// Returns `crates/NAME` for a file of a crate, else its first folder.
fn crate_folder(file: &Path) -> &str {
    let text = file.to_str().unwrap_or_default();
    let depth = match text.starts_with("crates/") {
        true => 2,
        false => 1,
    };
    let end = text.match_indices('/').nth(depth - 1);
    end.map_or(text, |(end, _)| &text[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(lengths: &[(&str, usize)], allowed: LongFiles, expected: &[&str]) {
        let lengths: Vec<(&Path, usize)> = lengths
            .iter()
            .map(|(file, lines)| (Path::new(*file), *lines))
            .collect();
        let faults = compare(&lengths, &[("crates/a", allowed)]);
        let messages: Vec<String> = faults.iter().map(ToString::to_string).collect();
        assert_eq!(messages, expected);
    }

    #[test]
    fn long_files_can_only_get_fewer_and_shorter() {
        let allowed = LongFiles::new(1, 400);
        check(
            &[("crates/a/src/lib.rs", 400), ("crates/b/src/lib.rs", 300)],
            allowed,
            &[],
        );
        check(
            &[("crates/a/src/lib.rs", 401)],
            allowed,
            &[
                "crates/a: has 1 files of more than 300 lines and at most 401; listed are 1 and 400: split files",
                "crates/a/src/lib.rs: has 401 lines",
            ],
        );
        check(
            &[("crates/a/src/lib.rs", 400), ("xtask/src/main.rs", 301)],
            allowed,
            &[
                "xtask: has 1 files of more than 300 lines and at most 301; listed are 0 and 0: split files",
                "xtask/src/main.rs: has 301 lines",
            ],
        );
        check(
            &[],
            allowed,
            &[
                "crates/a: has 0 files of more than 300 lines and at most 0; listed are 1 and 400: lower the \
                 numbers in sizes.rs",
            ],
        );
    }
}
