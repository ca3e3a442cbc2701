//! Brings letters to one form, so that what people type meets what was written.
//!
//! Two steps, because the case of letters is needed in between (`getUserName` is three words):
//! [`compatible`] on the whole text, then [`fold`] on each word.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Replaces full-width, half-width and other compatibility forms, and drops invisible characters.
pub(crate) fn compatible(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    Cow::Owned(
        text.chars()
            .filter(|c| !is_invisible(*c))
            .map(plain_sign)
            .nfkc()
            .collect(),
    )
}

/// Folds case and accents of one word that went through [`compatible`].
pub(crate) fn fold(word: &str) -> String {
    if word.is_ascii() {
        return word.to_ascii_lowercase();
    }
    if is_vietnamese(word) {
        return with_marks(word);
    }
    without_marks(word)
}

/// Folds the case of a word whose marks tell it from others.
pub(crate) fn with_marks(word: &str) -> String {
    word.nfc().flat_map(char::to_lowercase).collect()
}

/// Whether a word has marks that only Vietnamese has. There they make other words (`đầu`, `dầu`,
/// `dâu`), and nobody leaves them out as others leave out accents.
pub(crate) fn is_vietnamese(word: &str) -> bool {
    if word.is_ascii() {
        return false;
    }
    const HORN: char = '\u{31b}';
    const HOOK: char = '\u{309}';
    const DOT_BELOW: char = '\u{323}';
    // Two marks on one letter: the vowel's own and the tone.
    let is_shape = |c: char| matches!(c, '\u{302}' | '\u{306}');
    let is_tone = |c: char| matches!(c, '\u{300}' | '\u{301}' | '\u{303}');
    let mut before = ' ';
    word.nfd().any(|c| {
        let stacked = is_shape(before) && is_tone(c);
        before = c;
        stacked || matches!(c, HORN | HOOK | DOT_BELOW)
    })
}

/// The spelling without marks of a folded word that kept them, for those who type without.
pub(crate) fn unmarked_spelling(folded: &str) -> Option<String> {
    let is_marked = |c: char| matches!(c, '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}');
    folded.contains(is_marked).then(|| without_marks(folded))
}

fn without_marks(word: &str) -> String {
    let mut base = ' ';
    let folded = word.nfd().filter(move |&c| {
        let kept = !is_folded_mark(c, base);
        if !is_combining_mark(c) {
            base = c;
        }
        kept
    });
    let mut out = String::with_capacity(word.len());
    for c in folded.nfc() {
        push_folded(c, &mut out);
    }
    out
}

/// The spelling with two letters for one (`Müller` as `mueller`), if the word has such a letter.
pub(crate) fn digraph_spelling(word: &str) -> Option<String> {
    if word.is_ascii() || !word.chars().any(|c| digraph(c).is_some()) {
        return None;
    }
    let mut spelled = String::with_capacity(word.len() + 4);
    for c in word.chars() {
        match digraph(c) {
            Some(letters) => spelled.push_str(letters),
            None => spelled.push(c),
        }
    }
    Some(fold(&spelled))
}

fn digraph(c: char) -> Option<&'static str> {
    Some(match c {
        'ä' | 'Ä' => "ae",
        'ö' | 'Ö' | 'ø' | 'Ø' => "oe",
        'ü' | 'Ü' => "ue",
        'å' | 'Å' => "aa",
        _ => return None,
    })
}

/// Marks that people leave out when they type: Latin, Greek and Cyrillic accents, Hebrew points,
/// Arabic vowels.
fn is_folded_mark(c: char, base: char) -> bool {
    match c {
        // й is a letter of its own, and the endings a stemmer looks for are spelled with it.
        '\u{306}' => !matches!(base, 'и' | 'И'),
        '\u{300}'..='\u{36f}' | '\u{591}'..='\u{5bd}' | '\u{5bf}'..='\u{5c7}' => true,
        '\u{640}' | '\u{64b}'..='\u{65f}' | '\u{670}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}' => true,
        _ => false,
    }
}

fn push_folded(c: char, out: &mut String) {
    if c.is_ascii() {
        out.push(c.to_ascii_lowercase());
        return;
    }
    match c {
        'ø' | 'Ø' => out.push('o'),
        'æ' | 'Æ' => out.push_str("ae"),
        'œ' | 'Œ' => out.push_str("oe"),
        'ł' | 'Ł' => out.push('l'),
        'đ' | 'Đ' | 'ð' | 'Ð' => out.push('d'),
        'þ' | 'Þ' => out.push_str("th"),
        'ħ' | 'Ħ' => out.push('h'),
        'ŋ' | 'Ŋ' => out.push('n'),
        // Upper case first: that is what joins ß with ss, and both forms of sigma.
        _ => out.extend(c.to_uppercase().flat_map(char::to_lowercase)),
    }
}

/// Soft hyphens, byte order marks, non-joiners and direction controls: they change the look, not
/// the word.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{feff}' | '\u{200c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}' | '\u{2066}'..='\u{2069}')
}

/// Signs that compatibility forms would glue to the word before them, and the many hyphens and
/// apostrophes.
fn plain_sign(c: char) -> char {
    match c {
        '™' | '℠' => ' ',
        '\u{2010}' | '\u{2011}' | '\u{2212}' => '-',
        '\u{2018}' | '\u{2019}' | '\u{2bc}' | '\u{ff07}' | '\u{b4}' => '\'',
        _ => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_and_accents_fold_away() {
        for (written, folded) in [
            ("Müller", "muller"),
            ("STRASSE", "strasse"),
            ("Straße", "strasse"),
            ("Ångström", "angstrom"),
            ("Łódź", "lodz"),
            ("smørrebrød", "smorrebrod"),
            ("Œuvre", "oeuvre"),
            ("año", "ano"),
            ("ΟΔΟΣ", "οδοσ"),
            ("οδός", "οδοσ"),
            ("ёлка", "елка"),
            ("чёрный", "черный"),
        ] {
            assert_eq!(fold(&compatible(written)), folded);
        }
    }

    #[test]
    fn vietnamese_keeps_its_marks() {
        let folded = |word: &str| fold(&compatible(word));
        assert_eq!(folded("Đầu"), "đầu");
        assert_eq!(folded("dầu"), "dầu");
        assert_ne!(folded("đầu"), folded("dầu"));
        assert_eq!(folded("PHỞ"), "phở");
        assert_eq!(unmarked_spelling("phở").as_deref(), Some("pho"));
        assert_eq!(unmarked_spelling(&fold("café")), None);
    }

    #[test]
    fn letters_that_only_look_accented_stay() {
        for word in ["が", "한국", "हिन्दी"] {
            assert_eq!(fold(&compatible(word)), word);
        }
    }

    #[test]
    fn full_width_and_half_width_forms_are_plain() {
        assert_eq!(compatible("ＡＢＣ１２３"), "ABC123");
        assert_eq!(compatible("ｶﾞﾗｽ"), "ガラス");
    }

    #[test]
    fn umlauts_have_a_spelling_with_two_letters() {
        assert_eq!(digraph_spelling("Müller").as_deref(), Some("mueller"));
        assert_eq!(digraph_spelling("Ærø").as_deref(), Some("aeroe"));
        assert_eq!(digraph_spelling("résumé"), None);
    }
}
