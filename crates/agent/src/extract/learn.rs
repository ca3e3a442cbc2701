//! Takes findings over into memory: all of one reading in one write, together with crossing off the
//! work.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use recalld_memory::change::{Act, Change, Effect};
use recalld_memory::id::{ConversationId, MemoryId, MessageId};
use recalld_memory::memory::{Content, Memory, Origin, Project, Retirement, Source};
use recalld_memory::policy::duplicates::{Fingerprint, differ_in_substance};
use recalld_memory::remember::{self, Statement};
use recalld_memory::retire;
use recalld_memory::revise::{Edit, Relabel};
use recalld_memory::scope::Scope;
use recalld_memory::settings::Settings;
use recalld_memory::space::SpaceView;

use super::finding::{Correction, Ended, Ending, Fact, Finding};
use super::known::{Known, mentions};
use super::statement::{beginning, source, statement};
use crate::learning_metrics::LearningMetrics;

/// A finding, and where it was found.
#[derive(Clone, Debug)]
pub struct Learning {
    pub finding: Finding,
    pub origin: Origin,
    pub conversation: Option<ConversationId>,
    pub message: Option<MessageId>,
    /// The project in which it was said.
    pub project: Option<Project>,
    /// The id of the memory that it may become.
    pub id: MemoryId,
}

/// What became of a finding.
#[derive(Clone, Debug, PartialEq)]
pub enum Learned {
    Remembered(Arc<Memory>),
    Revised {
        memory: Arc<Memory>,
        was: Arc<Memory>,
    },
    /// Another value holds from now on; what held before is kept with its end.
    Superseded {
        memory: Arc<Memory>,
        was: Arc<Memory>,
    },
    /// It no longer holds, and is kept with its end.
    Ended(Arc<Memory>),
    Retired(Arc<Memory>),
    /// It was known already.
    Known(Arc<Memory>),
    /// It ends nothing that is known.
    Nothing,
    /// It must not be stored.
    Refused(&'static str),
}

/// Decides what becomes of the findings, in their order. Gives the changes with what each finding
/// came to.
pub fn learn(
    view: &SpaceView,
    scope: &Scope,
    findings: &[Learning],
    settings: &Settings,
) -> (Vec<Change>, Vec<Learned>) {
    let mut learner = Learner {
        view,
        settings,
        changes: Vec::new(),
        touched: HashSet::new(),
        said: HashSet::new(),
    };
    let learned: Vec<Learned> = findings
        .iter()
        .map(|learning| learner.take(scope, learning))
        .collect();
    (learner.changes, learned)
}

/// Counts what findings came to.
pub(super) fn count(metrics: &LearningMetrics, learned: &[Learned]) {
    metrics.readings.fetch_add(1, Ordering::Relaxed);
    for outcome in learned {
        let counter = match outcome {
            Learned::Remembered(_) => &metrics.remembered,
            Learned::Revised { .. } | Learned::Superseded { .. } => &metrics.revised,
            Learned::Retired(_) | Learned::Ended(_) => &metrics.retired,
            Learned::Known(_) | Learned::Nothing => &metrics.known,
            Learned::Refused(_) => &metrics.rejected,
        };
        counter.fetch_add(1, Ordering::Relaxed);
    }
}

struct Learner<'v> {
    view: &'v SpaceView,
    settings: &'v Settings,
    changes: Vec<Change>,
    /// What this reading has changed already: the view does not show it yet.
    touched: HashSet<MemoryId>,
    said: HashSet<Fingerprint>,
}

impl Learner<'_> {
    fn take(&mut self, scope: &Scope, learning: &Learning) -> Learned {
        let mut scope = scope.clone();
        scope.conversation = learning.conversation.clone();
        scope.message = learning.message.clone();
        scope.project = learning.project.clone();
        match &learning.finding {
            Finding::Holds(fact) => self.hold(&scope, fact, learning),
            Finding::Ended(ended) => self.end(&scope, ended),
            Finding::Corrected(correction) => self.correct(&scope, correction),
        }
    }

    fn hold(&mut self, scope: &Scope, fact: &Fact, learning: &Learning) -> Learned {
        let Some(statement) = statement(fact, learning.origin) else {
            return Learned::Refused("it is no statement that can be kept");
        };
        if remember::refuse_secrets(&statement).is_err() {
            return Learned::Refused("it looks like a secret");
        }
        let fingerprint = Fingerprint::of(statement.content.as_str());
        let known = self.known(scope);
        if let Some(same) = known.says(&statement, &fingerprint, scope) {
            return Learned::Known(same);
        }
        let stale = known.stale(fact, statement.key.as_ref());
        if !self.said.insert(fingerprint) {
            return Learned::Nothing;
        }
        match stale.filter(|was| !self.touched.contains(&was.id)) {
            Some(was) if may_supersede(learning.origin, &was) => match is_other_value(fact, &was) {
                true => self.supersede(scope, &was, statement, learning),
                false => self.revise(scope, &was, &statement),
            },
            was => {
                // What the user said stays under its key; a weaker voice stands beside it.
                let key = statement.key.clone().filter(|_| was.is_none());
                let statement = Statement { key, ..statement };
                let (memory, _) = remember::new_memory(scope, &statement, learning.id, self.settings);
                self.change(scope, Act::Remember, statement.source, &memory);
                Learned::Remembered(Arc::new(memory))
            }
        }
    }

    fn known<'s>(&'s self, scope: &'s Scope) -> Known<'s> {
        Known {
            view: self.view,
            lens: scope.lens(),
        }
    }

    fn revise(&mut self, scope: &Scope, was: &Arc<Memory>, statement: &Statement) -> Learned {
        let edit = Edit {
            content: Some(statement.content.clone()),
            confidence: Some(statement.confidence),
            source: statement.source.clone().into(),
            ..Edit::by(statement.origin)
        };
        let memory = edit.apply(was, scope, self.settings);
        self.change(scope, Act::Revise, statement.source.clone(), &memory);
        Learned::Revised {
            memory: Arc::new(memory),
            was: Arc::clone(was),
        }
    }

    /// Stores the new value beside the old one, which ends when the new one begins. Both stay, so
    /// that a question about the past still finds what held then.
    fn supersede(
        &mut self,
        scope: &Scope,
        was: &Arc<Memory>,
        statement: Statement,
        learning: &Learning,
    ) -> Learned {
        let from = statement.period.from.unwrap_or(scope.now);
        let has_begun = from <= scope.now;
        // What is still to come leaves its key to what holds until then.
        let key = statement.key.clone().filter(|_| has_begun);
        let statement = Statement { key, ..statement };
        let (mut memory, _) = remember::new_memory(scope, &statement, learning.id, self.settings);
        memory.period.from = Some(from);
        let older = was.revised(scope.now, |older| {
            older.period = older.period.ended(from);
            older.period.superseded_by = Some(memory.id);
            if has_begun {
                older.key = None;
            }
            older.in_document = older.belongs_in_document();
        });
        // First, so that its key is free.
        self.change(scope, Act::Revise, statement.source.clone(), &older);
        self.change(scope, Act::Remember, statement.source, &memory);
        Learned::Superseded {
            memory: Arc::new(memory),
            was: Arc::new(older),
        }
    }

    fn end(&mut self, scope: &Scope, ended: &Ended) -> Learned {
        let found = self.known(scope).ended(ended);
        let Some(known) = found.filter(|known| !self.touched.contains(&known.id)) else {
            return Learned::Nothing;
        };
        let source = source(&ended.quote);
        match ended.how {
            Ending::Forgotten => {
                let memory = retire::retired(&known, scope, Retirement::Forgotten);
                self.change(scope, Act::Retire, source, &memory);
                Learned::Retired(Arc::new(memory))
            }
            Ending::Until(day) => {
                let at = day.and_then(beginning).filter(|at| *at <= scope.now);
                let memory = known.revised(scope.now, |memory| {
                    memory.period = memory.period.ended(at.unwrap_or(scope.now));
                    memory.key = None;
                    memory.in_document = memory.belongs_in_document();
                });
                self.change(scope, Act::Revise, source, &memory);
                Learned::Ended(Arc::new(memory))
            }
        }
    }

    /// Mends what the user said last in this conversation.
    fn correct(&mut self, scope: &Scope, correction: &Correction) -> Learned {
        let found = self.known(scope).corrected(correction, scope);
        let Some((was, content)) = found.filter(|(was, _)| !self.touched.contains(&was.id)) else {
            return Learned::Nothing;
        };
        let Ok(content) = Content::new(&content) else {
            return Learned::Refused("it is no statement that can be kept");
        };
        // What is true of somebody else has no place under the user's own key.
        let key = match correction.of {
            Some(_) => Relabel::Remove,
            None => Relabel::Keep,
        };
        let edit = Edit {
            key,
            content: Some(content),
            source: source(&correction.quote).into(),
            ..Edit::by(Origin::User)
        };
        let memory = edit.apply(&was, scope, self.settings);
        self.change(scope, Act::Revise, source(&correction.quote), &memory);
        Learned::Revised {
            memory: Arc::new(memory),
            was,
        }
    }

    fn change(&mut self, scope: &Scope, act: Act, source: Option<Source>, memory: &Memory) {
        self.touched.insert(memory.id);
        let memory = memory.clone();
        self.changes
            .push(scope.change(source, Effect::Memory { act, memory }));
    }
}

/// Whether what `origin` says may take the place of what is known: lower trust never supersedes
/// what the user said.
fn may_supersede(origin: Origin, was: &Memory) -> bool {
    origin == Origin::User || !was.trust.is_users_own()
}

/// Whether a fact says another value than the memory whose place it takes, and not the same one in
/// other words.
fn is_other_value(fact: &Fact, was: &Memory) -> bool {
    match fact.about.is_empty() {
        true => differ_in_substance(was.content.as_str(), &fact.content),
        false => !mentions(was, &fact.about.to_lowercase()),
    }
}
