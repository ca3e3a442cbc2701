//! Writes many statements in one transaction, each as if the ones before it were stored already.

use std::collections::HashMap;
use std::sync::Arc;

use crate::change::{Act, Change, Effect};
use crate::id::MemoryId;
use crate::memory::{Key, Memory};
use crate::policy::duplicates::Fingerprint;
use crate::remember::{
    Likeness, RememberError, Remembered, Statement, judge_ahead, key_for, known_already, named, new_memory,
    refuse_secrets, told_again,
};
use crate::scope::Scope;
use crate::settings::Settings;
use crate::space::{Decision, SpaceError, SpaceView, Written, fingerprints, named_in};
use crate::trace;
use crate::wiring::Ports;

/// The most statements at once.
pub const AT_ONCE_MAX: usize = 1000;

/// Remembers `statements` in their order, all in one transaction. A statement that holds a secret
/// is refused alone. Returns what became of each; the count of evicted facts is of all together,
/// in the first that was stored.
pub async fn remember_many(
    ports: &Ports,
    scope: &Scope,
    statements: Vec<Statement>,
) -> Result<Vec<Result<Remembered, RememberError>>, SpaceError> {
    let work = remember_all(ports, scope, statements);
    trace::operation("create_memory", scope, work, |done, span| {
        span.set("gen_ai.memory.record.count", done.len() as i64);
    })
    .await
}

async fn remember_all(
    ports: &Ports,
    scope: &Scope,
    statements: Vec<Statement>,
) -> Result<Vec<Result<Remembered, RememberError>>, SpaceError> {
    let refused: Vec<Option<RememberError>> =
        statements.iter().map(|one| refuse_secrets(one).err()).collect();
    judge_ahead(&statements);
    let wanted: Vec<(Statement, MemoryId)> = statements
        .into_iter()
        .zip(&refused)
        .filter(|(_, refused)| refused.is_none())
        .map(|(one, _)| (one, MemoryId::from_uuid(scope.fresh_id(&*ports.ids))))
        .collect();
    let settings = Arc::clone(&ports.settings);
    let decided_for = scope.clone();
    let decide = move |view: &SpaceView| Batch::new(view, &decided_for, &settings).decide(&wanted);
    let Written { outcome, evicted } = ports.spaces.write_bulk(scope.space(), decide).await?;
    let mut left = evicted.facts.len();
    let mut became = outcome.into_iter().map(|one| match one {
        Remembered::Stored { memory, demoted, .. } => Remembered::Stored {
            memory: evicted.applied_to(memory),
            demoted,
            evicted: std::mem::take(&mut left),
        },
        known => known,
    });
    let answer = |refused: Option<RememberError>| match refused {
        Some(error) => Err(error),
        None => Ok(became
            .next()
            .expect("each statement that is not refused is decided")),
    };
    Ok(refused.into_iter().map(answer).collect())
}

/// What is decided about a list of statements, one after the other.
struct Batch<'a> {
    view: &'a SpaceView,
    scope: &'a Scope,
    settings: &'a Settings,
    changes: Vec<Change>,
    /// What this batch stores or names, by what it says and by its key.
    by_statement: HashMap<Fingerprint, Arc<Memory>>,
    by_key: HashMap<String, Arc<Memory>>,
    /// What an earlier run of this request stored, by the part of an id that is always the same.
    stored_before: HashMap<u128, Arc<Memory>>,
}

/// The part of an id that does not tell the time.
fn without_time(id: MemoryId) -> u128 {
    const TIME_BITS: u32 = 48;
    id.as_uuid().as_u128() << TIME_BITS
}

impl<'a> Batch<'a> {
    fn new(view: &'a SpaceView, scope: &'a Scope, settings: &'a Settings) -> Batch<'a> {
        let stored_before = match scope.once {
            Some(_) => view
                .memories()
                .map(|memory| (without_time(memory.id), Arc::clone(memory)))
                .collect(),
            None => HashMap::new(),
        };
        Batch {
            view,
            scope,
            settings,
            changes: Vec::new(),
            by_statement: HashMap::new(),
            by_key: HashMap::new(),
            stored_before,
        }
    }

    fn decide(mut self, wanted: &[(Statement, MemoryId)]) -> Decision<Vec<Remembered>> {
        let outcome = wanted.iter().map(|(one, id)| self.one(one, *id)).collect();
        Decision {
            changes: self.changes,
            outcome,
        }
    }

    fn one(&mut self, statement: &Statement, id: MemoryId) -> Remembered {
        if let Some(memory) = self.stored_before.get(&without_time(id)) {
            return told_again(memory, statement);
        }
        if let Some((of, likeness)) = self.known(statement) {
            return self.repeated(statement, of, likeness);
        }
        let (memory, demoted) = new_memory(self.scope, statement, id, self.settings);
        let source = statement.source.clone();
        let effect = Effect::Memory {
            act: Act::Remember,
            memory: memory.clone(),
        };
        self.changes.push(self.scope.change(source, effect));
        let memory = Arc::new(memory);
        self.note(&memory);
        Remembered::Stored {
            memory,
            demoted,
            evicted: 0,
        }
    }

    fn known(&self, statement: &Statement) -> Option<(Arc<Memory>, Likeness)> {
        let project = statement.project(self.scope);
        let mut prints = Fingerprint::all(statement.content.as_str());
        let said = prints.find_map(|print| self.by_statement.get(&print.within(project)));
        let named = statement
            .key
            .as_ref()
            .and_then(|key| self.by_key.get(&named_in(project, key.folded())));
        let here = said.map(|memory| (Arc::clone(memory), Likeness::SameStatement));
        let here_named = || named.map(|memory| (Arc::clone(memory), Likeness::SameKey));
        here.or_else(|| known_already(self.view, self.scope, statement))
            .or_else(here_named)
    }

    /// A repetition may name the memory that says the same, once.
    fn repeated(&mut self, statement: &Statement, of: Arc<Memory>, likeness: Likeness) -> Remembered {
        let project = of.project.as_ref();
        let is_free = |key: &&Key| !self.by_key.contains_key(&named_in(project, key.folded()));
        let key = match likeness {
            Likeness::SameStatement => key_for(self.view, self.scope, statement, &of).filter(is_free),
            Likeness::SameKey => None,
        };
        let Some(key) = key else {
            return Remembered::Duplicate { of, likeness };
        };
        let Decision { changes, outcome } = named(self.scope, &of, key);
        self.changes.extend(changes);
        if let Remembered::Duplicate { of, .. } = &outcome {
            self.note(of);
        }
        outcome
    }

    fn note(&mut self, memory: &Arc<Memory>) {
        for said in fingerprints(memory) {
            self.by_statement.insert(said, Arc::clone(memory));
        }
        if let Some(key) = &memory.key {
            let name = named_in(memory.project.as_ref(), key.folded());
            self.by_key.insert(name, Arc::clone(memory));
        }
    }
}
