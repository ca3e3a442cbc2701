//! Hides many memories in one change.

use std::collections::BTreeSet;

use crate::change::{Act, Effect};
use crate::id::MemoryId;
use crate::memory::Retirement;
use crate::retire::retired;
use crate::scope::Scope;
use crate::space::{Decision, SpaceError, SpaceView};
use crate::target::Target;
use crate::trace;
use crate::wiring::Ports;

/// Hides all memories that these ids name, in one change. Gives those that were hidden; the others
/// are unknown or hidden already.
pub async fn retire_many(
    ports: &Ports,
    scope: &Scope,
    ids: Vec<MemoryId>,
) -> Result<Vec<MemoryId>, SpaceError> {
    let work = retire_all(ports, scope, ids);
    trace::operation("delete_memory", scope, work, |done, span| {
        span.set("gen_ai.memory.record.count", done.len() as i64);
    })
    .await
}

async fn retire_all(ports: &Ports, scope: &Scope, ids: Vec<MemoryId>) -> Result<Vec<MemoryId>, SpaceError> {
    let decided_for = scope.clone();
    let decide = move |view: &SpaceView| {
        let wanted: BTreeSet<MemoryId> = ids.iter().copied().collect();
        let mut changes = Vec::new();
        let mut outcome = Vec::new();
        for id in wanted {
            if let Some(known) = Target::Id(id).current(view, decided_for.lens_to_change()) {
                let memory = retired(known, &decided_for, Retirement::Forgotten);
                let act = Act::Retire;
                changes.push(decided_for.change(None, Effect::Memory { act, memory }));
                outcome.push(id);
            }
        }
        Decision { changes, outcome }
    };
    ports.spaces.write(scope.space(), decide).await
}
