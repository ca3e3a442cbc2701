//! Reads files into the knowledge base: text out of a format, chunks out of the text.

mod chunking;
mod decode;
mod format;
mod html;
mod json;
mod markdown;
mod outline;
mod pdf;
mod upload;

pub use decode::ReadError;
pub use format::Format;
pub use upload::{IngestError, Ingested, Upload, count, erase, find, ingest, list, prune};
