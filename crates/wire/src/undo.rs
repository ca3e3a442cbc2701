//! What an undo did.

use std::sync::Arc;

use jiff::Timestamp;
use recalld_memory::{entity, memory};
use recalld_portability::undo::{Mode, Undone, Untouched, WhyUnchanged};
use serde::Serialize;
use utoipa::ToSchema;

use crate::entity::Entity;
use crate::memory::Memory;

/// What was undone, or would be.
#[derive(Debug, Serialize, ToSchema)]
pub struct UndoReport {
    /// Whether nothing was changed.
    pub dry_run: bool,
    /// Memories that were new and are hidden now.
    pub hidden: Vec<Memory>,
    /// Memories that have their former content again.
    pub restored: Vec<Memory>,
    /// Memories that were left as they are, because they have changed since.
    pub kept: Vec<KeptMemory>,
    /// Entities that were new and are hidden now.
    pub hidden_entities: Vec<Entity>,
    /// Entities that are shown again.
    pub restored_entities: Vec<Entity>,
    /// What else was changed and has no versions to go back to: review it yourself.
    pub untouched: Vec<UntouchedThing>,
}

/// A memory that was left as it is.
#[derive(Debug, Serialize, ToSchema)]
pub struct KeptMemory {
    /// The memory.
    pub memory: Memory,
    /// `changed_since`: it was changed again; `taken`: another memory says the same by now.
    pub why: &'static str,
}

/// Something that was changed too and was left as it is.
#[derive(Debug, Serialize, ToSchema)]
pub struct UntouchedThing {
    /// profile, working_memory, working_memory_schema, conversation, summary, interaction, run,
    /// document or entity.
    pub kind: String,
    /// Its id.
    pub id: String,
}

impl UndoReport {
    /// Reports on `undone`.
    pub fn new(undone: Undone, mode: Mode, now: Timestamp) -> UndoReport {
        let memories = |all: Vec<Arc<memory::Memory>>| {
            let all = all.into_iter();
            all.map(|memory| Memory::at(memory, now)).collect()
        };
        let entities = |all: &[Arc<entity::Entity>]| all.iter().map(|entity| (&**entity).into()).collect();
        let kept = |(memory, why): (Arc<memory::Memory>, WhyUnchanged)| KeptMemory {
            memory: Memory::at(memory, now),
            why: match why {
                WhyUnchanged::ChangedSince => "changed_since",
                WhyUnchanged::Taken => "taken",
            },
        };
        let untouched = |Untouched { kind, id }| UntouchedThing { kind, id };
        UndoReport {
            dry_run: mode == Mode::DryRun,
            hidden: memories(undone.hidden),
            restored: memories(undone.restored),
            kept: undone.kept.into_iter().map(kept).collect(),
            hidden_entities: entities(&undone.hidden_entities),
            restored_entities: entities(&undone.restored_entities),
            untouched: undone.untouched.into_iter().map(untouched).collect(),
        }
    }
}
