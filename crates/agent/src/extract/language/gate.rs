//! Which of many patterns can match a text at all: those of which a needed word stands in it.
//!
//! A language has hundreds of patterns and a sentence fits a few of them. One pass over the text
//! finds every word that some pattern cannot do without, so that only the patterns of those words
//! are tried. The words are read off the patterns themselves (`needed.rs`), so that whoever writes
//! a rule need not know of it.

use std::sync::OnceLock;

use aho_corasick::{AhoCorasick, AhoCorasickBuilder, MatchKind};

use super::needed::needed;
use super::pattern::Pattern;

/// The gate of a language, made when it is first used.
#[derive(Debug, Default)]
pub(in crate::extract) struct Gate {
    sources: Vec<String>,
    made: OnceLock<Made>,
}

#[derive(Debug)]
struct Made {
    words: AhoCorasick,
    /// The patterns that need each word.
    owners: Vec<Vec<u16>>,
    /// The patterns that need no word.
    always: Open,
}

/// The patterns that may match a text, as bits.
#[derive(Clone, Debug)]
pub(in crate::extract) struct Open(Vec<u64>);

impl Open {
    fn none(patterns: usize) -> Open {
        Open(vec![0; patterns.div_ceil(64)])
    }

    fn add(&mut self, number: usize) {
        self.0[number / 64] |= 1 << (number % 64);
    }

    fn has(&self, number: usize) -> bool {
        self.0[number / 64] & (1 << (number % 64)) != 0
    }

    /// Whether a pattern of the same gate may match.
    pub(in crate::extract) fn lets(&self, pattern: &Pattern) -> bool {
        self.has(pattern.number)
    }

    /// Whether a pattern of the same gate matches `text`, which is part of what was looked at.
    pub(in crate::extract) fn is_match(&self, pattern: &Pattern, text: &str) -> bool {
        self.lets(pattern) && pattern.is_match(text)
    }
}

impl Gate {
    /// Takes a pattern in, and gives it its number.
    pub(super) fn admit(&mut self, mut pattern: Pattern) -> Pattern {
        pattern.number = self.sources.len();
        self.sources.push(pattern.source().to_owned());
        pattern
    }

    /// Tells which patterns may match `text` or a part of it.
    pub(in crate::extract) fn open(&self, text: &str) -> Open {
        let made = self.made.get_or_init(|| made(&self.sources));
        let mut open = made.always.clone();
        for word in made.words.find_overlapping_iter(text.as_bytes()) {
            for owner in &made.owners[word.pattern().as_usize()] {
                open.add(usize::from(*owner));
            }
        }
        open
    }
}

fn made(sources: &[String]) -> Made {
    let mut always = Open::none(sources.len());
    let mut words: Vec<Vec<u8>> = Vec::new();
    let mut owners: Vec<Vec<u16>> = Vec::new();
    for (number, source) in sources.iter().enumerate() {
        let Some(needed) = needed(source) else {
            always.add(number);
            continue;
        };
        for word in needed {
            let owner = u16::try_from(number).expect("a language has a few hundred patterns");
            match words.iter().position(|known| *known == word) {
                Some(known) => owners[known].push(owner),
                None => {
                    words.push(word);
                    owners.push(vec![owner]);
                }
            }
        }
    }
    let words = AhoCorasickBuilder::new()
        .ascii_case_insensitive(true)
        .match_kind(MatchKind::Standard)
        .build(&words)
        .expect("a few thousand short words");
    Made {
        words,
        owners,
        always,
    }
}
