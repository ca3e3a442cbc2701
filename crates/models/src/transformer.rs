//! Sentence encoders of the BERT family, read from a local directory and run on the CPU.

use std::fmt;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use futures::future::try_join_all;
use recalld_index::model::EmbeddingModel;
use recalld_memory::ports::{EmbedError, Embedder, TextRole};
use serde::Deserialize;
use sha2::{Digest, Sha256};

use crate::tokenizer::{TextTokenizer, TokenizerLimits, TokenizerSettings};

pub(crate) mod batches;
pub(crate) mod config;
pub(crate) mod encoder;
pub(crate) mod matmul;
mod pointwise;
mod prefixes;
mod sentence;
pub(crate) mod threads;
pub(crate) mod weights;

pub use crate::model_files::LoadError;
pub use prefixes::Prefixes;

use crate::model_files::read_settings;
use batches::{Part, split};
use config::EncoderConfig;
use encoder::{Batch, Encoder, NAME_PREFIXES};
use sentence::SentenceHead;
use threads::Threads;
use weights::WeightFile;

/// Part of every model's name: raised when this implementation's vectors change.
const REVISION: &[u8] = b"transformer 1";

/// What a user may set about a model in a directory. The default takes everything from the
/// directory.
#[derive(Clone, Debug, Default)]
pub struct TransformerOptions {
    /// How many threads may compute at once, over all calls; all cores if not set.
    pub threads: Option<NonZeroUsize>,
    /// What to put in front of texts, instead of what the directory says.
    pub prefixes: Option<Prefixes>,
    /// Where to cut long texts, if earlier than the model would.
    pub tokens_max: Option<NonZeroUsize>,
}

/// A sentence encoder in memory.
#[derive(Clone)]
pub struct TransformerEmbedder {
    parts: Arc<Parts>,
    threads: Threads,
}

struct Parts {
    model: EmbeddingModel,
    tokenizer: TextTokenizer,
    encoder: Encoder,
    head: SentenceHead,
    prefixes: Prefixes,
    tokens_max: usize,
}

/// What `recalld models list` tells about a loaded model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransformerFacts {
    /// The family, as the model's settings name it.
    pub architecture: String,
    /// The kind of tokenizer.
    pub tokenizer: &'static str,
    /// The writing systems that the vocabulary covers.
    pub scripts: Vec<&'static str>,
    /// How many tokens of a text are looked at.
    pub tokens_max: usize,
}

impl TransformerEmbedder {
    /// Loads a model directory: `config.json`, `model.safetensors`, `tokenizer.json` or
    /// `vocab.txt`, and the files of sentence-transformers where there are some. Reads and computes
    /// for a while; not for an asynchronous thread.
    pub fn load(directory: &Path, options: &TransformerOptions) -> Result<TransformerEmbedder, LoadError> {
        let config = EncoderConfig::read(directory)?;
        let settings = SentenceSettings::read(directory)?;
        let head = SentenceHead::read(directory, config.width)?;
        let name = directory_name(directory);
        let known_as = config.name.clone().unwrap_or_default();
        let prefixes = match &options.prefixes {
            Some(prefixes) => prefixes.clone(),
            None => Prefixes::read(directory, &format!("{name} {known_as}"))?,
        };
        let own_max = settings.max_seq_length.unwrap_or(usize::MAX);
        let asked_max = options.tokens_max.map_or(usize::MAX, NonZeroUsize::get);
        // Fewer than three tokens would leave nothing between the special ones.
        let tokens_max = tokens_max(directory, &config)?
            .min(own_max)
            .min(asked_max)
            .max(3)
            .min(config.tokens_max());
        let limits = TokenizerLimits {
            tokens_max,
            vocabulary: config.vocabulary,
            lowercase: settings.do_lower_case,
        };
        let tokenizer = TextTokenizer::load(directory, limits)?;
        let mut file = WeightFile::open(&directory.join("model.safetensors"), NAME_PREFIXES)?;
        let dimension = head.dimension(config.width);
        let encoder = Encoder::load(config, &mut file)?;
        let digest = Sha256::new()
            .chain_update(REVISION)
            .chain_update(file.fingerprint())
            .chain_update(&head.fingerprint)
            .chain_update(tokenizer.source())
            .chain_update(format!(
                "{prefixes:?} {:?} {limits:?} {:?}",
                head.pooling,
                encoder.config()
            ))
            .finalize();
        let name = format!("{name}@{}", hex(&digest[..6]));
        let model = EmbeddingModel { name, dimension };
        let parts = Parts {
            model,
            tokenizer,
            encoder,
            head,
            prefixes,
            tokens_max,
        };
        Ok(TransformerEmbedder {
            parts: Arc::new(parts),
            threads: Threads::new(options.threads),
        })
    }

    /// Embeds on the calling thread, for programs that are not asynchronous.
    pub fn embed_blocking(&self, texts: &[&str], role: TextRole) -> Result<Vec<Vec<f32>>, EmbedError> {
        let batches = self.parts.tokenize(texts, role)?;
        let mut vectors = vec![Vec::new(); texts.len()];
        for part in split(batches) {
            place(self.parts.run(&part)?, &part, &mut vectors);
        }
        Ok(vectors)
    }

    /// Tells what kind of model this is.
    pub fn facts(&self) -> TransformerFacts {
        let (tokenizer, scripts) = self.parts.tokenizer.describe();
        let architecture = self.parts.encoder.config().model_type.clone();
        TransformerFacts {
            architecture,
            tokenizer,
            scripts,
            tokens_max: self.parts.tokens_max,
        }
    }

    async fn off_the_runtime<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Parts) -> Result<T, EmbedError> + Send + 'static,
    ) -> Result<T, EmbedError> {
        let parts = Arc::clone(&self.parts);
        self.threads
            .run(move || work(&parts))
            .await
            .unwrap_or_else(|reason| {
                Err(EmbedError::Unavailable {
                    model: self.parts.model.name.clone(),
                    reason,
                })
            })
    }
}

#[async_trait]
impl Embedder for TransformerEmbedder {
    fn model(&self) -> &EmbeddingModel {
        &self.parts.model
    }

    async fn embed(&self, texts: &[&str], role: TextRole) -> Result<Vec<Vec<f32>>, EmbedError> {
        let owned: Vec<String> = texts.iter().map(ToString::to_string).collect();
        let encoded = self
            .off_the_runtime(move |parts| {
                let texts: Vec<&str> = owned.iter().map(String::as_str).collect();
                parts.tokenize(&texts, role)
            })
            .await?;
        let done = try_join_all(split(encoded).into_iter().map(|part| {
            self.off_the_runtime(move |parts| {
                let vectors = parts.run(&part)?;
                Ok((part, vectors))
            })
        }))
        .await?;
        let mut vectors = vec![Vec::new(); texts.len()];
        for (part, part_vectors) in done {
            place(part_vectors, &part, &mut vectors);
        }
        Ok(vectors)
    }

    fn understanding(&self, text: &str) -> f32 {
        self.parts.tokenizer.understanding(text)
    }
}

impl Parts {
    fn tokenize(&self, texts: &[&str], role: TextRole) -> Result<Vec<Batch>, EmbedError> {
        let prefix = self.prefixes.of(role);
        let encode = |text: &&str| {
            let encoding = match prefix {
                "" => self.tokenizer.encode(text),
                prefix => self.tokenizer.encode(&format!("{prefix}{text}")),
            };
            encoding.map(Batch::of).map_err(|reason| self.bad(reason))
        };
        texts.iter().map(encode).collect()
    }

    fn run(&self, part: &Part) -> Result<Vec<Vec<f32>>, EmbedError> {
        let width = self.encoder.config().width;
        let hidden = self.encoder.run(&part.batch);
        let mut rest = hidden.as_slice();
        part.batch
            .lengths
            .iter()
            .map(|length| {
                let (text, after) = rest.split_at(length * width);
                rest = after;
                let vector = self.head.apply(text, width);
                match vector.iter().all(|value| value.is_finite()) {
                    true => Ok(vector),
                    false => Err(self.bad("a component is not a number".to_string())),
                }
            })
            .collect()
    }

    fn bad(&self, reason: String) -> EmbedError {
        EmbedError::BadAnswer {
            model: self.model.name.clone(),
            reason,
        }
    }
}

impl fmt::Debug for TransformerEmbedder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("TransformerEmbedder")
            .field("model", &self.parts.model)
            .finish_non_exhaustive()
    }
}

/// `sentence_bert_config.json`, where there is one.
#[derive(Default, Deserialize)]
#[serde(default)]
struct SentenceSettings {
    max_seq_length: Option<usize>,
    do_lower_case: bool,
}

impl SentenceSettings {
    fn read(directory: &Path) -> Result<SentenceSettings, LoadError> {
        let settings = read_settings(&directory.join("sentence_bert_config.json"))?;
        Ok(settings.unwrap_or_default())
    }
}

/// Gives the longest text in tokens that the encoder and its tokenizer's settings allow.
pub(crate) fn tokens_max(directory: &Path, config: &EncoderConfig) -> Result<usize, LoadError> {
    let told = TokenizerSettings::read(directory)?
        .model_max_length
        .filter(|length| 3.0 <= *length);
    // Casting a float saturates, so "no limit" stays one.
    Ok(config
        .tokens_max()
        .min(told.map_or(usize::MAX, |length| length as usize)))
}

/// Gives the last part of a directory's path.
pub(crate) fn directory_name(directory: &Path) -> String {
    let resolved = directory
        .canonicalize()
        .unwrap_or_else(|_| directory.to_path_buf());
    resolved
        .file_name()
        .map_or_else(|| "model".to_string(), |name| name.to_string_lossy().into_owned())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn place(found: Vec<Vec<f32>>, part: &Part, vectors: &mut [Vec<f32>]) {
    for (vector, &index) in found.into_iter().zip(&part.indices) {
        vectors[index] = vector;
    }
}
