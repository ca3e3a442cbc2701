//! Writes one statement, unless it is known already or must not be stored.

mod statement;

use std::sync::Arc;

use jiff::Timestamp;
use recalld_index::text::read_query;
use recalld_index::when::Span;
use thiserror::Error;

pub use statement::{Reach, Statement};

use crate::change::{Act, Change, Effect};
use crate::id::MemoryId;
use crate::lens::Lens;
use crate::memory::{Key, Memory, NewMemory, Origin, Tier};
use crate::policy::duplicates::Fingerprint;
use crate::policy::retention;
use crate::scope::{Scope, made_by_same_request};
use crate::screening::secrets;
use crate::settings::Settings;
use crate::slots::{Slot, Values};
use crate::space::{Decision, Evicted, SpaceError, SpaceView, apart};
use crate::trace;
use crate::validity::Period;
use crate::wiring::Ports;

/// What became of a statement.
#[derive(Clone, Debug, PartialEq)]
pub enum Remembered {
    /// It is stored.
    Stored {
        memory: Arc<Memory>,
        /// Whether it became a daily note because its confidence was too low to be durable.
        demoted: bool,
        /// How many facts left the memory document so that it fits.
        evicted: usize,
    },
    /// Nothing was stored: this memory has the same key or says the same. One that says the same
    /// and had no key has the statement's now.
    Duplicate { of: Arc<Memory>, likeness: Likeness },
}

/// In what a refused statement is like the one that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Likeness {
    SameStatement,
    SameKey,
}

/// Why a statement cannot be remembered.
#[derive(Debug, Error)]
pub enum RememberError {
    /// It holds what must not be stored.
    #[error("the content looks like it holds a secret ({})", .0.as_str())]
    Secret(secrets::Secret),
    /// The space could not be written.
    #[error(transparent)]
    Space(#[from] SpaceError),
}

/// Remembers `statement`, durable when this returns.
pub async fn remember(
    ports: &Ports,
    scope: &Scope,
    statement: Statement,
) -> Result<Remembered, RememberError> {
    remember_with(ports, scope, statement, |_| Vec::new()).await
}

/// Remembers `statement` together with what `receipt` makes of the outcome: both, or neither.
pub async fn remember_with(
    ports: &Ports,
    scope: &Scope,
    statement: Statement,
    receipt: impl FnMut(Remembered) -> Vec<Change> + Send + 'static,
) -> Result<Remembered, RememberError> {
    trace::operation(
        "create_memory",
        scope,
        remember_one(ports, scope, statement, receipt),
        |done, span| match done {
            Remembered::Stored { memory, .. } => trace::describe_memory(memory, span),
            Remembered::Duplicate { of, .. } => trace::describe_memory(of, span),
        },
    )
    .await
}

async fn remember_one(
    ports: &Ports,
    scope: &Scope,
    statement: Statement,
    mut receipt: impl FnMut(Remembered) -> Vec<Change> + Send + 'static,
) -> Result<Remembered, RememberError> {
    refuse_secrets(&statement)?;
    judge_ahead(std::slice::from_ref(&statement));
    let id = MemoryId::from_uuid(scope.fresh_id(&*ports.ids));
    let (decided_for, settings) = (scope.clone(), Arc::clone(&ports.settings));
    let decide = move |view: &SpaceView| decide(view, &decided_for, &statement, id, &settings);
    let companion = move |outcome: &Remembered, evicted: &Evicted| receipt(after(outcome.clone(), evicted));
    let written = ports.spaces.write_with(scope.space(), decide, companion).await?;
    Ok(after(written.outcome, &written.evicted))
}

/// What became of a statement, after the document was brought within its cap.
fn after(outcome: Remembered, evicted: &Evicted) -> Remembered {
    match outcome {
        Remembered::Stored { memory, demoted, .. } => Remembered::Stored {
            memory: evicted.applied_to(memory),
            demoted,
            evicted: evicted.facts.len(),
        },
        known => known,
    }
}

/// Screens what is not in the user's own words before it is queued, so that nobody waits in the
/// queue for the reading of a long text. What is imported is judged when it is shown.
pub(crate) fn judge_ahead(statements: &[Statement]) {
    let of_agents = |statement: &&Statement| statement.origin == Origin::Assistant;
    let judge = || {
        for statement in statements.iter().filter(of_agents) {
            statement.content.judge();
        }
    };
    if statements.iter().any(|statement| of_agents(&statement)) {
        apart(judge);
    }
}

/// The key and the source end up in prompts and logs as well, so they are looked at too.
pub fn refuse_secrets(statement: &Statement) -> Result<(), RememberError> {
    let key = statement.key.as_ref().map(Key::as_str);
    let source = statement.source.as_ref().map(|source| source.as_str());
    let content = statement.content.as_str();
    let named = key.map_or_else(|| secrets::find(content), |key| secrets::find_named(key, content));
    let labels = || [key, source].into_iter().flatten().find_map(secrets::find);
    match named.or_else(labels) {
        Some(secret) => Err(RememberError::Secret(secret)),
        None => Ok(()),
    }
}

fn decide(
    view: &SpaceView,
    scope: &Scope,
    statement: &Statement,
    id: MemoryId,
    settings: &Settings,
) -> Decision<Remembered> {
    if let Some(memory) = stored_before(view, scope, id) {
        return Decision::nothing(told_again(memory, statement));
    }
    if let Some((of, likeness)) = known_already(view, scope, statement) {
        return match key_for(view, scope, statement, &of) {
            Some(key) => named(scope, &of, key),
            None => Decision::nothing(Remembered::Duplicate { of, likeness }),
        };
    }
    let (memory, demoted) = new_memory(scope, statement, id, settings);
    let change = scope.change(
        statement.source.clone(),
        Effect::Memory {
            act: Act::Remember,
            memory: memory.clone(),
        },
    );
    Decision {
        changes: vec![change],
        outcome: Remembered::Stored {
            memory: Arc::new(memory),
            demoted,
            evicted: 0,
        },
    }
}

/// Makes a memory of a statement, and tells whether it became a daily note for want of confidence.
pub fn new_memory(scope: &Scope, statement: &Statement, id: MemoryId, settings: &Settings) -> (Memory, bool) {
    let placement = retention::place(statement.tier, statement.confidence, settings);
    let mut memory = Memory::new(NewMemory {
        id,
        key: statement.key.clone(),
        content: statement.content.clone(),
        category: statement.category.clone(),
        tier: placement.tier,
        confidence: statement.confidence,
        origin: statement.origin,
        trust: scope.trust(statement.content.as_str(), statement.origin),
        source: statement.source.clone(),
        conversation: scope.conversation.clone(),
        message: scope.message.clone(),
        learned_at: scope.now,
        expires_at: retention::expiry(placement.tier, scope.now, settings),
        project: statement.project(scope).cloned(),
        evidence: statement.evidence.clone(),
    });
    memory.period = match statement.period == Period::default() {
        true => said_period(statement.content.as_str(), scope.now),
        false => statement.period,
    };
    memory.in_document = memory.belongs_in_document();
    (memory, placement.demoted)
}

/// When a statement says it began to hold: *started at Globex last month*, said in November, holds
/// since October.
fn said_period(content: &str, now: Timestamp) -> Period {
    let begins = |slot: &Slot| slot.values() == Values::One && slot.attribute.begins_on_a_day();
    if Slot::of(content).filter(begins).is_none() {
        return Period::default();
    }
    let (_, dates) = read_query(content);
    let span = Span::named_in(content, &content.to_lowercase(), &dates, now);
    let first = span.and_then(|span| Timestamp::from_millisecond(span.first_day_ms()).ok());
    Period {
        from: first.filter(|first| *first <= now),
        ..Period::default()
    }
}

/// Finds what an earlier run of this very request stored.
fn stored_before<'v>(view: &'v SpaceView, scope: &Scope, id: MemoryId) -> Option<&'v Arc<Memory>> {
    scope.once?;
    let same = |memory: &&Arc<Memory>| made_by_same_request(memory.id.as_uuid(), id.as_uuid());
    view.memories().rev().find(same)
}

/// Answers a request that was carried out already as it was answered then.
pub(crate) fn told_again(memory: &Arc<Memory>, statement: &Statement) -> Remembered {
    Remembered::Stored {
        memory: Arc::clone(memory),
        demoted: statement.tier == Tier::Durable && memory.tier == Tier::Daily,
        evicted: 0,
    }
}

/// Finds the memory that is shown and says the same as `content`.
pub(crate) fn saying<'v>(view: &'v SpaceView, content: &str, lens: Lens<'_>) -> Option<&'v Arc<Memory>> {
    let said = Fingerprint::all(content).find_map(|statement| view.by_statement(&statement, lens));
    said.filter(|memory| lens.sees(memory))
}

/// Finds another memory that `memory` would repeat where it belongs.
pub(crate) fn collision(view: &SpaceView, memory: &Memory, now: Timestamp) -> Option<Arc<Memory>> {
    let project = memory.project.as_ref();
    let said = saying(view, memory.content.as_str(), Lens::of_project(now, project));
    let keyed = memory
        .key
        .as_ref()
        .and_then(|key| view.keyed(key.as_str(), project, now));
    said.into_iter()
        .chain(keyed)
        .find(|other| other.id != memory.id)
        .cloned()
}

/// Finds what the statement repeats. The same words come before the same key: that answer is the
/// more telling one.
pub(crate) fn known_already(
    view: &SpaceView,
    scope: &Scope,
    statement: &Statement,
) -> Option<(Arc<Memory>, Likeness)> {
    if let Some(same) = saying(view, statement.content.as_str(), statement.lens(scope)) {
        return Some((Arc::clone(same), Likeness::SameStatement));
    }
    let key = statement.key.as_ref()?;
    let lens = statement.lens(scope);
    let keyed = view.by_key(key.as_str(), lens).filter(|same| lens.sees(same));
    keyed.map(|same| (Arc::clone(same), Likeness::SameKey))
}

/// Gives the statement's key if `of`, which says the same, has none and nothing else has this one.
/// A key stands in prompts with its memory, so whoever is trusted less does not name it.
pub(crate) fn key_for<'s>(
    view: &SpaceView,
    scope: &Scope,
    statement: &'s Statement,
    of: &Memory,
) -> Option<&'s Key> {
    let key = statement.key.as_ref()?;
    let trust = scope.trust(key.as_str(), statement.origin);
    let is_trusted = trust.may_replace(of.trust);
    let is_free = of.key.is_none() && view.by_key(key.as_str(), statement.lens(scope)).is_none();
    (is_free && is_trusted).then_some(key)
}

/// Gives a key to a memory, so that whoever said the same again finds it by that key.
pub(crate) fn named(scope: &Scope, memory: &Memory, key: &Key) -> Decision<Remembered> {
    let memory = memory.revised(scope.now, |memory| memory.key = Some(key.clone()));
    let of = Arc::new(memory.clone());
    let act = Act::Revise;
    let changes = vec![scope.change(None, Effect::Memory { act, memory })];
    let likeness = Likeness::SameStatement;
    let outcome = Remembered::Duplicate { of, likeness };
    Decision { changes, outcome }
}
