//! The things that a search can find.

use std::sync::Arc;

use super::Hit;
use crate::conversation::Message;
use crate::entity::Entity;
use crate::id::MemoryId;
use crate::knowledge::{Chunk, KnowledgeDocument};
use crate::memory::Memory;
use crate::profile::ProfileEntry;

/// A kind of thing that can be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ItemKind {
    Memory,
    Message,
    Entity,
    Profile,
    Knowledge,
}

impl ItemKind {
    /// All kinds.
    pub const ALL: [ItemKind; 5] = [
        ItemKind::Memory,
        ItemKind::Message,
        ItemKind::Entity,
        ItemKind::Profile,
        ItemKind::Knowledge,
    ];

    /// The kind's name.
    pub fn as_str(self) -> &'static str {
        match self {
            ItemKind::Memory => "memory",
            ItemKind::Message => "message",
            ItemKind::Entity => "entity",
            ItemKind::Profile => "profile",
            ItemKind::Knowledge => "knowledge",
        }
    }

    /// Parses a kind's name.
    pub fn parse(raw: &str) -> Option<ItemKind> {
        ItemKind::ALL.into_iter().find(|kind| kind.as_str() == raw)
    }
}

/// Whose memory it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reach {
    /// The user's own.
    Own,
    /// One that all users may read and an administrator wrote.
    Global,
}

/// A chunk and the document it belongs to.
pub(super) type ChunkOfDocument = (Arc<KnowledgeDocument>, Arc<Chunk>);

/// Something that was found.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    Memory(Arc<Memory>, Reach),
    Message(Arc<Message>),
    Entity(Arc<Entity>),
    Profile(ProfileEntry),
    Knowledge(Arc<KnowledgeDocument>, Arc<Chunk>),
}

impl Item {
    /// Its kind.
    pub fn kind(&self) -> ItemKind {
        match self {
            Item::Memory(..) => ItemKind::Memory,
            Item::Message(_) => ItemKind::Message,
            Item::Entity(_) => ItemKind::Entity,
            Item::Profile(_) => ItemKind::Profile,
            Item::Knowledge(..) => ItemKind::Knowledge,
        }
    }
}

impl Hit<Item> {
    /// The id of the user's own memory that was found, if it is one.
    pub(super) fn own_memory(&self) -> Option<MemoryId> {
        match &self.item {
            Item::Memory(memory, Reach::Own) => Some(memory.id),
            _ => None,
        }
    }
}
