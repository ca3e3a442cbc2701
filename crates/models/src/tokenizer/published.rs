//! Tokenizers as models publish them, by the library that the models were made with.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use serde_json::json;
use tokenizers::{EncodeInput, Encoding, ModelWrapper, Tokenizer, TruncationParams};

use super::{TokenizerSettings, Tokens};
use crate::model_files::{LoadError, read_bounded};

/// The tokenizers of multilingual models are some 17 MB.
const BYTES_MAX: u64 = 128 << 20;

/// A tokenizer of a model directory.
pub(super) struct Loaded(Tokenizer);

impl Loaded {
    /// Reads `tokenizer.json`, or makes a WordPiece tokenizer of `vocab.txt`. Gives which file it
    /// was, and its content.
    pub(super) fn read(directory: &Path) -> Result<(PathBuf, Vec<u8>, Loaded), LoadError> {
        let (path, bytes, tokenizer) = read_tokenizer(directory)?;
        Ok((path, bytes, Loaded(tokenizer)))
    }

    pub(super) fn vocabulary(&self) -> HashMap<String, u32> {
        self.0.get_vocab(true)
    }

    /// From now on, longer inputs are cut.
    pub(super) fn cut_at(&mut self, tokens_max: usize) -> Result<(), String> {
        let truncation = TruncationParams {
            max_length: tokens_max,
            ..TruncationParams::default()
        };
        self.0
            .with_truncation(Some(truncation))
            .map_err(|error| error.to_string())?;
        self.0.with_padding(None);
        Ok(())
    }

    pub(super) fn encode(&self, text: String) -> Result<Tokens, String> {
        self.run(text.into())
    }

    pub(super) fn encode_pair(&self, first: String, second: String) -> Result<Tokens, String> {
        self.run((first, second).into())
    }

    pub(super) fn kind(&self) -> &'static str {
        match self.0.get_model() {
            ModelWrapper::BPE(_) => "bpe",
            ModelWrapper::WordPiece(_) => "wordpiece",
            ModelWrapper::WordLevel(_) => "word-level",
            ModelWrapper::Unigram(_) => "unigram",
        }
    }

    fn run(&self, input: EncodeInput<'_>) -> Result<Tokens, String> {
        let encoding: Encoding = self
            .0
            .encode_fast(input, true)
            .map_err(|error| error.to_string())?;
        Ok(Tokens {
            ids: encoding.get_ids().to_vec(),
            types: encoding.get_type_ids().to_vec(),
        })
    }
}

fn read_tokenizer(directory: &Path) -> Result<(PathBuf, Vec<u8>, Tokenizer), LoadError> {
    let path = directory.join("tokenizer.json");
    if let Some(bytes) = read_bounded(&path, BYTES_MAX)? {
        let tokenizer = Tokenizer::from_bytes(&bytes).map_err(|error| LoadError::Tokenizer {
            path: path.clone(),
            reason: error.to_string(),
        })?;
        return Ok((path, bytes, tokenizer));
    }
    let listed = directory.join("vocab.txt");
    let Some(bytes) = read_bounded(&listed, BYTES_MAX)? else {
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
}
