//! Sorts characters into the few classes that are cut into words in different ways.

use unicode_normalization::char::is_combining_mark;

/// How the words of a run of characters are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// Letters and digits of scripts that put spaces between words.
    Letter,
    /// Han and kana, which do not.
    Cjk,
    /// Hangul: spaces between words, particles glued to them.
    Hangul,
    /// Thai, Lao, Khmer and Myanmar: no spaces, many marks.
    Unspaced,
    /// Emoji and other pictures.
    Picture,
    /// Everything else.
    Other,
}

pub(crate) fn class(c: char) -> Class {
    if c.is_ascii() {
        return if c.is_ascii_alphanumeric() {
            Class::Letter
        } else {
            Class::Other
        };
    }
    match u32::from(c) {
        0x3005..=0x3007 | 0x3041..=0x3096 | 0x309d..=0x309f | 0x30a1..=0x30fa | 0x30fc..=0x30ff => Class::Cjk,
        0x31f0..=0x31ff | 0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xf900..=0xfaff | 0x20000..=0x3ffff => {
            Class::Cjk
        }
        0x1100..=0x11ff | 0x3130..=0x318f | 0xa960..=0xa97f | 0xac00..=0xd7ff => Class::Hangul,
        0x0e01..=0x0e3a | 0x0e40..=0x0e4e | 0x0e81..=0x0ece | 0x1000..=0x104f | 0x1780..=0x17d3 => {
            Class::Unspaced
        }
        0x2600..=0x27bf | 0x2b00..=0x2bff | 0x1f000..=0x1faff => Class::Picture,
        _ if c.is_alphanumeric() || is_combining_mark(c) || c == '\u{200d}' => Class::Letter,
        _ => Class::Other,
    }
}

/// A modifier of the picture before it: skin tone, variation selector.
pub(crate) fn is_picture_modifier(c: char) -> bool {
    matches!(c, '\u{fe0e}' | '\u{fe0f}' | '\u{1f3fb}'..='\u{1f3ff}')
}

/// Whether Japanese writes endings and particles with it.
pub(crate) fn is_hiragana(c: char) -> bool {
    matches!(c, 'ぁ'..='ゖ' | 'ゝ'..='ゟ')
}

/// Whether Japanese writes borrowed words with it.
pub(crate) fn is_katakana(c: char) -> bool {
    matches!(c, 'ァ'..='ヺ' | 'ー'..='ヿ' | 'ㇰ'..='ㇿ')
}
