//! Lists of memories and the versions of one.

use jiff::Timestamp;
use recalld_memory::browse::Listing;
use recalld_memory::change::Version;
use serde::Serialize;
use utoipa::ToSchema;

use crate::memory::Memory;
use crate::text::TimeText;

/// A page of memories.
#[derive(Debug, Serialize, ToSchema)]
pub struct MemoryPage {
    /// The memories, the newest first.
    pub memories: Vec<Memory>,
    /// How many memories there are on all pages.
    pub total: usize,
    /// Give it as `after` to get the next page; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_page: Option<String>,
}

impl MemoryPage {
    /// Shows the memories of `listing` as they are at `now`.
    pub fn new(listing: Listing, now: Timestamp) -> MemoryPage {
        let memories = listing.memories.into_iter();
        MemoryPage {
            memories: memories.map(|memory| Memory::at(memory, now)).collect(),
            total: listing.total,
            next_page: listing.next.map(|id| id.to_string()),
        }
    }
}

/// Every version of a memory, the oldest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct History {
    /// The versions, the oldest first.
    pub versions: Vec<PastMemory>,
}

impl History {
    /// Shows `versions` as they are at `now`.
    pub fn new(versions: &[Version], now: Timestamp) -> History {
        History {
            versions: versions
                .iter()
                .map(|version| PastMemory::new(version, now))
                .collect(),
        }
    }
}

/// One version of a memory, and the act that led to it.
#[derive(Debug, Serialize, ToSchema)]
pub struct PastMemory {
    /// Counts the changes, from 1.
    pub version: u32,
    /// What was done: remember, revise, retire, restore or evict.
    pub act: &'static str,
    /// When it was done.
    #[schema(value_type = String)]
    pub at: TimeText,
    /// Who did it: a key's id, a tool or a command.
    pub actor: String,
    /// The conversation in which it was done.
    pub conversation: Option<String>,
    /// The message that led to it.
    pub message: Option<String>,
    /// Where the change came from.
    pub source: Option<String>,
    /// The memory after the act.
    pub memory: Memory,
}

impl PastMemory {
    fn new(version: &Version, now: Timestamp) -> PastMemory {
        let stamp = &version.stamp;
        PastMemory {
            version: version.memory.version,
            act: version.act.as_str(),
            at: TimeText(stamp.at),
            actor: stamp.actor.as_str().to_owned(),
            conversation: stamp.conversation.as_ref().map(ToString::to_string),
            message: stamp.message.as_ref().map(ToString::to_string),
            source: stamp.source.as_ref().map(ToString::to_string),
            memory: Memory::at(version.memory.clone(), now),
        }
    }
}
