//! Tokens that say by their own letters what they are, whole or spelled out in pieces.

use std::ops::Range;
use std::sync::{LazyLock, OnceLock};

use regex::bytes::RegexSet;

use super::Finding;
use super::digits::has_long_word;
use super::pattern::{Match, Pattern};
use super::token_formats::{FORMATS, expand};

/// All formats at once: one pass over the text tells which of them to look for.
static ANY: LazyLock<RegexSet> = LazyLock::new(|| {
    RegexSet::new(FORMATS.iter().map(|(_, format)| from_word_start(format)))
        .expect("the formats are constants and compile")
});

/// Each format by itself, compiled when a text first needs it.
static EACH: [OnceLock<Pattern>; FORMATS.len()] = [const { OnceLock::new() }; FORMATS.len()];

fn from_word_start(format: &str) -> String {
    format!(r"(?-u)\b(?:{})", expand(format))
}

/// Names the kinds.
pub(super) fn kinds() -> impl Iterator<Item = &'static str> {
    FORMATS.iter().map(|(kind, _)| *kind)
}

/// Finds tokens.
pub(super) fn find(text: &str, findings: &mut Vec<Finding>) {
    if !has_long_word(text, 16) {
        return;
    }
    for number in &ANY.matches(text.as_bytes()) {
        let (kind, format) = FORMATS[number];
        let format = EACH[number].get_or_init(|| Pattern::new(&from_word_start(format)));
        let tokens = format
            .all(text)
            .filter(|token| is_random(token.value()) && ends_here(token));
        findings.extend(tokens.map(|token| Finding::new(kind, token.value)));
    }
}

/// Tells whether a token is no name in plain words, such as `xoxb-your-token-here`.
fn is_random(token: &str) -> bool {
    let has = |is: fn(&u8) -> bool| token.as_bytes().iter().any(is);
    let mixed = has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase);
    has(u8::is_ascii_digit) || mixed
}

/// A token of a fixed length is not the beginning of something longer.
fn ends_here(token: &Match<'_>) -> bool {
    let alphanumeric = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    !(alphanumeric(token.value().chars().next_back()) && alphanumeric(token.after().chars().next()))
}

/// Finds tokens that somebody wrote with spaces in between: `ghp_ 16C7 e42F …`. Only pieces that
/// are no words count, so that sentences are never joined.
pub(super) fn find_split(text: &str, findings: &mut Vec<Finding>) {
    let mut run: Vec<Range<usize>> = Vec::new();
    let mut end = 0;
    for word in text.split([' ', '\t', '\r', '\n']) {
        let range = end..end + word.len();
        end = range.end + 1;
        if word.is_empty() {
            continue;
        }
        let near = run.last().is_none_or(|last| range.start - last.end <= 3);
        if !near || !is_piece(word, run.is_empty()) {
            find_joined(text, &run, findings);
            run.clear();
        }
        if is_piece(word, run.is_empty()) {
            run.push(range);
        }
    }
    find_joined(text, &run, findings);
}

/// A piece of a token holds a digit, an underscore, a capital inside, or is a letter or two.
fn is_piece(piece: &str, is_first: bool) -> bool {
    let bytes = piece.as_bytes();
    let odd = bytes.iter().skip(1).any(u8::is_ascii_uppercase);
    let marked = bytes.iter().any(|b| b.is_ascii_digit() || *b == b'_');
    let prefix = is_first && piece.ends_with(['-', '.', '_']);
    bytes.len() <= 2 || odd || marked || prefix
}

/// Looks for a token in the joined pieces of a run; the pieces it reaches over are the finding.
fn find_joined(text: &str, run: &[Range<usize>], findings: &mut Vec<Finding>) {
    let length: usize = run.iter().map(ExactSizeIterator::len).sum();
    if run.len() < 2 || length < 20 {
        return;
    }
    let mut joined = String::new();
    let mut places = Vec::new();
    for range in run {
        joined.push_str(&text[range.clone()]);
        places.extend(range.clone());
    }
    let mut inside = Vec::new();
    find(&joined, &mut inside);
    let to_text = |found: Finding| {
        Finding::new(
            found.kind,
            places[found.range.start]..places[found.range.end - 1] + 1,
        )
    };
    findings.extend(inside.into_iter().map(to_text));
}
