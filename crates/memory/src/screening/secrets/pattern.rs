//! Patterns over normalised text.
//!
//! They match bytes: a class such as "anything but a space" is then one step of the matcher and not
//! a table of all of Unicode, which keeps compiling and matching cheap. Matches are widened to
//! whole characters.

use std::ops::Range;

use regex::bytes::Regex;

/// A compiled pattern.
pub(super) struct Pattern(Regex);

/// A match: the whole of it, and the part that is the secret.
pub(super) struct Match<'t> {
    text: &'t str,
    pub(super) whole: Range<usize>,
    /// The first group that took part, or else the whole.
    pub(super) value: Range<usize>,
}

impl Pattern {
    /// Compiles a pattern of this folder. Names in it are Unicode; classes and boundaries are of
    /// bytes.
    pub(super) fn new(source: &str) -> Pattern {
        Pattern(Regex::new(source).expect("the pattern is a constant and compiles"))
    }

    /// Tells whether it occurs.
    pub(super) fn is_match(&self, text: &str) -> bool {
        self.0.is_match(text.as_bytes())
    }

    /// Gives all matches that do not overlap.
    pub(super) fn all<'t>(&self, text: &'t str) -> impl Iterator<Item = Match<'t>> {
        self.0
            .captures_iter(text.as_bytes())
            .map(move |found| at(text, &found))
    }

    /// Gives the first match from `start` on.
    pub(super) fn first_from<'t>(&self, text: &'t str, start: usize) -> Option<Match<'t>> {
        self.0
            .captures_at(text.as_bytes(), start)
            .map(|found| at(text, &found))
    }
}

fn at<'t>(text: &'t str, found: &regex::bytes::Captures<'_>) -> Match<'t> {
    let whole = found.get(0).map_or(0..0, |whole| whole.range());
    let value = found
        .iter()
        .skip(1)
        .flatten()
        .next()
        .map_or(whole.clone(), |value| value.range());
    Match {
        text,
        whole: characters(text, whole),
        value: characters(text, value),
    }
}

/// Widens a range of bytes to whole characters.
fn characters(text: &str, mut range: Range<usize>) -> Range<usize> {
    while !text.is_char_boundary(range.start) {
        range.start -= 1;
    }
    while !text.is_char_boundary(range.end) {
        range.end += 1;
    }
    range
}

impl<'t> Match<'t> {
    /// Gives the text of the whole match.
    pub(super) fn whole(&self) -> &'t str {
        &self.text[self.whole.clone()]
    }

    /// Gives the text of the value.
    pub(super) fn value(&self) -> &'t str {
        &self.text[self.value.clone()]
    }

    /// Gives what stands before the value.
    pub(super) fn before(&self) -> &'t str {
        &self.text[..self.value.start]
    }

    /// Gives what follows the value.
    pub(super) fn after(&self) -> &'t str {
        &self.text[self.value.end..]
    }
}
