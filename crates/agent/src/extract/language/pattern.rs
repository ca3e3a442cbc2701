//! A pattern, compiled when it is first used.
//!
//! Patterns match bytes: the automata of Unicode's classes are large, and a language has hundreds
//! of them. [`ready`](super::source::ready) writes them so that matches begin and end between
//! letters.

use std::ops::Range;
use std::sync::OnceLock;

use regex::bytes::{Captures, Regex, RegexBuilder};

/// The most bytes of one compiled pattern.
const BYTES_MAX: usize = 32 << 20;

/// A pattern.
#[derive(Debug)]
pub(in crate::extract) struct Pattern {
    /// Its place in the gate of its language.
    pub(super) number: usize,
    source: String,
    compiled: OnceLock<Regex>,
}

impl Pattern {
    /// Checks the syntax of a pattern that was made ready.
    pub(super) fn new(source: String) -> Pattern {
        Pattern {
            number: 0,
            source,
            compiled: OnceLock::new(),
        }
    }

    /// The pattern as it was made ready.
    pub(super) fn source(&self) -> &str {
        &self.source
    }

    /// Compiles it, to see whether it can be.
    #[cfg(test)]
    pub(super) fn check(&self) -> Result<(), String> {
        build(&self.source).map(drop)
    }

    fn regex(&self) -> &Regex {
        let build = || build(&self.source).expect("a pattern that its tests compile");
        self.compiled.get_or_init(build)
    }

    /// Whether it matches anywhere in `text`.
    pub(in crate::extract) fn is_match(&self, text: &str) -> bool {
        self.regex().is_match(text.as_bytes())
    }

    /// Where its first match ends.
    pub(in crate::extract) fn end(&self, text: &str) -> Option<usize> {
        let end = self.regex().find(text.as_bytes())?.end();
        text.is_char_boundary(end).then_some(end)
    }

    /// Where its first match begins.
    pub(in crate::extract) fn start(&self, text: &str) -> Option<usize> {
        let start = self.regex().find(text.as_bytes())?.start();
        text.is_char_boundary(start).then_some(start)
    }

    /// Its first match from `at` on.
    pub(in crate::extract) fn captures_at<'t>(&self, text: &'t str, at: usize) -> Option<Groups<'t>> {
        let captures = self.regex().captures_at(text.as_bytes(), at)?;
        Some(Groups { text, captures })
    }

    /// Its first match.
    pub(in crate::extract) fn captures<'t>(&self, text: &'t str) -> Option<Groups<'t>> {
        self.captures_at(text, 0)
    }
}

fn build(source: &str) -> Result<Regex, String> {
    let built = RegexBuilder::new(source).size_limit(BYTES_MAX).build();
    built.map_err(|error| error.to_string())
}

/// A match, and what its groups hold.
#[derive(Debug)]
pub(in crate::extract) struct Groups<'t> {
    text: &'t str,
    captures: Captures<'t>,
}

impl<'t> Groups<'t> {
    /// Where the match begins.
    pub(in crate::extract) fn start(&self) -> usize {
        self.captures.get(0).map_or(0, |whole| whole.start())
    }

    /// Where a group stands.
    pub(in crate::extract) fn range(&self, name: &str) -> Option<Range<usize>> {
        self.captures.name(name).map(|group| group.range())
    }

    /// What a group holds.
    pub(in crate::extract) fn name(&self, name: &str) -> Option<&'t str> {
        self.text.get(self.range(name)?)
    }
}
