//! No message costs more than its length: twice the text is at most about twice the work.

use proptest::prelude::*;

use super::super::{Verdict, explain, find};
use super::said_at;

/// Texts that make backtracking matchers slow, each repeated.
const NASTY: [&str; 10] = [
    "I live in ",
    "and I and I and I ",
    "my my my my ",
    "I ",
    "aaaaaaaa",
    "I have a a a a a a ",
    "remember that remember that ",
    ", , , , ",
    "我在我在我在",
    "住んで住んで",
];

/// The parts that a message is taken apart into are bounded by its length.
#[test]
fn a_message_has_no_more_parts_than_words() {
    for nasty in NASTY {
        let message = nasty.repeat(2_000);
        let steps = explain(&message, said_at()).steps.len();
        assert!(
            steps <= message.split_whitespace().count().max(1_000),
            "{nasty}: {steps}"
        );
    }
}

#[test]
fn pasted_books_are_read_up_to_a_bound() {
    let message = "I like tea. ".repeat(100_000);
    let found = find(&message, said_at());
    assert_eq!(found.len(), 1);
    let steps = explain(&message, said_at()).steps;
    assert!(steps.len() <= 400, "{}", steps.len());
    assert!(steps.iter().all(|step| step.verdict != Verdict::NoRule));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Nothing that can be typed makes it fail, and what it quotes was said.
    #[test]
    fn any_text_can_be_read(message in "\\PC{0,120}") {
        for finding in find(&message, said_at()) {
            prop_assert!(message.contains(finding.quote()), "{finding:?}");
        }
    }

    #[test]
    fn any_mixture_of_words_can_be_read(words in prop::collection::vec(
        prop::sample::select(vec!["I", "live", "in", "my", "wife", "is", "und", "ich", "bin", "je", "suis", "à", "住", "在", "我", "。", "\"", ":", "?", ",", "’", "私", "は", "です", "não", "é", "Rome"]), 0..30)) {
        let message = words.join(" ");
        for finding in find(&message, said_at()) {
            prop_assert!(message.contains(finding.quote()), "{finding:?}");
        }
    }
}
