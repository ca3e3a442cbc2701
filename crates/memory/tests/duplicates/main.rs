//! Which statements are the same, measured on pairs that were written for it: what says the same
//! is not stored again, and nothing that says something else is refused.

use recalld_memory::policy::duplicates::Fingerprint;

fn pairs(text: &'static str) -> Vec<(&'static str, &'static str)> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| line.split_once(" | ").expect("a pair a line"))
        .collect()
}

fn are_same((a, b): &(&str, &str)) -> bool {
    Fingerprint::all(a).any(|print| Fingerprint::all(b).any(|other| print == other))
}

#[test]
fn what_says_the_same_is_recognised() {
    let pairs = pairs(include_str!("same.txt"));
    assert!(200 <= pairs.len(), "{}", pairs.len());
    let missed: Vec<_> = pairs.iter().filter(|pair| !are_same(pair)).collect();
    assert!(
        missed.is_empty(),
        "{} of {}: {missed:#?}",
        missed.len(),
        pairs.len()
    );
}

#[test]
fn nothing_that_says_something_else_is_taken_for_the_same() {
    let pairs = pairs(include_str!("different.txt"));
    assert!(200 <= pairs.len(), "{}", pairs.len());
    let refused: Vec<_> = pairs.iter().filter(|pair| are_same(pair)).collect();
    assert!(
        refused.is_empty(),
        "{} of {}: {refused:#?}",
        refused.len(),
        pairs.len()
    );
}
