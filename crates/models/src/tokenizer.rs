//! Text into token numbers, by the tokenizer that a model was trained with.

use std::path::Path;

use serde::Deserialize;

use crate::model_files::{LoadError, read_settings};

#[cfg(not(feature = "local-models"))]
mod absent;
#[cfg(feature = "local-models")]
mod published;
mod scripts;

#[cfg(not(feature = "local-models"))]
use absent::Loaded;
#[cfg(feature = "local-models")]
use published::Loaded;
use scripts::KnownScripts;

/// How much text a token may stand for before the rest is not even looked at. English has 4 to 5
/// bytes a token; the bound keeps the work for a huge text in proportion to what the model will see
/// of it.
const BYTES_PER_TOKEN_MAX: usize = 256;

/// A model's tokenizer, set to cut texts at the model's length.
pub(crate) struct TextTokenizer {
    loaded: Loaded,
    bytes_max: usize,
    lowercase: bool,
    scripts: KnownScripts,
    source: Vec<u8>,
}

/// The tokens of one input, special ones included.
pub(crate) struct Tokens {
    pub(crate) ids: Vec<u32>,
    /// Which of two texts each token is of.
    pub(crate) types: Vec<u32>,
}

/// What a model's settings say about tokenizing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TokenizerLimits {
    pub(crate) tokens_max: usize,
    /// How many rows the table of token vectors has.
    pub(crate) vocabulary: usize,
    /// Whether the text is lowered before the tokenizer sees it.
    pub(crate) lowercase: bool,
}

/// The settings in `tokenizer_config.json` that matter here.
#[derive(Default, Deserialize)]
#[cfg_attr(
    not(feature = "local-models"),
    expect(dead_code, reason = "what reads the rest is not built")
)]
pub(crate) struct TokenizerSettings {
    do_lower_case: Option<bool>,
    tokenize_chinese_chars: Option<bool>,
    strip_accents: Option<bool>,
    /// A float, because some models write 1e30 for "no limit".
    pub(crate) model_max_length: Option<f64>,
}

impl TokenizerSettings {
    /// Reads them, or the defaults where a model has none.
    pub(crate) fn read(directory: &Path) -> Result<TokenizerSettings, LoadError> {
        match read_settings(&directory.join("tokenizer_config.json"))? {
            Some(settings) => Ok(settings),
            None => Ok(TokenizerSettings::default()),
        }
    }
}

impl TextTokenizer {
    /// Loads `tokenizer.json`, or makes a WordPiece tokenizer of `vocab.txt`.
    pub(crate) fn load(directory: &Path, limits: TokenizerLimits) -> Result<TextTokenizer, LoadError> {
        let (path, source, mut loaded) = Loaded::read(directory)?;
        let wrong = |reason: String| LoadError::Tokenizer {
            path: path.clone(),
            reason,
        };
        let vocabulary = loaded.vocabulary();
        let largest = vocabulary
            .values()
            .copied()
            .max()
            .ok_or_else(|| wrong("it knows no token".to_string()))?;
        if limits.vocabulary <= largest as usize {
            let rows = limits.vocabulary;
            return Err(wrong(format!(
                "token number {largest} has no vector in a table of {rows}"
            )));
        }
        loaded.cut_at(limits.tokens_max).map_err(&wrong)?;
        Ok(TextTokenizer {
            loaded,
            bytes_max: limits.tokens_max.saturating_mul(BYTES_PER_TOKEN_MAX),
            lowercase: limits.lowercase,
            scripts: KnownScripts::of(vocabulary.keys().map(String::as_str)),
            source,
        })
    }

    /// Turns one text into tokens, special ones included.
    pub(crate) fn encode(&self, text: &str) -> Result<Tokens, String> {
        some(self.loaded.encode(self.prepare(text))?)
    }

    /// Turns a question and a passage into the tokens of one input.
    pub(crate) fn encode_pair(&self, first: &str, second: &str) -> Result<Tokens, String> {
        some(
            self.loaded
                .encode_pair(self.prepare(first), self.prepare(second))?,
        )
    }

    /// Tells which part of the text's letters is of a script that the vocabulary covers.
    pub(crate) fn understanding(&self, text: &str) -> f32 {
        self.scripts.share(cut(text, self.bytes_max))
    }

    /// Gives what the tokenizer was made from, for the model's fingerprint.
    pub(crate) fn source(&self) -> &[u8] {
        &self.source
    }

    /// Names the kind of tokenizer and the scripts it covers.
    pub(crate) fn describe(&self) -> (&'static str, Vec<&'static str>) {
        (self.loaded.kind(), self.scripts.names())
    }

    fn prepare(&self, text: &str) -> String {
        let text = cut(text.trim(), self.bytes_max);
        if self.lowercase {
            text.to_lowercase()
        } else {
            text.to_string()
        }
    }
}

fn some(tokens: Tokens) -> Result<Tokens, String> {
    match tokens.ids.is_empty() {
        true => Err("the tokenizer gives no tokens, not even for the start of a text".to_string()),
        false => Ok(tokens),
    }
}

/// Cuts at a character's border.
fn cut(text: &str, bytes_max: usize) -> &str {
    &text[..text.floor_char_boundary(bytes_max)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_never_splits_a_character() {
        assert_eq!(cut("a花b", 2), "a");
        assert_eq!(cut("a花b", 4), "a花");
        assert_eq!(cut("", 4), "");
    }
}
