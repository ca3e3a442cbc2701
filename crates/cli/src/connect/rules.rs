//! The short text that tells an agent when to use memory, in the files that agents read.

use super::client::RulesFile;
use super::text_file::Conventions;

const TEXT: &str = include_str!("rules.md");
const BEGIN: &str = "<!-- recalld: begin (`recalld connect --remove` takes this out) -->\n";
const END: &str = "<!-- recalld: end -->\n";

/// Adds the rules to a text, or replaces them.
pub(super) fn added_to(text: Option<&str>, file: &RulesFile) -> String {
    let block = format!("{BEGIN}{TEXT}{END}");
    let Some(text) = text else {
        return format!("{}{block}", file.own_header.unwrap_or_default());
    };
    let (conventions, plain) = Conventions::taken_from(text);
    let mut changed = cut(&plain).unwrap_or(plain);
    if !changed.is_empty() && !changed.ends_with("\n\n") {
        changed.push_str(if changed.ends_with('\n') { "\n" } else { "\n\n" });
    }
    conventions.applied_to(&(changed + &block))
}

/// Removes the rules from a text. `None` if nothing else was in it.
pub(super) fn removed_from(text: &str, file: &RulesFile) -> Option<String> {
    let (conventions, plain) = Conventions::taken_from(text);
    let left = cut(&plain).unwrap_or(plain);
    let is_ours = file.own_header.is_some_and(|header| left.trim() == header.trim());
    match left.trim().is_empty() || is_ours {
        true => None,
        false => Some(conventions.applied_to(&left)),
    }
}

/// Cuts the block out, with one of the empty lines around it.
fn cut(text: &str) -> Option<String> {
    let from = text.find(BEGIN)?;
    let end = from + text[from..].find(END)? + END.len();
    let before = match text[..from].strip_suffix("\n\n") {
        Some(before) => format!("{before}\n"),
        None => text[..from].to_owned(),
    };
    Some(before + &text[end..])
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    #[test]
    fn rules_are_added_once_and_taken_out() {
        let shared = RulesFile {
            path: PathBuf::new(),
            own_header: None,
        };
        for text in ["# Mine\n", "# Mine\n\nMore\n", "# Mine\r\n\r\nMore\r\n"] {
            let with = added_to(Some(text), &shared);
            assert!(with.contains("long-term memory"));
            assert_eq!(added_to(Some(&with), &shared), with);
            assert_eq!(removed_from(&with, &shared).as_deref(), Some(text));
        }
        assert_eq!(removed_from(&added_to(None, &shared), &shared), None);
    }

    #[test]
    fn text_after_the_rules_stays() {
        let shared = RulesFile {
            path: PathBuf::new(),
            own_header: None,
        };
        let with = added_to(Some("A\n"), &shared) + "\nB\n";
        assert_eq!(removed_from(&with, &shared).as_deref(), Some("A\n\nB\n"));
    }
}
