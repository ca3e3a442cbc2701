//! The kinds of things in an archive, and what they are called by.

use std::hash::{BuildHasher, RandomState};

use recalld_memory::conversation::Message;

/// What a line is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Memory,
    Entity,
    Conversation,
    Message,
    Record,
    Document,
    Event,
}

impl Kind {
    pub(crate) const COUNT: usize = 7;

    /// The kinds of things that are stored, in an order in which nothing needs what comes later.
    pub(crate) const STORED: [Kind; 6] = [
        Kind::Memory,
        Kind::Entity,
        Kind::Conversation,
        Kind::Message,
        Kind::Record,
        Kind::Document,
    ];

    /// The name that reports use.
    pub(crate) fn plural(self) -> &'static str {
        match self {
            Kind::Memory => "memories",
            Kind::Entity => "entities",
            Kind::Conversation => "conversations",
            Kind::Message => "messages",
            Kind::Record => "records",
            Kind::Document => "documents",
            Kind::Event => "events",
        }
    }
}

/// Hashes the kind and the id of a thing.
pub(super) fn hash(hashes: &RandomState, kind: Kind, id: &str) -> u64 {
    hashes.hash_one((kind as u8, id))
}

/// The id of a message, as events name it.
pub(super) fn message_id(message: &Message) -> String {
    format!("{}\n{}", message.conversation, message.id)
}

/// The id of a record among those of all kinds.
pub(super) fn record_id(kind: &str, name: &str) -> String {
    format!("{kind}\n{name}")
}
