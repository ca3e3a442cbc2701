//! Changes what a memory says or how it is labelled. The earlier state stays in its history.

mod edit;
mod propose;

use std::sync::Arc;

use thiserror::Error;
use uuid::Uuid;

pub use edit::Edit;

use crate::change::{Act, Effect};
use crate::id::MemoryId;
use crate::memory::{Memory, Origin};
use crate::remember::collision;
use crate::scope::Scope;
use crate::screening::secrets::{self, Secret};
use crate::settings::Settings;
use crate::space::{Decision, SpaceError, SpaceView, Written, apart};
use crate::target::Target;
use crate::trace;
use crate::validity::{InvalidPeriod, Period};
use crate::wiring::Ports;

/// What becomes of a label that a memory may have or not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Relabel<T> {
    #[default]
    Keep,
    Set(T),
    Remove,
}

impl<T: Clone> Relabel<T> {
    fn apply(&self, was: Option<&T>) -> Option<T> {
        match self {
            Relabel::Keep => was.cloned(),
            Relabel::Set(label) => Some(label.clone()),
            Relabel::Remove => None,
        }
    }

    /// Tells what it becomes, if it changes: none if it is taken away.
    pub fn change(&self) -> Option<Option<&T>> {
        match self {
            Relabel::Keep => None,
            Relabel::Set(label) => Some(Some(label)),
            Relabel::Remove => Some(None),
        }
    }

    /// Gives the new label, if there is one.
    pub fn given(&self) -> Option<&T> {
        match self {
            Relabel::Set(label) => Some(label),
            Relabel::Keep | Relabel::Remove => None,
        }
    }
}

impl<T> Relabel<T> {
    /// Makes another label of the new one, unless it is no good.
    pub fn try_map<U, E>(self, make: impl FnOnce(T) -> Result<U, E>) -> Result<Relabel<U>, E> {
        Ok(match self {
            Relabel::Keep => Relabel::Keep,
            Relabel::Set(label) => Relabel::Set(make(label)?),
            Relabel::Remove => Relabel::Remove,
        })
    }
}

impl<T> From<Option<T>> for Relabel<T> {
    /// What is not given stays.
    fn from(given: Option<T>) -> Relabel<T> {
        given.map_or(Relabel::Keep, Relabel::Set)
    }
}

/// What became of an edit.
#[derive(Clone, Debug, PartialEq)]
pub enum Revised {
    Changed {
        memory: Arc<Memory>,
        was: Arc<Memory>,
        evicted: usize,
    },
    /// The edit is trusted less than `of`, which stays as it is: `memory` stands beside it until a
    /// person confirms it.
    Proposed {
        memory: Arc<Memory>,
        of: Arc<Memory>,
        evicted: usize,
    },
    /// It was like that already.
    Unchanged(Arc<Memory>),
    /// Another memory has that key or says the same; nothing was changed.
    Duplicate {
        of: Arc<Memory>,
    },
    /// It is no longer at the version that the editor saw; nothing was changed.
    Stale(Arc<Memory>),
    NotFound,
}

/// Why a memory cannot be revised.
#[derive(Debug, Error)]
pub enum ReviseError {
    /// The new content holds what must not be stored.
    #[error("the content looks like it holds a secret ({})", .0.as_str())]
    Secret(Secret),
    /// It would end before it begins.
    #[error(transparent)]
    Period(InvalidPeriod),
    /// The space could not be written.
    #[error(transparent)]
    Space(#[from] SpaceError),
}

/// Why an edit is refused, whatever the store says.
#[derive(Clone, Debug)]
enum Refusal {
    Secret(Secret),
    Period(InvalidPeriod),
}

impl From<Refusal> for ReviseError {
    fn from(refusal: Refusal) -> ReviseError {
        match refusal {
            Refusal::Secret(secret) => ReviseError::Secret(secret),
            Refusal::Period(invalid) => ReviseError::Period(invalid),
        }
    }
}

/// Applies `edit` to the memory that `target` names. An edit that is trusted less than the memory
/// does not replace it: it is stored beside it and waits for review.
pub async fn revise(
    ports: &Ports,
    scope: &Scope,
    target: Target,
    edit: Edit,
) -> Result<Revised, ReviseError> {
    if let Some(content) = edit.content.as_ref().filter(|_| edit.origin == Origin::Assistant) {
        // Before it is queued, so that nobody in the queue waits for the reading of a long text.
        apart(|| content.judge());
    }
    let settings = Arc::clone(&ports.settings);
    let decided_for = scope.clone();
    let id = scope.fresh_id(&*ports.ids);
    let decide = move |view: &SpaceView| decide(view, &decided_for, &target, &edit, id, &settings);
    let work = ports.spaces.write_reporting_evictions(scope.space(), decide);
    let Written { outcome, evicted } = trace::write("update_memory", scope, work).await?;
    Ok(match outcome? {
        Revised::Changed { memory, was, .. } => Revised::Changed {
            memory: evicted.applied_to(memory),
            was,
            evicted: evicted.facts.len(),
        },
        Revised::Proposed { memory, of, .. } => Revised::Proposed {
            memory: evicted.applied_to(memory),
            of,
            evicted: evicted.facts.len(),
        },
        unchanged => unchanged,
    })
}

fn decide(
    view: &SpaceView,
    scope: &Scope,
    target: &Target,
    edit: &Edit,
    id: Uuid,
    settings: &Settings,
) -> Decision<Result<Revised, Refusal>> {
    let Some(was) = target.current(view, scope.lens_to_change()).cloned() else {
        return Decision::nothing(Ok(Revised::NotFound));
    };
    if edit.version.is_some_and(|seen| seen != was.version) {
        return Decision::nothing(Ok(Revised::Stale(was)));
    }
    let memory = edit.apply(&was, scope, settings);
    if same_but_for_time(&memory, &was) {
        return Decision::nothing(Ok(Revised::Unchanged(was)));
    }
    if let Some(secret) = secret_in(&memory, edit) {
        return Decision::nothing(Err(Refusal::Secret(secret)));
    }
    if let Err(invalid) = Period::new(memory.period.from, memory.period.until) {
        return Decision::nothing(Err(Refusal::Period(invalid)));
    }
    if edit.is_less_trusted_than(&was, scope) {
        return propose::propose(view, scope, was, edit, MemoryId::from_uuid(id), settings);
    }
    if let Some(of) = collision(view, &memory, scope.now) {
        return Decision::nothing(Ok(Revised::Duplicate { of }));
    }
    let change = scope.change(
        edit.source.given().cloned(),
        Effect::Memory {
            act: Act::Revise,
            memory: memory.clone(),
        },
    );
    Decision {
        changes: vec![change],
        outcome: Ok(Revised::Changed {
            memory: Arc::new(memory),
            was,
            evicted: 0,
        }),
    }
}

/// Finds a secret in what the edit brings. A new content counts together with the key that the
/// memory has: `hunter2` under `wifi_password` is one.
fn secret_in(memory: &Memory, edit: &Edit) -> Option<Secret> {
    let key = memory.key.as_ref().map(|key| key.as_str());
    let content = || {
        let content = memory.content.as_str();
        key.map_or_else(|| secrets::find(content), |key| secrets::find_named(key, content))
    };
    let is_named_anew = edit.content.is_some() || edit.key.given().is_some();
    let labels = [
        edit.key.given().and(key),
        edit.source.given().map(|source| source.as_str()),
    ];
    let found = is_named_anew.then(content).flatten();
    found.or_else(|| labels.into_iter().flatten().find_map(secrets::find))
}

fn same_but_for_time(new: &Memory, was: &Memory) -> bool {
    let labels = new.key == was.key && new.category == was.category && new.tier == was.tier;
    let labels = labels && new.project == was.project;
    let same_text = new.content == was.content && new.source == was.source;
    labels && same_text && new.confidence == was.confidence && new.period == was.period
}
