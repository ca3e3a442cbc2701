//! Cross-encoders from a local directory: the question and a passage are read together.

use std::fmt;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use futures::future::try_join_all;
use recalld_memory::ports::{RerankError, Reranker};

use crate::tokenizer::{TextTokenizer, TokenizerLimits};
use crate::transformer::LoadError;
use crate::transformer::batches::{Part, split};
use crate::transformer::config::{EncoderConfig, Family};
use crate::transformer::encoder::{Batch, Encoder, NAME_PREFIXES};
use crate::transformer::threads::Threads;
use crate::transformer::weights::WeightFile;
use crate::transformer::{directory_name, tokens_max};

/// What a user may set about a cross-encoder.
#[derive(Clone, Debug, Default)]
pub struct RerankerOptions {
    /// How many threads may compute at once, over all calls; all cores if not set.
    pub threads: Option<NonZeroUsize>,
    /// Where to cut long pairs, if earlier than the model would.
    pub tokens_max: Option<NonZeroUsize>,
}

/// A cross-encoder in memory.
#[derive(Clone)]
pub struct CrossEncoder {
    parts: Arc<Parts>,
    threads: Threads,
}

struct Parts {
    name: String,
    tokenizer: TextTokenizer,
    encoder: Encoder,
    head: Head,
}

/// From the first token's vector to one score: a layer with tanh, and a layer to a single number.
struct Head {
    dense: Vec<f32>,
    dense_bias: Vec<f32>,
    out: Vec<f32>,
    out_bias: f32,
}

impl CrossEncoder {
    /// Loads a directory with a `…ForSequenceClassification` of one label, such as ms-marco-MiniLM.
    /// Reads and computes for a while; not for an asynchronous thread.
    pub fn load(directory: &Path, options: &RerankerOptions) -> Result<CrossEncoder, LoadError> {
        let config = EncoderConfig::read(directory)?;
        if config.labels != 1 {
            let reason = format!("{} labels; a reranker has one", config.labels);
            return Err(LoadError::Config {
                path: directory.join("config.json"),
                reason,
            });
        }
        let asked_max = options.tokens_max.map_or(usize::MAX, NonZeroUsize::get);
        // Four special tokens frame a pair; fewer than eight would leave nothing between them.
        let tokens_max = tokens_max(directory, &config)?
            .min(asked_max)
            .max(8)
            .min(config.tokens_max());
        let limits = TokenizerLimits {
            tokens_max,
            vocabulary: config.vocabulary,
            lowercase: false,
        };
        let tokenizer = TextTokenizer::load(directory, limits)?;
        let mut file = WeightFile::open(&directory.join("model.safetensors"), NAME_PREFIXES)?;
        let head = Head::read(&mut file, &config)?;
        let encoder = Encoder::load(config, &mut file)?;
        let parts = Parts {
            name: directory_name(directory),
            tokenizer,
            encoder,
            head,
        };
        Ok(CrossEncoder {
            parts: Arc::new(parts),
            threads: Threads::new(options.threads),
        })
    }

    /// Scores on the calling thread, for programs that are not asynchronous.
    pub fn rerank_blocking(&self, query: &str, passages: &[&str]) -> Result<Vec<f32>, RerankError> {
        let owned: Vec<String> = passages.iter().map(ToString::to_string).collect();
        let mut scores = vec![0.0; passages.len()];
        for part in split(self.parts.tokenize(query, &owned)?) {
            for (score, &index) in self.parts.scores(&part)?.into_iter().zip(&part.indices) {
                scores[index] = score;
            }
        }
        Ok(scores)
    }
}

#[async_trait]
impl Reranker for CrossEncoder {
    fn name(&self) -> &str {
        &self.parts.name
    }

    async fn rerank(&self, query: &str, passages: &[&str]) -> Result<Vec<f32>, RerankError> {
        let lost = |reason| RerankError::Unavailable {
            model: self.parts.name.clone(),
            reason,
        };
        let query = query.to_string();
        let owned: Vec<String> = passages.iter().map(ToString::to_string).collect();
        let parts = Arc::clone(&self.parts);
        let pairs = self
            .threads
            .run(move || parts.tokenize(&query, &owned))
            .await
            .map_err(lost)??;
        let done = try_join_all(split(pairs).into_iter().map(|part| {
            let parts = Arc::clone(&self.parts);
            self.threads.run(move || (parts.scores(&part), part.indices))
        }));
        let mut scores = vec![0.0; passages.len()];
        for (found, indices) in done.await.map_err(lost)? {
            for (score, index) in found?.into_iter().zip(indices) {
                scores[index] = score;
            }
        }
        Ok(scores)
    }
}

impl Parts {
    fn tokenize(&self, query: &str, passages: &[String]) -> Result<Vec<Batch>, RerankError> {
        let encode = |passage: &String| self.tokenizer.encode_pair(query, passage);
        let batch = |passage| encode(passage).map(Batch::of);
        passages
            .iter()
            .map(|passage| batch(passage).map_err(|reason| self.bad(reason)))
            .collect()
    }

    fn scores(&self, part: &Part) -> Result<Vec<f32>, RerankError> {
        let width = self.encoder.config().width;
        let hidden = self.encoder.run(&part.batch);
        let mut first = 0;
        let mut scores = Vec::with_capacity(part.batch.lengths.len());
        for length in &part.batch.lengths {
            let score = self.head.score(&hidden[first * width..][..width]);
            if !score.is_finite() {
                return Err(self.bad(format!("a score is {score}")));
            }
            scores.push(score);
            first += length;
        }
        Ok(scores)
    }

    fn bad(&self, reason: String) -> RerankError {
        RerankError::BadAnswer {
            model: self.name.clone(),
            reason,
        }
    }
}

impl Head {
    fn read(file: &mut WeightFile, config: &EncoderConfig) -> Result<Head, LoadError> {
        let (dense, out) = match config.family {
            Family::Bert => ("pooler.dense", "classifier"),
            Family::Roberta => ("classifier.dense", "classifier.out_proj"),
            Family::DistilBert => {
                let (path, found) = (file.path().to_path_buf(), config.model_type.clone());
                let wanted = "rerankers of type bert, roberta, xlm-roberta and camembert are known";
                return Err(LoadError::Architecture { path, found, wanted });
            }
        };
        let width = config.width;
        Ok(Head {
            dense: file.matrix(&format!("{dense}.weight"), width, width)?,
            dense_bias: file.vector(&format!("{dense}.bias"), width)?,
            out: file.matrix(&format!("{out}.weight"), 1, width)?,
            out_bias: file.vector(&format!("{out}.bias"), 1)?[0],
        })
    }

    fn score(&self, first: &[f32]) -> f32 {
        let rows = self
            .dense
            .chunks_exact(first.len())
            .zip(&self.dense_bias)
            .zip(&self.out);
        let logit: f32 = rows
            .map(|((row, bias), out)| (dot(row, first) + bias).tanh() * out)
            .sum();
        1.0 / (1.0 + (-(logit + self.out_bias)).exp())
    }
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

impl fmt::Debug for CrossEncoder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("CrossEncoder")
            .field("name", &self.parts.name)
            .finish_non_exhaustive()
    }
}
