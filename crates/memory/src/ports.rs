//! What the engine needs from outside: a store, models, time and ids.

pub mod chat;
mod chat_models;
mod clock;
mod connections;
pub mod embedder;
mod key_scopes;
pub mod keyring;
pub mod reranker;
mod snapshots;
pub mod store;

mod tables;
pub mod tombstones;

pub use chat::{ChatError, ChatEvent, ChatModel, ChatRequest, ChatStream};
pub use chat_models::{ChatModels, ChatRole};
pub use clock::{Clock, Ids};
pub use connections::Connections;
pub use embedder::{EmbedError, Embedder, QuestionVector, TextRole};
pub use key_scopes::{InvalidScopes, KeyScopes};
pub use keyring::{KeyKind, KeyRecord, Keyring};
pub use reranker::{RerankError, Reranker};
pub use snapshots::{SnapshotPermit, Snapshots};
pub use store::{
    Administration, Changed, ChangedKnowledge, ChangedMessages, Claim, Embedded, ErasedRows, EventPage,
    MessagePage, Store, StoreError,
};
pub use tables::Tables;
pub use tombstones::{Tombstone, TombstoneError, Tombstones};
