//! Takes findings over into memory: all of one reading in one write, together with crossing off the
//! work.

use std::collections::HashSet;
use std::sync::Arc;

use recalld_index::text::content_words;
use recalld_memory::change::{Act, Change, Effect};
use recalld_memory::id::{ConversationId, MemoryId, MessageId};
use recalld_memory::memory::{Category, Confidence, Content, Key, Memory, Origin, Retirement, Source, Tier};
use recalld_memory::policy::duplicates::{Fingerprint, differ_in_substance};
use recalld_memory::recall::{self, Question};
use recalld_memory::remember::{self, Statement};
use recalld_memory::retire;
use recalld_memory::revise::Edit;
use recalld_memory::scope::Scope;
use recalld_memory::settings::Settings;
use recalld_memory::space::SpaceView;

use super::rules::{Ended, Fact, Finding};

/// A finding, and where it was found.
#[derive(Clone, Debug)]
pub struct Learning {
    pub finding: Finding,
    pub origin: Origin,
    pub conversation: Option<ConversationId>,
    pub message: Option<MessageId>,
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
        match &learning.finding {
            Finding::Holds(fact) => self.hold(&scope, fact, learning),
            Finding::Ended(ended) => self.end(&scope, ended),
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
        if let Some(known) = self.known(scope, &statement, &fingerprint) {
            return Learned::Known(known);
        }
        if !self.said.insert(fingerprint) {
            return Learned::Nothing;
        }
        let keyed = statement
            .key
            .as_ref()
            .and_then(|key| self.view.by_key(key.as_str(), scope.now));
        let unsaid = || {
            let mut unsaid = fact.instead_of.iter();
            unsaid.find_map(|said| self.view.by_statement(&Fingerprint::of(said), scope.now))
        };
        let stale = keyed.or_else(unsaid);
        if let Some(was) = stale.filter(|was| !self.touched.contains(&was.id)) {
            let was = Arc::clone(was);
            return self.revise(scope, &was, &statement);
        }
        let (memory, _) = remember::new_memory(scope, &statement, learning.id, self.settings);
        self.change(scope, Act::Remember, statement.source, &memory);
        Learned::Remembered(Arc::new(memory))
    }

    /// Finds what says the same: in the same words, or in more words that leave nothing out.
    fn known(&self, scope: &Scope, statement: &Statement, fingerprint: &Fingerprint) -> Option<Arc<Memory>> {
        if let Some(same) = self.view.by_statement(fingerprint, scope.now) {
            return Some(Arc::clone(same));
        }
        let content = statement.content.as_str();
        let words = content_words(content);
        if statement.origin == Origin::User || words.is_empty() {
            return None;
        }
        let near = recall::in_view(self.view, &Question::new(content, 5), scope.now);
        let says_it = |memory: &Arc<Memory>| {
            let known = content_words(memory.content.as_str());
            words.iter().all(|word| known.contains(word))
                && !differ_in_substance(content, memory.content.as_str())
        };
        near.into_iter().map(|hit| hit.item).find(says_it)
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

    fn end(&mut self, scope: &Scope, ended: &Ended) -> Learned {
        let about = ended.about.to_lowercase();
        let keyed = ended
            .key
            .as_deref()
            .and_then(|key| self.view.by_key(key, scope.now))
            .filter(|memory| memory.content.as_str().to_lowercase().contains(&about));
        let said = ended
            .statements
            .iter()
            .find_map(|said| self.view.by_statement(&Fingerprint::of(said), scope.now));
        let Some(known) = keyed.or(said).filter(|known| !self.touched.contains(&known.id)) else {
            return Learned::Nothing;
        };
        let memory = retire::retired(known, scope, Retirement::Forgotten);
        self.change(scope, Act::Retire, source(&ended.quote), &memory);
        Learned::Retired(Arc::new(memory))
    }

    fn change(&mut self, scope: &Scope, act: Act, source: Option<Source>, memory: &Memory) {
        self.touched.insert(memory.id);
        let memory = memory.clone();
        self.changes
            .push(scope.change(source, Effect::Memory { act, memory }));
    }
}

fn statement(fact: &Fact, origin: Origin) -> Option<Statement> {
    Some(Statement {
        key: fact.key.as_deref().and_then(|key| Key::new(key).ok()),
        content: Content::new(&fact.content).ok()?,
        category: Category::new(fact.category).unwrap_or_else(|_| Category::unsorted()),
        tier: Tier::Durable,
        confidence: Confidence::new(fact.confidence).ok()?,
        origin,
        source: source(&fact.quote),
    })
}

/// The evidence, as much of it as a source holds.
fn source(quote: &str) -> Option<Source> {
    const ROOM: usize = Source::BYTES_MAX - 16;
    let quote = recalld_memory::render::one_line(quote);
    let cut = &quote[..quote.floor_char_boundary(ROOM)];
    Source::new(&format!("said: {cut}")).ok()
}
