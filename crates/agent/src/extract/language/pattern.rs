//! A pattern, compiled when it is first used.
//!
//! Patterns match bytes: the automata of Unicode's classes are large, and a language has hundreds
//! of them. [`ready`](super::source::ready) writes them so that matches begin and end between
//! letters.

use std::ops::Range;
use std::sync::OnceLock;

use regex::bytes::{Captures, Regex, RegexBuilder, RegexSet, RegexSetBuilder};

/// The most bytes of one compiled pattern.
const BYTES_MAX: usize = 32 << 20;

/// A pattern.
#[derive(Debug)]
pub(in crate::extract) struct Pattern {
    source: String,
    compiled: OnceLock<Regex>,
}

impl Pattern {
    /// Checks the syntax of a pattern that was made ready.
    pub(super) fn new(source: String) -> Pattern {
        Pattern {
            source,
            compiled: OnceLock::new(),
        }
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

/// Many patterns that are tried at once, compiled when they are first used: a language that nobody
/// speaks costs nothing.
#[derive(Debug)]
pub(in crate::extract) struct PatternSet {
    sources: Vec<String>,
    compiled: OnceLock<RegexSet>,
}

/// The most bytes of a compiled set, and of the states that matching remembers.
const SET_BYTES_MAX: usize = 64 << 20;
const STATES_BYTES_MAX: usize = 16 << 20;

impl PatternSet {
    /// Takes patterns that were made ready.
    pub(super) fn new<'p>(patterns: impl Iterator<Item = &'p Pattern>) -> PatternSet {
        PatternSet {
            sources: patterns.map(|pattern| pattern.source.clone()).collect(),
            compiled: OnceLock::new(),
        }
    }

    /// Lists the numbers of the patterns that match, in their order.
    pub(in crate::extract) fn matches(&self, text: &str) -> Vec<usize> {
        let build = || {
            let mut builder = RegexSetBuilder::new(&self.sources);
            builder.size_limit(SET_BYTES_MAX).dfa_size_limit(STATES_BYTES_MAX);
            builder.build().expect("patterns that their tests compile")
        };
        let set = self.compiled.get_or_init(build);
        set.matches(text.as_bytes()).into_iter().collect()
    }
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
