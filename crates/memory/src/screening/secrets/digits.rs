//! Numbers in a text, with what stands around them, and the checks that prove them.

use std::ops::Range;
use std::sync::LazyLock;

use super::pattern::Pattern;

/// Digits that belong together, possibly in groups.
pub(super) struct Number<'t> {
    pub(super) digits: Vec<u32>,
    /// How many digits each group has.
    pub(super) groups: Vec<usize>,
    pub(super) range: Range<usize>,
    /// Some text before and after.
    pub(super) around: &'t str,
    /// Only what stands before.
    pub(super) before: &'t str,
}

/// How many bytes around a number are looked at.
const AROUND: usize = 60;

static NUMBERS: LazyLock<Pattern> = LazyLock::new(|| Pattern::new(r"[0-9]+(?:[ ./-][0-9]+)*"));

/// Finds numbers of at least `least` digits that are no part of a decimal fraction, a version, an
/// address or a longer word.
pub(super) fn numbers(text: &str, least: usize) -> impl Iterator<Item = Number<'_>> {
    let worth = least <= text.bytes().filter(u8::is_ascii_digit).count();
    let found = worth.then(|| NUMBERS.all(text)).into_iter().flatten();
    found.filter_map(move |found| {
        let digits: Vec<u32> = found.value().chars().filter_map(|c| c.to_digit(10)).collect();
        let before = found.before().chars().next_back();
        let after = found.after().chars().next();
        let part_of_word = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
        let fraction = found.value().split(['.', ' ', '-', '/']).next() == Some("0")
            || matches!(before, Some('.' | '+' | '#' | '$' | '€'));
        if digits.len() < least || part_of_word(before) || part_of_word(after) || fraction {
            return None;
        }
        let groups = found.value().split([' ', '.', '/', '-']).map(str::len).collect();
        let start = floor(text, found.value.start.saturating_sub(AROUND));
        let end = floor(text, (found.value.end + AROUND).min(text.len()));
        Some(Number {
            digits,
            groups,
            range: found.value.clone(),
            around: &text[start..end],
            before: &text[start..found.value.start],
        })
    })
}

fn floor(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Tells whether at least `least` digits stand in the text.
pub(super) fn has_digits(text: &str, least: usize) -> bool {
    text.bytes()
        .filter(u8::is_ascii_digit)
        .nth(least.saturating_sub(1))
        .is_some()
}

/// Tells whether a word of at least `least` bytes without a space stands in the text: shorter ones
/// are no token.
pub(super) fn has_long_word(text: &str, least: usize) -> bool {
    text.split_ascii_whitespace().any(|word| least <= word.len())
}

/// Luhn's check, of cards and some identity numbers.
pub(super) fn luhn(digits: &[u32]) -> bool {
    let value = |(place, &digit): (usize, &u32)| match place % 2 {
        0 => digit,
        _ => digit * 2 / 10 + digit * 2 % 10,
    };
    let sum: u32 = digits.iter().rev().enumerate().map(value).sum();
    sum.is_multiple_of(10)
}

/// Sums digits by weights.
pub(super) fn weighted(digits: &[u32], weights: &[u32]) -> u32 {
    digits
        .iter()
        .zip(weights)
        .map(|(digit, weight)| digit * weight)
        .sum()
}
