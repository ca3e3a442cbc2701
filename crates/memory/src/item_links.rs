//! Which items rest on a memory: what is erased with it.

use crate::change::Effect;
use crate::id::MemoryId;
use crate::record::RecordKind;
use crate::space::SpaceView;

/// The field of an item's record that names its memory.
pub(crate) const MEMORY: &str = "memory";

/// Gives the effects that erase the items of a memory that is erased.
pub(crate) fn erased_with(view: &SpaceView, memory: MemoryId) -> Vec<Effect> {
    let id = memory.to_string();
    let kinds = [RecordKind::Item, RecordKind::ItemVersion];
    let records = kinds.into_iter().flat_map(|kind| view.records(kind));
    records
        .filter(|record| record.value[MEMORY] == *id)
        .map(|record| Effect::EraseRecord {
            kind: record.kind,
            name: record.name.clone(),
        })
        .collect()
}
