//! Text into token numbers, by the tokenizer that a model was trained with.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::json;
use tokenizers::{EncodeInput, Encoding, ModelWrapper, Tokenizer, TruncationParams};

use crate::model_files::{Found, LoadError, read_bounded, read_settings};

mod scripts;

use scripts::KnownScripts;

/// The tokenizers of multilingual models are some 17 MB.
const BYTES_MAX: u64 = 128 << 20;
/// How much text a token may stand for before the rest is not even looked at. English has 4 to 5
/// bytes a token; the bound keeps the work for a huge text in proportion to what the model will see
/// of it.
const BYTES_PER_TOKEN_MAX: usize = 256;

/// A model's tokenizer, set to cut texts at the model's length.
pub(crate) struct TextTokenizer {
    inner: Tokenizer,
    bytes_max: usize,
    lowercase: bool,
    scripts: KnownScripts,
    source: Vec<u8>,
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
            Found::Yes(settings) => Ok(settings),
            Found::No => Ok(TokenizerSettings::default()),
        }
    }
}

impl TextTokenizer {
    /// Loads `tokenizer.json`, or makes a WordPiece tokenizer of `vocab.txt`.
    pub(crate) fn load(directory: &Path, limits: TokenizerLimits) -> Result<TextTokenizer, LoadError> {
        let (path, source, mut inner) = read_tokenizer(directory)?;
        let wrong = |reason: String| LoadError::Tokenizer {
            path: path.clone(),
            reason,
        };
        let vocabulary = inner.get_vocab(true);
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
        let truncation = TruncationParams {
            max_length: limits.tokens_max,
            ..TruncationParams::default()
        };
        inner
            .with_truncation(Some(truncation))
            .map_err(|error| wrong(error.to_string()))?;
        inner.with_padding(None);
        Ok(TextTokenizer {
            inner,
            bytes_max: limits.tokens_max.saturating_mul(BYTES_PER_TOKEN_MAX),
            lowercase: limits.lowercase,
            scripts: KnownScripts::of(vocabulary.keys().map(String::as_str)),
            source,
        })
    }

    /// Turns one text into tokens, special ones included.
    pub(crate) fn encode(&self, text: &str) -> Result<Encoding, String> {
        self.run(self.prepare(text).into())
    }

    /// Turns a question and a passage into the tokens of one input.
    pub(crate) fn encode_pair(&self, first: &str, second: &str) -> Result<Encoding, String> {
        self.run((self.prepare(first), self.prepare(second)).into())
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
        let kind = match self.inner.get_model() {
            ModelWrapper::BPE(_) => "bpe",
            ModelWrapper::WordPiece(_) => "wordpiece",
            ModelWrapper::WordLevel(_) => "word-level",
            ModelWrapper::Unigram(_) => "unigram",
        };
        (kind, self.scripts.names())
    }

    fn prepare(&self, text: &str) -> String {
        let text = cut(text.trim(), self.bytes_max);
        if self.lowercase {
            text.to_lowercase()
        } else {
            text.to_string()
        }
    }

    fn run(&self, input: EncodeInput<'_>) -> Result<Encoding, String> {
        let encoding = self
            .inner
            .encode_fast(input, true)
            .map_err(|error| error.to_string())?;
        match encoding.get_ids() {
            [] => Err("the tokenizer gives no tokens, not even for the start of a text".to_string()),
            _ => Ok(encoding),
        }
    }
}

/// Cuts at a character's border.
fn cut(text: &str, bytes_max: usize) -> &str {
    &text[..text.floor_char_boundary(bytes_max)]
}

fn read_tokenizer(directory: &Path) -> Result<(PathBuf, Vec<u8>, Tokenizer), LoadError> {
    let path = directory.join("tokenizer.json");
    if let Found::Yes(bytes) = read_bounded(&path, BYTES_MAX)? {
        let tokenizer = Tokenizer::from_bytes(&bytes).map_err(|error| LoadError::Tokenizer {
            path: path.clone(),
            reason: error.to_string(),
        })?;
        return Ok((path, bytes, tokenizer));
    }
    let listed = directory.join("vocab.txt");
    let Found::Yes(bytes) = read_bounded(&listed, BYTES_MAX)? else {
        return Err(LoadError::Missing {
            path,
            hint: ", and vocab.txt too",
        });
    };
    let wrong = |reason: String| LoadError::Tokenizer {
        path: listed.clone(),
        reason,
    };
    let tokenizer = word_pieces(&bytes, &TokenizerSettings::read(directory)?).map_err(wrong)?;
    Ok((listed, bytes, tokenizer))
}

/// Makes the tokenizer of BERT from its list of word pieces.
fn word_pieces(list: &[u8], settings: &TokenizerSettings) -> Result<Tokenizer, String> {
    let list = std::str::from_utf8(list).map_err(|error| error.to_string())?;
    let pieces: HashMap<&str, u32> = list.lines().zip(0..).collect();
    let number = |name: &str| {
        pieces
            .get(name)
            .copied()
            .ok_or_else(|| format!("it has no {name}"))
    };
    let (start, end) = (number("[CLS]")?, number("[SEP]")?);
    number("[UNK]")?;
    let special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
        .into_iter()
        .filter_map(|name| {
            let number = pieces.get(name)?;
            Some(json!({
                "id": number, "content": name, "special": true,
                "single_word": false, "lstrip": false, "rstrip": false, "normalized": false,
            }))
        });
    let whole = json!({
        "version": "1.0",
        "added_tokens": special.collect::<Vec<_>>(),
        "normalizer": {
            "type": "BertNormalizer",
            "clean_text": true,
            "handle_chinese_chars": settings.tokenize_chinese_chars.unwrap_or(true),
            "strip_accents": settings.strip_accents,
            "lowercase": settings.do_lower_case.unwrap_or(true),
        },
        "pre_tokenizer": { "type": "BertPreTokenizer" },
        "post_processor": { "type": "BertProcessing", "sep": ["[SEP]", end], "cls": ["[CLS]", start] },
        "model": {
            "type": "WordPiece",
            "unk_token": "[UNK]",
            "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100,
            "vocab": pieces,
        },
    });
    Tokenizer::from_bytes(whole.to_string()).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PIECES: &[u8] = "[PAD]\n[UNK]\n[CLS]\n[SEP]\nallerg\n##ic\nto\n花".as_bytes();

    #[test]
    fn a_list_of_word_pieces_makes_the_tokenizer_of_bert() {
        let tokenizer = word_pieces(PIECES, &TokenizerSettings::default()).unwrap();
        let encoding = tokenizer.encode_fast("Allergic TO 花x", true).unwrap();
        assert_eq!(encoding.get_ids(), [2, 4, 5, 6, 7, 1, 3]);
    }

    #[test]
    fn a_list_without_its_special_tokens_is_refused() {
        let reason = word_pieces(b"[CLS]\n[UNK]\na", &TokenizerSettings::default()).unwrap_err();
        assert_eq!(reason, "it has no [SEP]");
    }

    #[test]
    fn a_cut_never_splits_a_character() {
        assert_eq!(cut("a花b", 2), "a");
        assert_eq!(cut("a花b", 4), "a花");
        assert_eq!(cut("", 4), "");
    }
}
