//! The JSON that programs read and write: types of their own, apart from the domain's.

mod context;
mod conversation;
mod entity;
mod found;
mod knowledge;
mod memory;
mod record;
mod remembered;
mod shown;

pub(crate) use context::{ContextText, MemoryDocument, PromptText, Tokens};
pub(crate) use conversation::{
    Appended, Conversation, ConversationPage, ConversationText, Message, MessagePage, NewMessages,
};
pub(crate) use entity::{Entity, EntityList, WireEntityKind};
pub(crate) use found::{Explaining, SearchResult, WireKind};
pub(crate) use knowledge::{FoundChunk, KnowledgeDocument, KnowledgePage, KnowledgeText};
pub(crate) use memory::{History, MemoryEdit, MemoryPage, NewMemory, WireTier, Written};
pub(crate) use record::{Category, CategoryList, Kept};
pub(crate) use remembered::Memory;
