//! The models that are installed: what is there, whether it works, and how it gets there.

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use recalld_memory::ports::{EmbedError, Embedder, RerankError, Reranker, TextRole};
use serde::Deserialize;
use thiserror::Error;

use crate::model_files::{read_bounded, read_settings};
use crate::reranker::{CrossEncoder, RerankerOptions};
use crate::transformer::config::EncoderConfig;
use crate::transformer::{LoadError, TransformerEmbedder, TransformerFacts, TransformerOptions};

mod archive;
mod download;
mod hub;
mod progress;
mod pull;
mod staging;

pub use hub::HUB_DEFAULT;
pub use progress::{Progress, PullError, PulledFile};
pub use pull::{PullOptions, Pulled, pull};

/// What a model is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Turns texts into vectors.
    Embedding,
    /// Judges passages.
    Reranking,
}

/// A model directory, as its settings describe it. The weights are not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstalledModel {
    /// The directory's name, by which it is used.
    pub name: String,
    /// Where it is.
    pub directory: PathBuf,
    /// How much room it takes.
    pub bytes: u64,
    /// What the settings say, or why they cannot be used.
    pub description: Result<Description, String>,
}

/// What a model's settings say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// What it is for.
    pub purpose: Purpose,
    /// The family, as the settings name it.
    pub architecture: String,
    /// The number of components of the encoder's vectors.
    pub dimension: usize,
    /// How many layers it has.
    pub layers: usize,
    /// The kind of tokenizer: `WordPiece`, `Unigram` or another.
    pub tokenizer: String,
    /// How many tokens it knows; over 100,000 is a sign of many languages.
    pub vocabulary: usize,
}

/// Lists the models in `directory`, by name. A directory that does not exist holds none.
pub fn list(directory: &Path) -> io::Result<Vec<InstalledModel>> {
    let entries = match std::fs::read_dir(directory) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut models = Vec::new();
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        // A hidden one is being pulled, or was left by a pull that was interrupted.
        if name.starts_with('.') || !entry.path().is_dir() {
            continue;
        }
        let directory = entry.path();
        let description = describe(&directory).map_err(|error| error.to_string());
        models.push(InstalledModel {
            name,
            bytes: size(&directory, 4)?,
            directory,
            description,
        });
    }
    models.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(models)
}

/// Reads what the settings of a model directory say.
pub fn describe(directory: &Path) -> Result<Description, LoadError> {
    let config = EncoderConfig::read(directory)?;
    Ok(Description {
        purpose: purpose(directory)?,
        architecture: config.model_type.clone(),
        dimension: config.width,
        layers: config.layers,
        tokenizer: tokenizer_kind(directory)?,
        vocabulary: config.vocabulary,
    })
}

/// What a model did when it was tried.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The name that its vectors carry.
    pub name: String,
    /// What it is for.
    pub purpose: Purpose,
    /// The number of components of its vectors; none for a reranker.
    pub dimension: Option<usize>,
    /// What kind of encoder it is; none for a reranker.
    pub facts: Option<TransformerFacts>,
    /// How long loading took.
    pub load_time: Duration,
    /// How long the probe took.
    pub probe_time: Duration,
}

/// Why a model does not work.
#[derive(Debug, Error)]
pub enum CheckError {
    /// It cannot be loaded.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// It gives no vector.
    #[error(transparent)]
    Embed(#[from] EmbedError),
    /// It gives no score.
    #[error(transparent)]
    Rerank(#[from] RerankError),
}

/// Loads a model and lets it work once. Reads and computes for a while; not for an asynchronous
/// thread.
pub fn check(directory: &Path) -> Result<Checked, CheckError> {
    const PROBE: &str = "The quick brown fox jumps over the lazy dog.";
    let purpose = purpose(directory)?;
    let start = Instant::now();
    match purpose {
        Purpose::Embedding => {
            let embedder = TransformerEmbedder::load(directory, &TransformerOptions::default())?;
            let load_time = start.elapsed();
            embedder.embed_blocking(&[PROBE], TextRole::Passage)?;
            let model = embedder.model().clone();
            let (dimension, facts) = (Some(model.dimension), Some(embedder.facts()));
            let probe_time = start.elapsed() - load_time;
            Ok(Checked {
                name: model.name,
                purpose,
                dimension,
                facts,
                load_time,
                probe_time,
            })
        }
        Purpose::Reranking => {
            let reranker = CrossEncoder::load(directory, &RerankerOptions::default())?;
            let load_time = start.elapsed();
            reranker.rerank_blocking(PROBE, &[PROBE])?;
            let name = reranker.name().to_string();
            let probe_time = start.elapsed() - load_time;
            Ok(Checked {
                name,
                purpose,
                dimension: None,
                facts: None,
                load_time,
                probe_time,
            })
        }
    }
}

fn purpose(directory: &Path) -> Result<Purpose, LoadError> {
    #[derive(Deserialize)]
    struct Raw {
        #[serde(default)]
        architectures: Vec<String>,
    }
    let classifies = match read_settings::<Raw>(&directory.join("config.json"))? {
        Some(raw) => raw
            .architectures
            .iter()
            .any(|name| name.ends_with("ForSequenceClassification")),
        None => false,
    };
    Ok(if classifies {
        Purpose::Reranking
    } else {
        Purpose::Embedding
    })
}

fn tokenizer_kind(directory: &Path) -> Result<String, LoadError> {
    #[derive(Deserialize)]
    struct Raw {
        model: RawModel,
    }
    #[derive(Deserialize)]
    struct RawModel {
        #[serde(rename = "type")]
        kind: Option<String>,
    }
    let path = directory.join("tokenizer.json");
    let Some(bytes) = read_bounded(&path, 128 << 20)? else {
        return match directory.join("vocab.txt").is_file() {
            true => Ok("WordPiece".to_string()),
            false => Err(LoadError::Missing {
                path,
                hint: ", and vocab.txt too",
            }),
        };
    };
    let raw: Raw = serde_json::from_slice(&bytes).map_err(|error| LoadError::Tokenizer {
        path,
        reason: error.to_string(),
    })?;
    // Old files name no kind; only word pieces were written that way.
    Ok(raw.model.kind.unwrap_or_else(|| "WordPiece".to_string()))
}

/// Adds up the files, to a few levels: a model has two.
fn size(directory: &Path, levels: usize) -> io::Result<u64> {
    let mut sum = 0;
    for entry in std::fs::read_dir(directory)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        if kind.is_dir() && 0 < levels {
            sum += size(&entry.path(), levels - 1)?;
        } else if kind.is_file() {
            sum += entry.metadata()?.len();
        }
    }
    Ok(sum)
}
