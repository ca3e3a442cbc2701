//! Settings of memories and of the knowledge base.

use recalld_index::index::LengthTerm;
use recalld_memory::injection::Inject;
use serde_json::{Value, json};

use super::super::key::Key;
use super::super::parse;
use crate::failure::shortened;

pub(super) const KEYS: &[Key] = &[
    Key {
        name: "memory.durable_confidence_min",
        about: "minimum confidence (0 to 1) of a durable memory",
        set: |values, text, _| {
            parse::within(text, 0.0, 1.0).map(|share| values.memory.durable_confidence_min = share)
        },
        get: |values| json!(values.memory.durable_confidence_min),
    },
    Key {
        name: "memory.daily_days",
        about: "number of days until a daily note expires",
        set: |values, text, _| parse::within(text, 1, 36_500).map(|days| values.memory.daily_days = days),
        get: |values| json!(values.memory.daily_days),
    },
    Key {
        name: "memory.document_tokens_max",
        about: "maximum number of tokens in the memory document",
        set: |values, text, _| {
            parse::within(text, 200, 10_000_000).map(|tokens| values.memory.document_tokens_max = tokens)
        },
        get: |values| json!(values.memory.document_tokens_max),
    },
    Key {
        name: "memory.context_notes_days",
        about: "how many days of daily notes a context includes",
        set: |values, text, _| {
            parse::within(text, 0, 36_500).map(|days| values.memory.context_notes_days = days)
        },
        get: |values| json!(values.memory.context_notes_days),
    },
    Key {
        name: "memory.tool_tokens_max",
        about: "maximum number of tokens of memories in a tool's result",
        set: |values, text, _| {
            parse::within(text, 50, 10_000_000).map(|tokens| values.memory.tool_tokens_max = tokens)
        },
        get: |values| json!(values.memory.tool_tokens_max),
    },
    Key {
        name: "memory.spaces_bytes_max",
        about: "memory for users' spaces, such as 256 MiB; the least recently used ones are evicted",
        set: |values, text, _| parse::bytes(text).map(|bytes| values.memory.spaces_bytes_max = bytes),
        get: |values| json!(values.memory.spaces_bytes_max),
    },
    Key {
        name: "memory.bm25_k1",
        about: "BM25 term saturation",
        set: |values, text, _| parse::within(text, 0.0, 10.0).map(|k1| values.memory.bm25_k1 = k1),
        get: |values| single(values.memory.bm25_k1),
    },
    Key {
        name: "memory.bm25_b",
        about: "BM25 length normalisation",
        set: |values, text, _| parse::within(text, 0.0, 1.0).map(|b| values.memory.bm25_b = b),
        get: |values| single(values.memory.bm25_b),
    },
    Key {
        name: "memory.bm25_length",
        about: "what stands for the length of an entry in BM25: root (its square root) or plain (the usual BM25)",
        set: |values, text, _| {
            let length = LengthTerm::ALL
                .into_iter()
                .find(|term| term.as_str() == text.trim());
            values.memory.bm25_length = length.ok_or("must be root or plain")?;
            Ok(())
        },
        get: |values| json!(values.memory.bm25_length.as_str()),
    },
    Key {
        name: "knowledge.chunk_tokens_max",
        about: "maximum number of tokens in a chunk of a document; applies to documents ingested from now on",
        set: |values, text, _| {
            parse::within(text, 50, 8_000).map(|tokens| values.memory.chunk_tokens_max = tokens)
        },
        get: |values| json!(values.memory.chunk_tokens_max),
    },
    Key {
        name: "knowledge.chunk_overlap_tokens",
        about: "maximum number of tokens that a chunk repeats from the previous one",
        set: |values, text, _| {
            parse::within(text, 0, 4_000).map(|tokens| values.memory.chunk_overlap_tokens = tokens)
        },
        get: |values| json!(values.memory.chunk_overlap_tokens),
    },
    Key {
        name: "prompt.inject",
        about: "whose statements are put before a model unasked: user, user+assistant or all",
        set: |values, text, _| {
            let unknown = || {
                format!(
                    "is {:?}, which is not user, user+assistant or all",
                    shortened(text)
                )
            };
            values.memory.inject = Inject::parse(text).ok_or_else(unknown)?;
            Ok(())
        },
        get: |values| json!(values.memory.inject.as_str()),
    },
];

/// Shows a single-precision number as it was written, without the digits that double precision
/// adds.
fn single(number: f32) -> Value {
    json!(number.to_string().parse::<f64>().unwrap_or_default())
}
