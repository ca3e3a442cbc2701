//! Models, built in, local and remote, and the only outgoing HTTP of the house.

pub mod builtin;
pub mod cached;
pub mod catalog;
pub mod chat;
pub mod combined;
pub mod encoder;
pub mod fused;
mod http;
pub mod key_set;
mod lanes;
mod model_files;
mod model_span;
pub mod otlp;
pub mod relay;
pub mod remote;
pub mod reranker;
pub mod screening;
mod sse;
mod tokenizer;
pub mod transformer;
