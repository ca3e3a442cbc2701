//! Hides a memory, shows it again, or erases it for good.

use std::sync::Arc;

use jiff::Timestamp;
use thiserror::Error;

use crate::as_of::version_at;
use crate::change::{Act, Change, Effect, Version};
use crate::id::MemoryId;
use crate::item_links::erased_with;
use crate::memory::{Memory, Retirement, Source, Standing};
use crate::policy::retention;
use crate::receipts;
use crate::record::RecordKind;
use crate::remember::collision;
use crate::scope::Scope;
use crate::settings::Settings;
use crate::space::{Decision, SpaceError, SpaceView, Written};
use crate::target::Target;
use crate::wiring::Ports;

/// What became of a request to hide a memory.
#[derive(Clone, Debug, PartialEq)]
pub enum Retired {
    Hidden(Arc<Memory>),
    NotFound,
    /// It is no longer at the version that the asker saw; nothing was changed.
    Stale(Arc<Memory>),
}

/// What became of a request to show a memory again.
#[derive(Clone, Debug, PartialEq)]
pub enum Restored {
    Shown {
        memory: Arc<Memory>,
        evicted: usize,
    },
    /// Nothing hidden, or no such version, has that name.
    NotFound,
    /// Another memory has taken its key or says the same; nothing was changed.
    Duplicate {
        of: Arc<Memory>,
    },
}

/// Why a memory could not be restored.
#[derive(Debug, Error)]
pub enum RestoreError {
    /// Its history could not be read.
    #[error("the history of the memory cannot be read: {0}")]
    History(#[source] crate::ports::StoreError),
    /// The space could not be read or written.
    #[error(transparent)]
    Space(#[from] SpaceError),
}

/// Hides the memory that `target` names. It can be restored.
pub async fn retire(
    ports: &Ports,
    scope: &Scope,
    target: Target,
    only_version: Option<u32>,
) -> Result<Retired, SpaceError> {
    retire_from(ports, scope, target, only_version, None).await
}

/// Hides a memory as the tool `name` of an agent. What the user said is then listed for review.
pub async fn retire_by_tool(
    ports: &Ports,
    scope: &Scope,
    target: Target,
    name: &str,
) -> Result<Retired, SpaceError> {
    let source = Source::new(&format!("{TOOL_SOURCE}{name}")).ok();
    retire_from(ports, scope, target, None, source).await
}

/// How the source of a change begins that a tool made.
pub(crate) const TOOL_SOURCE: &str = "tool:";

async fn retire_from(
    ports: &Ports,
    scope: &Scope,
    target: Target,
    only_version: Option<u32>,
    source: Option<Source>,
) -> Result<Retired, SpaceError> {
    let decided_for = scope.clone();
    let decide = move |view: &SpaceView| {
        let Some(known) = target.current(view, decided_for.lens_to_change()) else {
            return Decision::nothing(Retired::NotFound);
        };
        if only_version.is_some_and(|seen| seen != known.version) {
            return Decision::nothing(Retired::Stale(Arc::clone(known)));
        }
        let memory = retired(known, &decided_for, Retirement::Forgotten);
        let change = decided_for.change(
            source.clone(),
            Effect::Memory {
                act: Act::Retire,
                memory: memory.clone(),
            },
        );
        Decision {
            changes: vec![change],
            outcome: Retired::Hidden(Arc::new(memory)),
        }
    };
    crate::trace::write("delete_memory", scope, ports.spaces.write(scope.space(), decide)).await
}

/// Gives the memory as it is when it is hidden.
pub fn retired(known: &Memory, scope: &Scope, why: Retirement) -> Memory {
    known.revised(scope.now, |memory| {
        memory.standing = Standing::Retired { at: scope.now, why };
    })
}

/// Shows again the hidden memory that `target` names.
pub async fn restore(ports: &Ports, scope: &Scope, target: Target) -> Result<Restored, SpaceError> {
    let settings = Arc::clone(&ports.settings);
    let decided_for = scope.clone();
    let decide = move |view: &SpaceView| {
        let Some(known) = target.hidden(view, decided_for.lens_to_change()) else {
            return Decision::nothing(Restored::NotFound);
        };
        bring_back(view, &decided_for, known, Memory::clone(known), &settings)
    };
    let written = ports
        .spaces
        .write_reporting_evictions(scope.space(), decide)
        .await?;
    Ok(restored(written))
}

/// What became of a restored memory once the document's cap was applied.
fn restored(written: Written<Restored>) -> Restored {
    let Written { outcome, evicted } = written;
    match outcome {
        Restored::Shown { memory, .. } => Restored::Shown {
            memory: evicted.applied_to(memory),
            evicted: evicted.facts.len(),
        },
        unchanged => unchanged,
    }
}

/// Makes the memory what it was at `at`, shown.
pub async fn restore_as_of(
    ports: &Ports,
    scope: &Scope,
    target: Target,
    at: Timestamp,
) -> Result<Restored, RestoreError> {
    go_back(ports, scope, target, |versions| version_at(versions, at).cloned()).await
}

/// Makes the memory what it was at `version`, shown.
pub async fn restore_version(
    ports: &Ports,
    scope: &Scope,
    target: Target,
    version: u32,
) -> Result<Restored, RestoreError> {
    let is_it = move |past: &&Version| past.memory.version == version;
    go_back(ports, scope, target, |versions| {
        versions.iter().find(is_it).cloned()
    })
    .await
}

async fn go_back(
    ports: &Ports,
    scope: &Scope,
    target: Target,
    choose: impl FnOnce(&[Version]) -> Option<Version>,
) -> Result<Restored, RestoreError> {
    let found = ports
        .spaces
        .read(scope.space(), |view| {
            target.any(view, scope.lens_to_change()).map(|memory| memory.id)
        })
        .await?;
    let Some(id) = found else {
        return Ok(Restored::NotFound);
    };
    let history = ports
        .store
        .history(scope.space(), id)
        .await
        .map_err(RestoreError::History)?;
    let Some(Version { memory: past, .. }) = choose(&history) else {
        return Ok(Restored::NotFound);
    };
    let settings = Arc::clone(&ports.settings);
    let decided_for = scope.clone();
    let decide = move |view: &SpaceView| match view.memory(id) {
        Some(known) => bring_back(view, &decided_for, known, past.clone(), &settings),
        None => Decision::nothing(Restored::NotFound),
    };
    let written = ports
        .spaces
        .write_reporting_evictions(scope.space(), decide)
        .await?;
    Ok(restored(written))
}

/// Makes `known` what `past` was, shown from now on.
fn bring_back(
    view: &SpaceView,
    scope: &Scope,
    known: &Memory,
    past: Memory,
    settings: &Settings,
) -> Decision<Restored> {
    let memory = known.revised(scope.now, |memory| {
        *memory = Memory {
            standing: Standing::Active,
            learned_at: known.learned_at,
            expires_at: retention::expiry(past.tier, scope.now, settings),
            ..past
        };
        if scope.confined {
            memory.project.clone_from(&known.project);
        }
        memory.in_document = memory.belongs_in_document();
    });
    if let Some(of) = collision(view, &memory, scope.now) {
        return Decision::nothing(Restored::Duplicate { of });
    }
    let change = scope.change(
        None,
        Effect::Memory {
            act: Act::Restore,
            memory: memory.clone(),
        },
    );
    Decision {
        changes: vec![change],
        outcome: Restored::Shown {
            memory: Arc::new(memory),
            evicted: 0,
        },
    }
}

/// Removes the memory that `target` names, with its history, for good. Only a user or an
/// administrator may: no tool does.
pub async fn erase(ports: &Ports, scope: &Scope, target: Target) -> Result<Option<MemoryId>, SpaceError> {
    let look = |view: &SpaceView| target.any(view, scope.lens_to_change()).map(|known| known.id);
    let Some(id) = ports.spaces.read(scope.space(), look).await? else {
        return Ok(None);
    };
    let redacted = receipts::redacted(ports, scope, &[id.to_string()]).await?;
    let decided_for = scope.clone();
    let decide = move |view: &SpaceView| match view.memory(id) {
        Some(known) => {
            let (kind, name) = (RecordKind::Recall, known.id.to_string());
            let mut effects = erased_with(view, known.id);
            effects.push(Effect::EraseMemory { id: known.id });
            effects.push(Effect::EraseRecord { kind, name });
            let erase = effects.into_iter().map(|effect| decided_for.change(None, effect));
            Decision {
                changes: erase.chain(redacted.iter().cloned()).collect(),
                outcome: Some(known.id),
            }
        }
        None => Decision::nothing(None),
    };
    crate::trace::write("delete_memory", scope, ports.spaces.write(scope.space(), decide)).await
}

/// Hides what has expired, so that the store can be tidied; it was not shown any more anyway.
pub async fn retire_expired(ports: &Ports, scope: &Scope) -> Result<usize, SpaceError> {
    let decided_for = scope.clone();
    let decide = move |view: &SpaceView| {
        let past = view
            .memories()
            .filter(|memory| memory.is_active() && !memory.is_current(decided_for.now));
        let retire = |memory: &Arc<Memory>| {
            let memory = retired(memory, &decided_for, Retirement::Expired);
            decided_for.change(
                None,
                Effect::Memory {
                    act: Act::Retire,
                    memory,
                },
            )
        };
        let changes: Vec<Change> = past.map(retire).collect();
        Decision {
            outcome: changes.len(),
            changes,
        }
    };
    ports.spaces.write(scope.space(), decide).await
}
