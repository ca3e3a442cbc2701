//! A space in this process: its rows and index, kept in step with the store, and the one way to
//! write to it.

mod byte_share;
mod conditional_write;
mod decided;
mod document_cap;
mod embed_queue;
mod error;
mod facts;
mod heavy_work;
mod instant_vectors;
mod job;
mod keeping;
mod kept;
mod knowledge_index;
mod message_index;
mod prefetch;
mod row_index;
mod slot;
mod spaces;
mod view;

pub use document_cap::{Evicted, evictions};
pub use error::SpaceError;
pub(crate) use heavy_work::apart;
pub(crate) use instant_vectors::{of_chunks, of_memory};
pub use job::{Decision, Written};
pub use knowledge_index::KnowledgeIndex;
pub use message_index::MessageIndex;
pub use spaces::Spaces;
pub use view::SpaceView;
pub(crate) use view::{fingerprints, named_in};
