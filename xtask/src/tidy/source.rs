//! Rules for Rust source files.

use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;

use super::fault::{Fault, Rule};

const COMMENT_COLUMNS_MAX: usize = 100;

/// Names that say nothing about what is inside.
const EMPTY_NAMES: [&str; 8] = [
    "util", "utils", "helper", "helpers", "common", "manager", "service", "misc",
];

/// A name that ends in a version number.
static VERSIONED: LazyLock<Regex> = LazyLock::new(|| pattern(r"_v\d+$"));

static PATH_ATTRIBUTE: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\s*#!?\[path\s*="));

/// An attribute that ignores a test, or a macro that stands for missing code.
static UNFINISHED: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^\s*#\[(cfg_attr\(.*)?ignore\b|^[^/]*\b(todo|unimplemented)!\("));

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the pattern is valid")
}

/// Returns the faults of one file.
pub fn faults(file: &Path, text: &str) -> Vec<Fault> {
    let mut faults = Vec::new();
    if file.file_name().is_some_and(|name| name == "mod.rs") {
        faults.push(Fault::of_file(
            Rule::Name,
            file,
            "is a mod.rs; write foo.rs beside foo/",
        ));
    }
    for part in file.iter().filter_map(|part| part.to_str()) {
        let name = part.strip_suffix(".rs").unwrap_or(part);
        if EMPTY_NAMES.contains(&name) || VERSIONED.is_match(name) {
            let message = format!("the name {name} does not say what is inside");
            faults.push(Fault::of_file(Rule::Name, file, message));
        }
    }
    if !text.is_empty() && !text.starts_with("//!") {
        let message = "does not open with a //! comment that says what it is for";
        faults.push(Fault::of_file(Rule::Opening, file, message));
    }
    for (line, number) in text.lines().zip(1..) {
        let fault = |rule, message: String| Fault::of_line(rule, file, number, message);
        if is_wide_comment(line) {
            let message = format!("comment is wider than {COMMENT_COLUMNS_MAX} columns");
            faults.push(fault(Rule::CommentWidth, message));
        }
        if PATH_ATTRIBUTE.is_match(line) {
            let message = "has a #[path]; put the file where the compiler looks for it";
            faults.push(fault(Rule::PathAttribute, message.to_owned()));
        }
        if UNFINISHED.is_match(line) {
            faults.push(fault(Rule::Unfinished, format!("is unfinished: {}", line.trim())));
        }
    }
    faults
}

/// Whether a line is a comment that could be wrapped and is not. Rows of tables and lines with an
/// address cannot.
fn is_wide_comment(line: &str) -> bool {
    let Some(comment) = line.trim_start().strip_prefix("//") else {
        return false;
    };
    let text = comment.trim_start_matches(['/', '!']).trim_start();
    COMMENT_COLUMNS_MAX < line.chars().count() && !text.starts_with('|') && !text.contains("://")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(file: &str, text: &str, expected: &[Rule]) {
        let rules: Vec<Rule> = faults(Path::new(file), text)
            .iter()
            .map(|fault| fault.rule)
            .collect();
        assert_eq!(rules, expected, "{file}: {text}");
    }

    #[test]
    fn each_rule_finds_its_faults() {
        check("crates/a/src/reader.rs", "//! Reads.\n", &[]);
        check("crates/a/src/utils.rs", "//! Reads.\n", &[Rule::Name]);
        check("crates/a/src/common/reader.rs", "//! Reads.\n", &[Rule::Name]);
        check("crates/a/src/reader/mod.rs", "//! Reads.\n", &[Rule::Name]);
        check("crates/a/src/reader_v2.rs", "//! Reads.\n", &[Rule::Name]);
        check("reader.rs", "use std::fs;\n", &[Rule::Opening]);
        check(
            "reader.rs",
            "//! R.\n#[path = \"x.rs\"]\nmod x;\n",
            &[Rule::PathAttribute],
        );
        check("reader.rs", "//! R.\n#[test]\n#[ignore]\n", &[Rule::Unfinished]);
        check(
            "reader.rs",
            "//! R.\n#[cfg_attr(unix, ignore)]\n",
            &[Rule::Unfinished],
        );
        check("reader.rs", "//! R.\nfn f() { todo!() }\n", &[Rule::Unfinished]);
        check("reader.rs", "//! R.\n// Never `todo!()`.\n", &[]);
    }

    #[test]
    fn comments_are_at_most_100_columns_wide() {
        let words = "ä".repeat(97);
        check("reader.rs", &format!("//! {}\n", &words[..96 * 2]), &[]);
        check("reader.rs", &format!("//! {words}\n"), &[Rule::CommentWidth]);
        check(
            "reader.rs",
            &format!("//! R.\n    // {words}\n"),
            &[Rule::CommentWidth],
        );
        check("reader.rs", &format!("//! | {words} |\n"), &[]);
        check("reader.rs", &format!("//! https://example.com/{words}\n"), &[]);
        check("reader.rs", &format!("//! R.\nlet text = \"{words}\";\n"), &[]);
    }
}
