//! The JSON that programs read and write: the bodies of REST and the output of `--json`.
//!
//! Each shape that both use is defined here once, so that they cannot disagree. A body that only
//! one route uses stands beside its handler. Names are those of the domain; times are RFC 3339 in
//! UTC. Requests deny unknown fields, and their checks name the offending field by a JSON pointer.

mod audit;
mod context;
mod conversation;
mod entity;
mod extraction_run;
mod field_error;
mod history;
mod key;
mod knowledge;
mod memory;
mod memory_request;
mod record;
mod review;
mod search;
mod text;
mod undo;
mod user;
mod validity;

pub use audit::{AuditExample, AuditFinding, AuditReport};
pub use context::{ContextText, MemoryDocument, PromptText, Tokens};
pub use conversation::{
    Appended, Conversation, ConversationPage, ConversationText, Message, MessagePage, NewMessageBody,
    NewMessageList, NewMessages,
};
pub use entity::{Entity, EntityList, EntityMention, WireEntityKind};
pub use extraction_run::{ExtractionRun, ExtractionRunList};
pub use field_error::FieldError;
pub use history::{History, MemoryPage, PastMemory};
pub use key::{CreatedKey, KeyList, ListedKey, WireKeyKind};
pub use knowledge::{FoundChunk, KnowledgeDocument, KnowledgePage, KnowledgeText};
pub use memory::{Memory, Standing};
pub use memory_request::{MemoryEdit, NewMemory, WireTier, Written};
pub use record::{ProfileCategory, ProfileCategoryList, StoredValue};
pub use review::{Review, ReviewItem};
pub use search::{Explaining, SearchResult, WireItemKind};
pub use text::{IdText, TimeText};
pub use undo::{KeptMemory, UndoReport, UntouchedThing};
pub use user::{ListedUser, UserList};
pub use validity::WireValidity;
