//! Which of many patterns can match a text at all: those of which a needed word stands in it.
//!
//! A language has hundreds of patterns and a clause fits a few of them. One pass over the text
//! finds every word that some pattern cannot do without, so that only the patterns of those words
//! are tried. The words are read off the patterns themselves (`needed.rs`), so that whoever writes
//! a rule need not know of it.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

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
    /// The patterns that need each word, with the list in which it stands.
    owners: Vec<Vec<(u16, u8)>>,
    /// The lists of each pattern, as bits. Of each, one word must stand in the text.
    lists: Arc<[u8]>,
}

/// The patterns that may match a text: for each, the lists of which a word stands there.
#[derive(Clone, Debug)]
pub(in crate::extract) struct Open {
    met: Vec<u8>,
    lists: Arc<[u8]>,
}

impl Open {
    /// Whether a pattern of the same gate may match.
    pub(in crate::extract) fn lets(&self, pattern: &Pattern) -> bool {
        self.met[pattern.number] == self.lists[pattern.number]
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
        let mut met = vec![0; made.lists.len()];
        for word in made.words.find_overlapping_iter(text.as_bytes()) {
            for (owner, list) in &made.owners[word.pattern().as_usize()] {
                met[usize::from(*owner)] |= list;
            }
        }
        let lists = Arc::clone(&made.lists);
        Open { met, lists }
    }
}

fn made(sources: &[String]) -> Made {
    let mut lists = vec![0_u8; sources.len()];
    let mut numbers: HashMap<Vec<u8>, usize> = HashMap::new();
    let mut words: Vec<Vec<u8>> = Vec::new();
    let mut owners: Vec<Vec<(u16, u8)>> = Vec::new();
    for (number, source) in sources.iter().enumerate() {
        let owner = u16::try_from(number).expect("a language has a few hundred patterns");
        for (list, needed) in needed(source).into_iter().enumerate() {
            let list = 1 << list;
            lists[number] |= list;
            for word in needed {
                let known = *numbers.entry(word.clone()).or_insert_with(|| {
                    words.push(word);
                    owners.push(Vec::new());
                    owners.len() - 1
                });
                owners[known].push((owner, list));
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
        lists: lists.into(),
    }
}
