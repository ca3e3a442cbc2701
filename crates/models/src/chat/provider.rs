//! What differs between the providers of models: how a request is written, and how an answer is
//! read.

use recalld_memory::ports::ChatRequest;
use reqwest::RequestBuilder;
use reqwest::header::AUTHORIZATION;
use serde_json::{Map, Value};

use super::config::ChatConfig;
use super::streaming_reply::Reader;
use crate::http::ApiKey;

/// A provider of models, or everybody who is compatible with it.
pub(super) trait Provider: Sync {
    /// Its name in settings.
    fn name(&self) -> &'static str;

    /// Where requests go, below the base address.
    fn path(&self) -> &'static str;

    /// Writes a request.
    fn body(&self, config: &ChatConfig, request: &ChatRequest) -> Value;

    /// Translates fields that the caller wants to pass on as they are.
    fn extra(&self, extra: &Map<String, Value>) -> Map<String, Value> {
        extra.clone()
    }

    /// Reads the answer to `request`.
    fn reader(&self, request: &ChatRequest) -> Box<dyn Reader>;

    /// Adds the key to a request.
    fn with_key(&self, request: RequestBuilder, key: &ApiKey) -> RequestBuilder {
        request.header(AUTHORIZATION, key.header())
    }
}
