//! Tells in which languages a text may be written: by its letters, and by small words.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::language::{Language, Script, all};

/// The most bytes of a text that are looked at.
const BYTES_MAX: usize = 600;

/// Which languages use each small word, as bits.
static MARKERS: LazyLock<HashMap<&'static str, u32>> = LazyLock::new(|| {
    let mut markers: HashMap<&'static str, u32> = HashMap::new();
    for (at, language) in all().iter().enumerate() {
        for marker in &language.markers {
            *markers.entry(marker).or_default() |= 1 << at;
        }
    }
    markers
});

/// Lists the languages in which `text` may be written.
pub(super) fn languages(text: &str) -> Vec<&'static Language> {
    let text = &text[..text.floor_char_boundary(BYTES_MAX)];
    let (mut han, mut kana, mut latin) = (0_usize, 0_usize, 0_usize);
    for c in text.chars() {
        match c {
            '\u{3040}'..='\u{30ff}' => kana += 1,
            '\u{4e00}'..='\u{9fff}' => han += 1,
            c if c.is_alphabetic() => latin += 1,
            _ => {}
        }
    }
    // A word of Latin letters in a Chinese sentence leaves it Chinese.
    let script = match () {
        () if 0 < kana && latin < 6 * (kana + han) => Script::Kana,
        () if 0 < han && latin < 6 * han => Script::Han,
        () => Script::Latin,
    };
    let fits = |language: &&'static Language| language.script == script;
    if script != Script::Latin {
        return all().iter().filter(fits).collect();
    }
    let scores = scores(text);
    let best = scores.iter().copied().max().unwrap_or(0);
    // Without a single known word it may be any of them.
    let likely = |(_, score): &(&Language, &u32)| **score == best;
    let scored = all().iter().zip(&scores).filter(likely);
    scored.map(|(language, _)| language).filter(fits).collect()
}

/// How many small words of each language a text has.
fn scores(text: &str) -> Vec<u32> {
    let mut scores = vec![0; all().len()];
    let mut lower = String::new();
    for word in text
        .split(|c: char| !c.is_alphabetic())
        .filter(|word| !word.is_empty())
    {
        lower.clear();
        lower.extend(word.chars().flat_map(char::to_lowercase));
        let mut bits = MARKERS.get(lower.as_str()).copied().unwrap_or(0);
        while bits != 0 {
            scores[bits.trailing_zeros() as usize] += 1;
            bits &= bits - 1;
        }
    }
    scores
}
