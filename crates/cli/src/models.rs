//! From the configuration to the embedding model that is used.

use std::path::Path;
use std::sync::Arc;

use recalld_memory::ports::{Embedder, Reranker};
use recalld_models::builtin::Builtin;
use recalld_models::cached::CachedEmbedder;
use recalld_models::remote::{ApiKey, Dimension, RemoteConfig, RemoteEmbedder, RemoteLimits};
use recalld_models::reranker::{CrossEncoder, RerankerOptions};
use recalld_models::transformer::{Prefixes, TransformerEmbedder, TransformerOptions};

use crate::commands::models_directory;
use crate::config::Config;
use crate::failure::{Failure, chain};

/// How many bytes of vectors are kept for texts that come again.
const CACHE_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// Gives the embedding model in force; none when search is lexical only.
pub(crate) fn embedder(config: &Config) -> Result<Option<Arc<dyn Embedder>>, Failure> {
    named(config, &config.values.model)
}

/// Gives an embedding model by its name, or by the directory it is in.
pub(crate) fn named(config: &Config, name: &str) -> Result<Option<Arc<dyn Embedder>>, Failure> {
    match name {
        "none" => Ok(None),
        "builtin" => Ok(Some(Builtin::shared())),
        "endpoint" => endpoint(config).map(Some),
        path if path.contains(std::path::MAIN_SEPARATOR) => load(path, Path::new(path)).map(Some),
        name => load(name, &models_directory(config)?.join(name)).map(Some),
    }
}

/// Gives the reranking model in force; none unless one is chosen.
pub(crate) fn reranker(config: &Config) -> Result<Option<Arc<dyn Reranker>>, Failure> {
    let name = &config.values.reranker;
    if name == "none" {
        return Ok(None);
    }
    let directory = models_directory(config)?.join(name);
    let loaded = CrossEncoder::load(&directory, &RerankerOptions::default());
    let model = loaded.map_err(|error| {
        let message = format!("the reranker {name} cannot be loaded: {}", chain(&error));
        Failure::failed("models", message).hint("`recalld models list` shows what is installed")
    })?;
    Ok(Some(Arc::new(model)))
}

fn load(name: &str, directory: &Path) -> Result<Arc<dyn Embedder>, Failure> {
    let loaded = TransformerEmbedder::load(directory, &TransformerOptions::default());
    let model = loaded.map_err(|error| {
        let message = format!("the model {name} cannot be loaded: {}", chain(&error));
        Failure::failed("models", message).hint("`recalld models list` shows what is installed")
    })?;
    Ok(Arc::new(CachedEmbedder::new(Arc::new(model), CACHE_BYTES_MAX)))
}

fn endpoint(config: &Config) -> Result<Arc<dyn Embedder>, Failure> {
    let values = &config.values.endpoint;
    let missing = |what: &str| {
        Failure::bad_input(
            "configuration",
            format!("the model is an endpoint, and {what} is not set"),
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
