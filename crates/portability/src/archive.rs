//! Everything a user has as one archive, and back.
//!
//! An archive is a zip file: one JSON object a line for each kind of thing, the audit log, the
//! Markdown files for people, a manifest with the checksums of all of them, and the signature of
//! the manifest. It is written while it is read from the store, and holds nothing that depends on
//! when or where it was made: the same content makes the same bytes.

mod entity_line;
mod error;
mod export;
mod import;
mod kind;
mod limits;
mod lines;
mod memory_line;
mod merge;
mod pack;
mod placeholder;
mod replay;
mod report;
mod secret_check;
mod signature;
mod staged;
mod staging;
mod unpack;
mod zip_file;

pub use error::ArchiveError;
pub use export::{ExportError, Sink, export};
pub use import::{ImportError, Mode, Observer, import};
pub use limits::Limits;
pub use report::{Fault, Imported, Progress, Tally};
pub use signature::{Signature, Signer, signer};
pub use staged::Staged;
pub use unpack::read;

pub(crate) use error::unreadable;
#[cfg(test)]
pub(crate) use staged::Item;
pub(crate) use staging::Staging;
pub(crate) use zip_file::{Budget, ZipSource};

/// What the manifest says that it is.
pub const FORMAT: &str = "recalld-archive";

/// The version of the format that is written. Archives of this and of earlier versions are read.
pub const VERSION: u32 = 1;

/// The name of the manifest within an archive.
pub const MANIFEST: &str = "manifest.json";

/// The name of the signature of the manifest within an archive.
pub const SIGNATURE: &str = "manifest.sig";

pub(crate) const MEMORIES: &str = "memories.jsonl";
pub(crate) const ENTITIES: &str = "entities.jsonl";
pub(crate) const RECORDS: &str = "records.jsonl";
pub(crate) const CONVERSATIONS: &str = "conversations.jsonl";
pub(crate) const MESSAGES: &str = "messages.jsonl";
pub(crate) const DOCUMENTS: &str = "documents.jsonl";
pub(crate) const EVENTS: &str = "events.jsonl";

/// The manifest: what the archive is, and what is in it.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Manifest {
    pub format: String,
    pub version: u32,
    /// Whose it was. An import does not go by it.
    pub user: String,
    pub files: Vec<FileEntry>,
}

/// One file of the archive.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct FileEntry {
    pub name: String,
    /// How many lines it has.
    pub lines: u64,
    pub bytes: u64,
    /// In hexadecimal digits.
    pub sha256: String,
}
