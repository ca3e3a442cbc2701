//! Loads the configured embedding and reranking models.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use recalld_memory::ports::{Embedder, Reranker};
use recalld_models::builtin::Builtin;
use recalld_models::cached::CachedEmbedder;
use recalld_models::catalog;
use recalld_models::combined::{Combined, EncoderUse};
use recalld_models::fused::Fused;
use recalld_models::remote::{ApiKey, Dimension, RemoteConfig, RemoteEmbedder, RemoteLimits};
use recalld_models::reranker::{CrossEncoder, RerankerOptions};
use recalld_models::transformer::{Prefixes, TransformerEmbedder, TransformerOptions};

use crate::config::Config;
use crate::failure::{Failure, chain};

/// The size of the cache of vectors, for texts that recur.
const CACHE_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// Returns the directory of installed models.
pub(crate) fn directory(config: &Config) -> Result<PathBuf, Failure> {
    Ok(config.data()?.join("models"))
}

/// Loads the configured embedding model; `None` if semantic search is off.
pub(crate) fn embedder(config: &Config) -> Result<Option<Arc<dyn Embedder>>, Failure> {
    named(config, &config.values.model)
}

/// Loads an embedding model by its name or directory.
pub(crate) fn named(config: &Config, name: &str) -> Result<Option<Arc<dyn Embedder>>, Failure> {
    match name {
        "none" => Ok(None),
        "builtin" => Ok(Some(builtin(&config.values.encoder))),
        "endpoint" => endpoint(config).map(Some),
        path if path.contains(std::path::MAIN_SEPARATOR) => load(config, path, Path::new(path)).map(Some),
        name => load(config, name, &directory(config)?.join(name)).map(Some),
    }
}

/// A model with more tokens than this knows many languages.
const VOCABULARY_OF_ONE_LANGUAGE: usize = 100_000;

/// The model inside the binary: the table of words, with the sentence encoder unless it is off.
fn builtin(encoder: &str) -> Arc<dyn Embedder> {
    match encoder {
        "never" => Builtin::shared(),
        "always" => Arc::new(Combined::new(EncoderUse::Always)),
        _ => Arc::new(Combined::new(EncoderUse::Auto)),
    }
}

/// Loads the configured reranking model, if any.
pub(crate) fn reranker(config: &Config) -> Result<Option<Arc<dyn Reranker>>, Failure> {
    match config.values.reranker.as_str() {
        "none" => Ok(None),
        name => named_reranker(config, name).map(Some),
    }
}

/// Loads an installed reranking model by its name.
pub(crate) fn named_reranker(config: &Config, name: &str) -> Result<Arc<dyn Reranker>, Failure> {
    let directory = directory(config)?.join(name);
    let loaded = CrossEncoder::load(&directory, &RerankerOptions::default());
    let model = loaded.map_err(|error| {
        let message = format!("cannot load the reranker {name}: {}", chain(&error));
        Failure::failed("models", message).hint("`recalld models list` shows the installed models")
    })?;
    Ok(Arc::new(model))
}

/// Loads an installed model. One that knows one language is used together with the encoder inside
/// the binary, which knows the others, unless that is off.
fn load(config: &Config, name: &str, directory: &Path) -> Result<Arc<dyn Embedder>, Failure> {
    let loaded = TransformerEmbedder::load(directory, &TransformerOptions::default());
    let model = loaded.map_err(|error| {
        let message = format!("cannot load the model {name}: {}", chain(&error));
        Failure::failed("models", message).hint("`recalld models list` shows the installed models")
    })?;
    let model = Arc::new(CachedEmbedder::new(Arc::new(model), CACHE_BYTES_MAX));
    let about = catalog::describe(directory);
    let is_of_one_language = about.is_ok_and(|about| about.vocabulary <= VOCABULARY_OF_ONE_LANGUAGE);
    match is_of_one_language && config.values.encoder != "never" {
        true => Ok(Arc::new(Fused::new(model))),
        false => Ok(model),
    }
}

fn endpoint(config: &Config) -> Result<Arc<dyn Embedder>, Failure> {
    let values = &config.values.endpoint;
    let missing = |what: &str| {
        Failure::bad_input(
            "configuration",
            format!("model is set to endpoint, but {what} is not set"),
        )
        .hint("set embedding.url, embedding.model and embedding.dimension")
    };
    let key = values.key.as_deref().map(ApiKey::new).transpose();
    let remote = RemoteConfig {
        base_url: values.url.clone().ok_or_else(|| missing("embedding.url"))?,
        key: key.map_err(|error| Failure::bad_input("configuration", chain(&error)))?,
        model: values.model.clone().ok_or_else(|| missing("embedding.model"))?,
        dimension: Dimension::Native(values.dimension.ok_or_else(|| missing("embedding.dimension"))?),
        prefixes: Prefixes::default(),
        limits: RemoteLimits::default(),
    };
    let model =
        RemoteEmbedder::new(remote).map_err(|error| Failure::bad_input("configuration", chain(&error)))?;
    Ok(Arc::new(CachedEmbedder::new(Arc::new(model), CACHE_BYTES_MAX)))
}
