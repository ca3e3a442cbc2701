//! Settings of an endpoint for embeddings.

use serde_json::json;

use super::super::key::{Key, hidden};
use super::super::parse;

pub(super) const KEYS: &[Key] = &[
    Key {
        name: "embedding.url",
        about: "base URL of an OpenAI-compatible endpoint, including its version",
        set: |values, text, _| {
            values.endpoint.url = parse::optional(text);
            Ok(())
        },
        get: |values| json!(values.endpoint.url.as_deref().unwrap_or("")),
    },
    Key {
        name: "embedding.model",
        about: "name of the model at the endpoint",
        set: |values, text, _| {
            values.endpoint.model = parse::optional(text);
            Ok(())
        },
        get: |values| json!(values.endpoint.model.as_deref().unwrap_or("")),
    },
    Key {
        name: "embedding.dimension",
        about: "dimension of the endpoint's vectors; 0 without an endpoint",
        set: |values, text, _| {
            parse::within(text, 0, 16_384)
                .map(|count: usize| values.endpoint.dimension = Some(count).filter(|n| 0 < *n))
        },
        get: |values| json!(values.endpoint.dimension.unwrap_or(0)),
    },
    Key {
        name: "embedding.key",
        about: "API key for the endpoint; set it in the environment rather than in a file",
        set: |values, text, _| {
            values.endpoint.key = parse::optional(text);
            Ok(())
        },
        get: |values| hidden(&values.endpoint.key),
    },
];
