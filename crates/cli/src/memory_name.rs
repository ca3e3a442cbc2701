//! Short names by which pages show memories.

use std::borrow::Cow;

use recalld_memory::id::MemoryId;
use recalld_wire::Memory;

use crate::output::escaped;

/// Names a memory for a person: its key, or else the short form of its id.
pub(crate) fn memory_name(memory: &Memory) -> Cow<'_, str> {
    match &memory.key {
        Some(key) => escaped(key.as_str()),
        None => Cow::Owned(short_id(memory.id)),
    }
}

/// The end of an id: the part that is random, and so differs between memories of one moment.
pub(crate) fn short_id(id: MemoryId) -> String {
    let id = id.to_string();
    id.get(id.len().saturating_sub(8)..).unwrap_or(&id).to_owned()
}
