//! What waits for a person: quarantined memories and entities, and what agents would change or hid
//! of what the user said.
//!
//! Nothing of it is stored apart. A memory is quarantined because of what it says and where it
//! comes from, and an agent's act is in its history; so rules that get better judge old memories
//! too. Only a person confirms: no tool reaches this.

use std::sync::Arc;

use jiff::Timestamp;

use crate::change::{Act, Effect, Version};
use crate::memory::{Memory, Origin, Retirement, Standing};
use crate::retire::{TOOL_SOURCE, retired};
use crate::scope::Scope;
use crate::screening::instructions::Suspicion;
use crate::space::{Decision, SpaceError, SpaceView, apart};
use crate::target::Target;
use crate::wiring::Ports;

/// Something that a person should look at.
#[derive(Clone, Debug, PartialEq)]
pub struct ReviewItem {
    pub memory: Arc<Memory>,
    pub reason: Reason,
}

/// Why something is listed.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// It reads like an instruction and is not in the user's own words.
    Quarantined(Suspicion),
    /// It would change this memory, which is more trusted and stays as it is until then.
    Proposed { of: Arc<Memory> },
    /// An agent changed what the user said; this is what it said before.
    Changed { was: Arc<Memory> },
    /// An agent hid what the user said.
    Hidden,
}

impl Reason {
    /// Names the reason.
    pub fn as_str(&self) -> &'static str {
        match self {
            Reason::Quarantined(_) => "quarantined",
            Reason::Proposed { .. } => "proposed_change",
            Reason::Changed { .. } => "changed_by_agent",
            Reason::Hidden => "hidden_by_agent",
        }
    }
}

/// How many memories whose history must be read are looked at, the last changed first.
const HISTORIES_MAX: usize = 200;

/// Lists what waits for review, the last changed first, at most `limit`.
pub async fn list(ports: &Ports, scope: &Scope, limit: usize) -> Result<Vec<ReviewItem>, SpaceError> {
    let now = scope.now;
    judge_unread(ports, scope).await?;
    let look = |view: &SpaceView| {
        let mut waiting = Vec::new();
        let mut touched = Vec::new();
        for memory in view.memories().filter(|memory| scope.lens().sees(memory)) {
            let quarantined = memory.quarantine_as_known().filter(|_| memory.is_current(now));
            let reason = quarantined
                .map(Reason::Quarantined)
                .or_else(|| amended(view, memory, now).map(|of| Reason::Proposed { of: Arc::clone(of) }));
            match reason {
                Some(reason) => waiting.push(ReviewItem {
                    memory: Arc::clone(memory),
                    reason,
                }),
                None if is_touched(memory) => touched.push(Arc::clone(memory)),
                None => {}
            }
        }
        (waiting, touched)
    };
    let (mut items, mut touched) = ports.spaces.read(scope.space(), look).await?;
    touched.sort_by_key(|memory| std::cmp::Reverse(memory.revised_at));
    for memory in touched.into_iter().take(HISTORIES_MAX) {
        let history = ports.store.history(scope.space(), memory.id).await?;
        items.extend(act_of_agent(&memory, &history));
    }
    items.sort_by_key(|item| std::cmp::Reverse((item.memory.revised_at, item.memory.id)));
    items.truncate(limit);
    Ok(items)
}

/// How many memories that no reader has read yet are read for one list.
const READ_AT_ONCE_MAX: usize = 1_000;

/// Lets the classifier read what it has not read yet, apart from other work and without holding the
/// space. Of a very large import it reads a part each time; rules have judged the rest.
async fn judge_unread(ports: &Ports, scope: &Scope) -> Result<(), SpaceError> {
    let unread = |view: &SpaceView| {
        let unread = view.memories().rev().filter(|memory| !memory.is_judged());
        unread
            .take(READ_AT_ONCE_MAX)
            .cloned()
            .collect::<Vec<Arc<Memory>>>()
    };
    let unread = ports.spaces.read(scope.space(), unread).await?;
    if !unread.is_empty() {
        apart(|| unread.iter().for_each(|memory| memory.content.judge()));
    }
    Ok(())
}

/// Finds the memory that `memory` would change, as long as both are current.
fn amended<'v>(view: &'v SpaceView, memory: &Memory, now: Timestamp) -> Option<&'v Arc<Memory>> {
    let of = memory.amends.filter(|_| memory.is_current(now))?;
    view.memory(of).filter(|of| of.is_current(now))
}

/// Tells whether an agent may have changed or hidden what the user said; its history tells.
fn is_touched(memory: &Memory) -> bool {
    let hidden = memory.trust.is_users_own() && matches!(memory.standing, Standing::Retired { .. });
    let changed = memory.is_active() && !memory.trust.is_users_own();
    1 < memory.version && (hidden || changed)
}

fn act_of_agent(memory: &Arc<Memory>, history: &[Version]) -> Option<ReviewItem> {
    let last = history.iter().max_by_key(|version| version.memory.version)?;
    let by_tool = |version: &Version| {
        let source = version.stamp.source.as_ref();
        source.is_some_and(|source| source.as_str().starts_with(TOOL_SOURCE))
    };
    let reason = match memory.is_active() {
        false => (last.act == Act::Retire && by_tool(last)).then_some(Reason::Hidden)?,
        true => {
            let said = history
                .iter()
                .filter(|version| version.memory.trust.is_users_own());
            let was = said.max_by_key(|version| version.memory.version)?;
            Reason::Changed {
                was: Arc::new(was.memory.clone()),
            }
        }
    };
    Some(ReviewItem {
        memory: Arc::clone(memory),
        reason,
    })
}

/// What became of a confirmation.
#[derive(Clone, Debug, PartialEq)]
pub enum Confirmed {
    /// It now counts as the user's own, or stays hidden by the user's will.
    Confirmed(Arc<Memory>),
    /// It counted as the user's own already.
    Unchanged(Arc<Memory>),
    NotFound,
}

/// Confirms the memory that `target` names, for the user of `scope`: it counts as the user's own
/// from then on, and what an agent hid stays hidden. A proposed change takes the place of what it
/// would change.
pub async fn confirm(ports: &Ports, scope: &Scope, target: Target) -> Result<Confirmed, SpaceError> {
    let decided_for = scope.clone();
    let decide = move |view: &SpaceView| {
        let known = target.current(view, decided_for.lens_to_change());
        let Some(known) = known.or_else(|| target.hidden(view, decided_for.lens_to_change())) else {
            return Decision::nothing(Confirmed::NotFound);
        };
        if let Some(of) = amended(view, known, decided_for.now) {
            return accept(&decided_for, known, of);
        }
        let hidden = !known.is_active();
        if known.trust == Origin::User && !hidden {
            return Decision::nothing(Confirmed::Unchanged(Arc::clone(known)));
        }
        let memory = known.revised(decided_for.now, |memory| {
            memory.trust = Origin::User;
            memory.amends = None;
            memory.in_document = !hidden && memory.belongs_in_document();
        });
        let act = if hidden { Act::Retire } else { Act::Revise };
        let effect = Effect::Memory {
            act,
            memory: memory.clone(),
        };
        Decision {
            changes: vec![decided_for.change(None, effect)],
            outcome: Confirmed::Confirmed(Arc::new(memory)),
        }
    };
    ports.spaces.write(scope.space(), decide).await
}

/// Applies a proposal to the memory that it would change, and hides it.
fn accept(scope: &Scope, proposal: &Memory, of: &Memory) -> Decision<Confirmed> {
    let hidden = retired(proposal, scope, Retirement::Forgotten);
    let memory = of.revised(scope.now, |memory| {
        memory.content = proposal.content.clone();
        memory.category = proposal.category.clone();
        memory.tier = proposal.tier;
        memory.confidence = proposal.confidence;
        memory.origin = proposal.origin;
        memory.trust = Origin::User;
        memory.source = proposal.source.clone();
        memory.conversation = proposal.conversation.clone();
        memory.message = proposal.message.clone();
        memory.expires_at = proposal.expires_at;
        memory.in_document = memory.belongs_in_document();
    });
    let put = |act, memory| scope.change(None, Effect::Memory { act, memory });
    Decision {
        changes: vec![put(Act::Retire, hidden), put(Act::Revise, memory.clone())],
        outcome: Confirmed::Confirmed(Arc::new(memory)),
    }
}
