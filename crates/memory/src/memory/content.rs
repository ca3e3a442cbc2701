//! The text of a memory.

use std::fmt;
use std::sync::{Arc, OnceLock};

use recalld_index::text::plain;
use recalld_index::text::tokens::TokenCount;
use thiserror::Error;

use crate::screening::instructions::{Suspicion, Verdict};
use crate::slots;

/// Text that is not blank, not longer than [`Content::BYTES_MAX`], and holds nothing that hides
/// from a reader. Checked once, here. Clones share the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    text: Arc<str>,
    verdict: Verdict,
    /// How many it is in each encoding: never more than it has bytes.
    tokens: Derived<[u16; 2]>,
    is_versionless: Derived<bool>,
}

/// What follows from the text beside it, worked out when first asked for.
#[derive(Clone)]
struct Derived<T>(OnceLock<T>);

/// It says nothing that the text does not: two that are equal are written alike.
impl<T> fmt::Debug for Derived<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Derived")
    }
}

impl<T> Default for Derived<T> {
    fn default() -> Derived<T> {
        Derived(OnceLock::new())
    }
}

/// It is the same for the same text, known already or not.
impl<T> PartialEq for Derived<T> {
    fn eq(&self, _: &Derived<T>) -> bool {
        true
    }
}

impl<T> Eq for Derived<T> {}

/// Why a text cannot be remembered.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum InvalidContent {
    /// Nothing but white space.
    #[error("the content is blank")]
    Blank,
    /// Longer than one memory may be.
    #[error("the content is {bytes} bytes, over the limit of {limit}", limit = Content::BYTES_MAX)]
    TooLong { bytes: usize },
    /// A NUL, another control character, or one that changes the text's direction.
    #[error("the content holds {character} at byte {at}, which is not allowed")]
    Character { character: String, at: usize },
}

impl Content {
    /// The most bytes one memory may have.
    pub const BYTES_MAX: usize = 16 * 1024;

    /// Checks `raw` and takes it without the white space around it.
    pub fn new(raw: &str) -> Result<Content, InvalidContent> {
        if Self::BYTES_MAX < raw.len() {
            return Err(InvalidContent::TooLong { bytes: raw.len() });
        }
        let text = raw.trim();
        if text.is_empty() {
            return Err(InvalidContent::Blank);
        }
        let forbidden =
            |c: char| (c.is_control() && !matches!(c, '\n' | '\t' | '\r')) || plain::is_bidi_control(c);
        if let Some((at, c)) = raw.char_indices().find(|&(_, c)| forbidden(c)) {
            return Err(InvalidContent::Character {
                character: plain::name_character(c),
                at,
            });
        }
        Ok(Content {
            text: text.into(),
            verdict: Verdict::default(),
            tokens: Derived::default(),
            is_versionless: Derived::default(),
        })
    }

    /// Gives the text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Counts its tokens, once.
    pub fn tokens(&self) -> TokenCount {
        let counted = self.tokens.0.get_or_init(|| {
            let counted = TokenCount::of(&self.text);
            [counted.cl100k, counted.o200k].map(|count| u16::try_from(count).unwrap_or(u16::MAX))
        });
        let [cl100k, o200k] = counted.map(usize::from);
        TokenCount { cl100k, o200k }
    }

    /// Tells whether it can be no version of a fact by what it says.
    pub(crate) fn is_versionless(&self) -> bool {
        let known = &self.is_versionless.0;
        *known.get_or_init(|| slots::is_versionless(&self.text))
    }

    /// Writes what is known of the text, for [`Content::take_note`] of the same text.
    pub(crate) fn note(&self) -> u64 {
        let tokens = self.tokens.0.get().map_or(0, |[cl100k, o200k]| {
            TOKENS_KNOWN | u64::from(*cl100k) << 16 | u64::from(*o200k)
        });
        match self.is_versionless() {
            true => tokens | VERSIONLESS,
            false => tokens | VERSIONED,
        }
    }

    /// Takes over what was known of the same text.
    pub(crate) fn take_note(&self, note: u64) {
        // What is known already is the same.
        if note & TOKENS_KNOWN != 0 {
            let _ = self.tokens.0.set([(note >> 16) as u16, note as u16]);
        }
        if note & (VERSIONLESS | VERSIONED) != 0 {
            let _ = self.is_versionless.0.set(note & VERSIONLESS != 0);
        }
    }

    /// Tells why it reads like an instruction, if it does.
    pub(crate) fn suspicion(&self) -> Option<Suspicion> {
        self.verdict.on_content(&self.text)
    }

    /// The same by rules alone: quick, and enough for what nobody is shown unasked.
    pub(crate) fn suspicion_by_rules(&self) -> Option<Suspicion> {
        self.verdict.on_content_by_rules(&self.text)
    }

    /// Finds out what [`Content::suspicion`] will say, and remembers it.
    pub(crate) fn judge(&self) {
        self.verdict.on_content(&self.text);
    }

    /// Whether [`Content::suspicion`] is known already.
    pub(crate) fn is_judged(&self) -> bool {
        self.verdict.is_known()
    }
}

/// The bits of a note beside the two counts of tokens.
const TOKENS_KNOWN: u64 = 1 << 32;
const VERSIONLESS: u64 = 1 << 33;
const VERSIONED: u64 = 1 << 34;

impl fmt::Display for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_those_of_the_text_however_long_it_is() {
        for text in ["a b c".to_owned(), "\u{1f980}".repeat(Content::BYTES_MAX / 4)] {
            let content = Content::new(&text).unwrap();
            assert_eq!(content.tokens(), TokenCount::of(&text));
            assert_eq!(content.clone().tokens(), TokenCount::of(&text));
        }
    }

    #[test]
    fn a_note_tells_what_was_known() {
        for text in ["I live in Lisbon", "green tea", "We moved the office to Porto"] {
            let [content, other] = [(); 2].map(|()| Content::new(text).unwrap());
            content.tokens();
            other.take_note(content.note());
            assert_eq!(other.tokens.0.get(), content.tokens.0.get());
            assert_eq!(other.is_versionless.0.get(), Some(&slots::is_versionless(text)));
            let fresh = Content::new(text).unwrap();
            fresh.take_note(Content::new(text).unwrap().note());
            assert_eq!(fresh.tokens.0.get(), None, "nobody had counted");
            assert_eq!(fresh.tokens(), content.tokens());
        }
    }

    #[test]
    fn what_hides_from_a_reader_is_refused() {
        assert_eq!(Content::new(" \n\t "), Err(InvalidContent::Blank));
        assert!(matches!(
            Content::new("a\0b"),
            Err(InvalidContent::Character { at: 1, .. })
        ));
        assert!(matches!(
            Content::new("pay \u{202e}evil"),
            Err(InvalidContent::Character { at: 4, .. })
        ));
        assert_eq!(
            Content::new(&"x".repeat(20_211)),
            Err(InvalidContent::TooLong { bytes: 20_211 })
        );
        assert_eq!(Content::new("  שלום\nعالم ").unwrap().as_str(), "שלום\nعالم");
    }
}
