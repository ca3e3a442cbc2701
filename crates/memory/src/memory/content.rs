//! The text of a memory.

use std::fmt;
use std::sync::{Arc, OnceLock};

use recalld_index::text::plain;
use recalld_index::text::tokens::TokenCount;
use thiserror::Error;

use crate::screening::instructions::{Suspicion, Verdict};

/// Text that is not blank, not longer than [`Content::BYTES_MAX`], and holds nothing that hides
/// from a reader. Checked once, here. Clones share the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    text: Arc<str>,
    verdict: Verdict,
    tokens: Tokens,
}

/// How many tokens a text is in each encoding, counted when first asked for: never more than it has
/// bytes. It follows from the text beside it, known already or not.
#[derive(Clone, Debug, Default)]
struct Tokens(OnceLock<[u16; 2]>);

impl PartialEq for Tokens {
    fn eq(&self, _: &Tokens) -> bool {
        true
    }
}

impl Eq for Tokens {}

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
            tokens: Tokens::default(),
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
