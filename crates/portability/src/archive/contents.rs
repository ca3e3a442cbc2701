//! What an archive holds, read and checked.

use std::collections::HashMap;

use recalld_memory::change::Version;
use recalld_memory::conversation::{Conversation, Message};
use recalld_memory::entity::Entity;
use recalld_memory::id::MemoryId;
use recalld_memory::knowledge::{Chunk, KnowledgeDocument};
use recalld_memory::record::Record;

use super::lines::ArchivedEvent;
use super::signature::Signature;

/// Everything of an archive that was acceptable, and what was not.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contents {
    /// Whether this deployment vouches for the origins of the memories.
    pub signature: Signature,
    /// Memory by memory, and of each the oldest version first.
    pub versions: Vec<Version>,
    pub entities: Vec<Entity>,
    pub records: Vec<Record>,
    pub conversations: Vec<Conversation>,
    pub messages: Vec<Message>,
    pub documents: Vec<(KnowledgeDocument, Vec<Chunk>)>,
    /// The newest first, as they are written.
    pub events: Vec<ArchivedEvent>,
    /// Where memories stand whose ids their owner has never seen, such as `line 7`.
    pub places: HashMap<MemoryId, String>,
    /// Lines that were left out: where they stand, and why.
    pub faults: Vec<Fault>,
}

/// A line that cannot be taken in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The file and the number of the line, such as `memories.jsonl:7`.
    pub place: String,
    pub reason: String,
}
