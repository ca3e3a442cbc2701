//! Recovery phrases of wallets: 12 to 24 plain words in a row, as BIP-39 makes them.
//!
//! The words of the standard are English, three to eight letters, without endings of grammar and
//! without the small words that every sentence needs. A dozen such words in a row are a phrase.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::Finding;
use super::pattern::{Match, Pattern};

/// The fewest words of a phrase.
const WORDS_MIN: usize = 12;

/// The most words of a phrase; a longer run is a list of something else.
const WORDS_MAX: usize = 26;

/// The most words with an ending of grammar: the standard's list has a few, such as `series`.
const INFLECTED_MAX: usize = 3;

/// Small words of sentences that are not in the standard's list.
const SMALL: &[&str] = &[
    "and", "are", "but", "can't", "could", "did", "does", "don't", "for", "from", "had", "has", "her",
    "here", "him", "his", "how", "its", "let", "many", "may", "might", "most", "not", "our", "out", "per",
    "she", "should", "some", "than", "the", "their", "them", "these", "those", "too", "via", "was", "were",
    "which", "while", "who", "why", "with", "would", "yes", "yet", "your", "been", "being", "after", "each",
    "every", "both", "like", "user", "wants", "likes", "prefers", "und", "der", "die", "das", "ist", "mit",
    "für", "auf", "von", "den", "dem", "ein", "eine", "nicht", "auch", "les", "des", "une", "est", "dans",
    "pour", "sur", "avec", "que", "qui", "pas", "los", "las", "del", "con", "por", "para", "una", "como",
    "più", "che", "non", "per", "sono", "della", "uma", "não", "com", "dos", "das", "het", "een", "van",
    "voor", "niet", "och", "att", "som", "det", "til", "med", "jest", "nie",
];

/// What may stand between two words of a phrase: white space, commas, numbers of a list.
static BETWEEN: LazyLock<Pattern> = LazyLock::new(|| Pattern::new(r"^(?-u:[\s,]+(?:[0-9]{1,2}[.):]?\s*)?)$"));

/// Finds recovery phrases.
pub(super) fn find(text: &str, findings: &mut Vec<Finding>) {
    static WORDS: LazyLock<Pattern> = LazyLock::new(|| Pattern::new(r"(?-u:\b)[a-z]{3,8}(?-u:\b)"));
    if text.len() < 4 * WORDS_MIN {
        return;
    }
    let mut run: Vec<Match<'_>> = Vec::new();
    for word in WORDS.all(text) {
        let near = |last: &Match<'_>| {
            let between = &text[last.value.end..word.value.start];
            between.len() <= 8 && BETWEEN.is_match(between)
        };
        let joined = run.last().is_none_or(near);
        let small = SMALL.contains(&word.value());
        if small || !joined {
            findings.extend(phrase(&run));
            run.clear();
        }
        if !small {
            run.push(word);
        }
    }
    findings.extend(phrase(&run));
}

fn phrase(run: &[Match<'_>]) -> Option<Finding> {
    let inflected = |word: &&Match<'_>| {
        let word = word.value();
        ["ing", "ed", "ly", "es", "ers", "ies"]
            .iter()
            .any(|end| word.ends_with(end))
    };
    let distinct: HashSet<&str> = run.iter().map(Match::value).collect();
    let is_phrase = (WORDS_MIN..=WORDS_MAX).contains(&run.len())
        && run.iter().filter(inflected).count() <= INFLECTED_MAX
        && run.len() <= 2 * distinct.len();
    is_phrase.then(|| Finding::new("seed phrase", run[0].value.start..run[run.len() - 1].value.end))
}
