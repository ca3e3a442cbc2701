//! A copy of a text in which nothing hides: invisible characters removed, look-alike digits,
//! letters, spaces and dashes written in ASCII.

use std::ops::Range;

use unicode_normalization::UnicodeNormalization;

use super::is_kind;
use crate::screening::invisible::is_invisible;

/// The copy, with the place in the original of each of its bytes.
pub(super) struct Normalised {
    text: String,
    /// Where each byte of `text` begins in the original, and at the end the original's length.
    /// Empty when the text is its own normal form.
    places: Vec<usize>,
}

impl Normalised {
    /// Normalises `text`.
    pub(super) fn of(text: &str) -> Normalised {
        if text.is_ascii() {
            return Normalised {
                text: without_marks(text.to_owned()),
                places: Vec::new(),
            };
        }
        let mut normal = String::with_capacity(text.len());
        let mut places = Vec::with_capacity(text.len() + 1);
        for (place, c) in text.char_indices() {
            if is_invisible(c) {
                continue;
            }
            let before = normal.len();
            push_folded(c, &mut normal);
            places.resize(places.len() + normal.len() - before, place);
        }
        places.push(text.len());
        Normalised {
            text: without_marks(normal),
            places,
        }
    }

    /// Gives the normalised text.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Gives the part of the original that became `range`, invisible characters inside included.
    pub(super) fn original(&self, range: Range<usize>) -> Range<usize> {
        if self.places.is_empty() {
            return range;
        }
        self.places[range.start]..self.places[range.end]
    }
}

/// Stars out what was redacted before: `[redacted: password in a url]` announces nothing. The
/// length stays. Only the names of kinds count, so that a mark cannot be forged around a secret.
fn without_marks(text: String) -> String {
    const MARK: &str = "[redacted: ";
    if !text.contains(MARK) {
        return text;
    }
    let mut starred = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some((before, after)) = rest.split_once(MARK) {
        starred.push_str(before);
        let kind = after.find(']').filter(|end| is_kind(&after[..*end]));
        match kind {
            Some(end) => {
                starred.push('[');
                starred.extend(std::iter::repeat_n('*', MARK.len() - 1 + end));
                rest = &after[end..];
            }
            None => {
                starred.push_str(MARK);
                rest = after;
            }
        }
    }
    starred + rest
}

/// Writes `c`, or the ASCII that it looks like.
fn push_folded(c: char, normal: &mut String) {
    if c.is_ascii() {
        return normal.push(c);
    }
    if c.is_whitespace() {
        return normal.push(' ');
    }
    match c {
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}' => normal.push('-'),
        '“' | '”' | '„' | '«' | '»' | '「' | '」' | '『' | '』' | '＂' => normal.push('"'),
        '‘' | '’' | '‚' => normal.push('\''),
        _ => match digit(c) {
            Some(digit) => normal.push(digit),
            None => push_compatible(c, normal),
        },
    }
}

/// Reads the decimal digits of other scripts, whose blocks each begin at their zero.
fn digit(c: char) -> Option<char> {
    const ZEROS: [u32; 12] = [
        0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xe50, 0xed0, 0xff10,
    ];
    let code = c as u32;
    let zero = ZEROS
        .into_iter()
        .find(|zero| (*zero..zero + 10).contains(&code))?;
    char::from_digit(code - zero, 10)
}

/// Full-width, circled and mathematical letters are compatible with ASCII ones.
fn push_compatible(c: char, normal: &mut String) {
    let mut forms = std::iter::once(c).nfkc();
    match (forms.next(), forms.next()) {
        (Some(form), None) if form.is_ascii_graphic() => normal.push(form),
        _ => normal.push(c),
    }
}
