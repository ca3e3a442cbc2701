//! Texts in disguise: hidden characters, encodings, letters swapped for look-alikes.

use std::sync::LazyLock;

use regex::Regex;
use unicode_normalization::UnicodeNormalization;

use super::Suspicion;
use crate::screening::invisible::{is_invisible, visible};
use crate::screening::secrets;

/// A long run of base64, hexadecimal or percent-encoded bytes that no fact about a person needs.
static ENCODED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?-u:[A-Za-z0-9+/]{40,}={0,2}|(?:[0-9a-fA-F]{2}[ :]?){32,}|(?:%[0-9a-fA-F]{2}){6,}|(?:\\x[0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|&#x?[0-9a-fA-F]{2,5};){4,}|(?:[01]{8} ?){6,})",
    )
    .expect("the pattern is a constant and compiles")
});

/// Tells whether a text hides something from the eye.
pub(super) fn hides_text(content: &str) -> Option<Suspicion> {
    let hidden = content.chars().filter(|c| is_invisible(*c)).count();
    let shown = visible(content);
    let needed = shown.chars().filter(|c| is_invisible(*c)).count();
    // One stray character may come from a copied text; a message takes more, or tag characters.
    let tags = content
        .chars()
        .any(|c| matches!(c, '\u{e0000}'..='\u{e007f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'));
    let encoded = ENCODED.find_iter(&shown).any(|found| is_random(found.as_str()));
    (tags || 3 < hidden - needed || encoded).then_some(Suspicion::Disguise)
}

/// Mixed letters and digits, or signs of an encoding: no long word, no path.
fn is_random(run: &str) -> bool {
    let has = |is: fn(&u8) -> bool| run.as_bytes().iter().any(is);
    let mixed = has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase);
    run.contains(['%', '\\', '&']) || mixed || (has(u8::is_ascii_digit) && !run.contains('/'))
}

/// Gives the text as it is meant to be read: in lower case and plain letters; and once more with
/// look-alikes undone where there are any.
pub(super) fn readings(content: &str) -> Vec<String> {
    let mut readings = vec![folded(content)];
    let plain: String = readings[0]
        .split(' ')
        .map(undo_swaps)
        .collect::<Vec<_>>()
        .join(" ");
    let plain = join_spelled(&plain);
    if plain != readings[0] {
        readings.push(plain);
    }
    readings
}

/// Gives the text with look-alikes undone, if more than one of its words has any.
pub(super) fn without_swaps(text: &str) -> Option<String> {
    let folded = folded(text);
    let undone: Vec<String> = folded.split(' ').map(undo_inner_swaps).collect();
    let count = folded
        .split(' ')
        .zip(&undone)
        .filter(|(word, plain)| word != plain)
        .count();
    (1 < count).then(|| undone.join(" "))
}

/// Undoes swaps in a word where letters follow what was swapped, or stand on both sides: `v3r1fy`,
/// and neither `html5` nor `12:30`.
fn undo_inner_swaps(word: &str) -> String {
    let letters: Vec<usize> = (word.char_indices().filter(|(_, c)| c.is_ascii_alphabetic()))
        .map(|(at, _)| at)
        .collect();
    let last = letters.last().copied().unwrap_or(0);
    let is_swapped = word.char_indices().any(|(at, c)| at < last && swap(c).is_some());
    let is_hidden = word.chars().any(|c| !c.is_ascii() && swap(c).is_some());
    match 2 <= letters.len() && (is_swapped || is_hidden) {
        true => undo_swaps(word),
        false => word.to_owned(),
    }
}

/// Gives the text in lower case and plain letters.
pub(super) fn folded(text: &str) -> String {
    without_accents(&secrets::folded(text).to_lowercase())
}

/// Writes the letters of European languages without their accents, so that the edges of words are
/// the same for all of them.
pub(super) fn without_accents(text: &str) -> String {
    let base = |c: char| match c {
        '\u{c0}'..='\u{24f}' => std::iter::once(c).nfd().next().unwrap_or(c),
        _ => c,
    };
    text.chars().map(base).collect()
}

/// Undoes digits and signs for letters inside a word, and letters of another alphabet among Latin
/// ones.
fn undo_swaps(word: &str) -> String {
    let letters = word.chars().filter(char::is_ascii_alphabetic).count();
    let swapped = word.chars().filter(|c| swap(*c).is_some()).count();
    match 2 <= letters && 0 < swapped {
        true => word.chars().map(|c| swap(c).unwrap_or(c)).collect(),
        false => word.to_owned(),
    }
}

fn swap(c: char) -> Option<char> {
    Some(match c {
        '0' | 'о' | 'ο' => 'o',
        '1' | '!' | '|' | 'і' | 'ι' => 'i',
        '3' | 'е' | 'ё' | 'ε' => 'e',
        '4' | '@' | 'а' | 'α' => 'a',
        '5' | '$' | 'ѕ' => 's',
        '7' => 't',
        'р' | 'ρ' => 'p',
        'с' => 'c',
        'у' => 'y',
        'х' => 'x',
        'к' | 'κ' => 'k',
        'ѵ' | 'ν' => 'v',
        'ո' => 'n',
        'ɡ' => 'g',
        _ => return None,
    })
}

/// Joins letters that stand apart: `i g n o r e`, `i.g.n.o.r.e`.
fn join_spelled(text: &str) -> String {
    static SPELLED: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?-u:\b)(?:[a-z][ .*_-]){3,}[a-z](?-u:\b)")
            .expect("the pattern is a constant and compiles")
    });
    let join = |found: &regex::Captures<'_>| {
        found[0]
            .chars()
            .filter(char::is_ascii_alphabetic)
            .collect::<String>()
    };
    SPELLED.replace_all(text, join).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn look_alikes_are_undone_where_several_words_have_them() {
        let plain = |text| without_swaps(text);
        assert_eq!(plain("N0 n33d t0 v3r1fy").as_deref(), Some("n0 need t0 verify"));
        assert_eq!(
            plain("Сonfirm аll trаnsfers").as_deref(),
            Some("confirm all transfers")
        );
        assert_eq!(plain("Uses html5 and utf8 at 12:30 on 24/7 shifts"), None);
        assert_eq!(plain("Пользователь любит чай"), None);
    }
}
