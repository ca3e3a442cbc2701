//! An edit that is trusted less than what it would change stands beside it.

use std::sync::Arc;

use super::{Edit, Refusal, Revised, collision, same_but_for_time};
use crate::change::{Act, Effect};
use crate::id::MemoryId;
use crate::memory::{Memory, NewMemory};
use crate::policy::retention;
use crate::scope::Scope;
use crate::settings::Settings;
use crate::space::{Decision, SpaceView};

/// Stores what the edit says beside the memory that it must not replace. A proposal that is open
/// already is revised instead, so that there is one for each memory.
pub(super) fn propose(
    view: &SpaceView,
    scope: &Scope,
    of: Arc<Memory>,
    edit: &Edit,
    id: MemoryId,
    settings: &Settings,
) -> Decision<Result<Revised, Refusal>> {
    let is_open = |memory: &&Arc<Memory>| {
        memory.amends == Some(of.id)
            && memory.is_current(scope.now)
            && !edit.is_less_trusted_than(memory, scope)
    };
    let open = view.memories().find(is_open);
    let (act, memory) = match open {
        Some(open) => (Act::Revise, edit.apply(open, scope, settings)),
        None => (Act::Remember, proposal(scope, &of, edit, id, settings)),
    };
    let proposed = |memory: &Memory| {
        Ok(Revised::Proposed {
            memory: Arc::new(memory.clone()),
            of: Arc::clone(&of),
            evicted: 0,
        })
    };
    if let Some(open) = open.filter(|open| same_but_for_time(&memory, open)) {
        return Decision::nothing(proposed(open));
    }
    if let Some(of) = collision(view, &memory, scope.now) {
        return Decision::nothing(Ok(Revised::Duplicate { of }));
    }
    let outcome = proposed(&memory);
    let effect = Effect::Memory { act, memory };
    Decision {
        changes: vec![scope.change(edit.source.given().cloned(), effect)],
        outcome,
    }
}

/// Makes a memory of its own of what the edit says. It has no key: the key stays with the memory
/// that it would change.
fn proposal(scope: &Scope, of: &Memory, edit: &Edit, id: MemoryId, settings: &Settings) -> Memory {
    let edited = edit.apply(of, scope, settings);
    let trust = scope.trust(edited.content.as_str(), edit.origin);
    let memory = Memory::new(NewMemory {
        id,
        key: None,
        content: edited.content,
        category: edited.category,
        tier: edited.tier,
        confidence: edited.confidence,
        origin: edit.origin,
        trust,
        source: edit.source.given().cloned(),
        conversation: scope.conversation.clone(),
        message: scope.message.clone(),
        learned_at: scope.now,
        expires_at: retention::expiry(edited.tier, scope.now, settings),
        project: edited.project,
        evidence: edited.evidence,
    });
    Memory {
        amends: Some(of.id),
        period: edited.period,
        ..memory
    }
}
