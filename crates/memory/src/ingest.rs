//! Reads files into the knowledge base: text out of a format, chunks out of the text.

mod chunking;
mod decode;
mod format;
mod html;
mod json;
mod markdown;
mod outline;
#[cfg(feature = "pdf")]
mod pdf;
#[cfg(not(feature = "pdf"))]
mod pdf_absent;
mod upload;

#[cfg(not(feature = "pdf"))]
use pdf_absent as pdf;

pub use decode::ReadError;
pub use format::Format;
pub use upload::{IngestError, Ingested, Upload, count, erase, find, ingest, list, prune};
