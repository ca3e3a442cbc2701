//! Adds an archive to a space that holds something already. What is here stays; what is new comes
//! in, with its history.

use std::collections::{HashMap, HashSet};

use recalld_memory::change::{Act, Change, Effect, Version};
use recalld_memory::conversation::{Conversation, Message};
use recalld_memory::entity::Entity;
use recalld_memory::knowledge::{Chunk, KnowledgeDocument};
use recalld_memory::lens::Lens;
use recalld_memory::memory::{Memory, Origin, Project};
use recalld_memory::policy::duplicates::Fingerprint;
use recalld_memory::record::{Record, RecordKind};
use recalld_memory::scope::Scope;
use recalld_memory::space::SpaceView;

use super::kind::message_id;
use super::report::{Fate, Imported};
use super::signature::Signature;
use super::staged::Item;

/// What the store has of a batch that is not held in memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Stored {
    /// By conversation and id, as events name them.
    pub(super) messages: HashMap<String, Message>,
    pub(super) records: HashMap<(RecordKind, String), Record>,
    pub(super) documents: HashSet<String>,
}

/// Decides what becomes of `items` in the space as it is now.
pub(super) fn decide(
    view: &SpaceView,
    scope: &Scope,
    items: &[Item],
    stored: &Stored,
    signature: Signature,
) -> (Vec<Change>, Imported) {
    let mut merging = Merging {
        view,
        scope,
        stored,
        signature,
        changes: Vec::new(),
        report: Imported::default(),
        keys: HashSet::new(),
        statements: HashSet::new(),
    };
    for item in items {
        let (kind, fate) = match item {
            Item::Memory(versions) => ("memories", merging.memory(versions)),
            Item::Entity(entity) => ("entities", merging.entity(entity)),
            Item::Conversation(conversation) => ("conversations", merging.conversation(conversation)),
            Item::Message(message) => ("messages", merging.message(message)),
            Item::Record(record) => ("records", merging.record(record)),
            Item::Document(document, chunks) => ("documents", merging.document(document, chunks)),
        };
        merging.report.count(kind, fate);
    }
    (merging.changes, merging.report)
}

struct Merging<'a> {
    view: &'a SpaceView,
    scope: &'a Scope,
    stored: &'a Stored,
    signature: Signature,
    changes: Vec<Change>,
    report: Imported,
    /// What the changes so far have taken.
    keys: HashSet<(Option<Project>, String)>,
    statements: HashSet<Fingerprint>,
}

impl Merging<'_> {
    fn put(&mut self, effect: Effect) {
        self.changes.push(self.scope.change(None, effect));
    }

    fn memory(&mut self, versions: &[Version]) -> Fate {
        let Some(last) = versions.last() else {
            return Fate::Known;
        };
        let fresh = match self.view.memory(last.memory.id) {
            Some(known) if is_same(known, &last.memory) || is_read_again(known, versions) => {
                return Fate::Known;
            }
            // What is here is an earlier state of the same history: it goes on from there.
            Some(known) => match versions
                .iter()
                .position(|version| is_same(known, &version.memory))
            {
                Some(at) => &versions[at + 1..],
                None if !known.is_current(self.scope.now) => return Fate::Hidden,
                None => return Fate::Kept,
            },
            None => versions,
        };
        if !self.claim(last) {
            return Fate::Known;
        }
        for Version { act, memory, stamp } in fresh {
            self.changes.push(Change {
                stamp: stamp.clone(),
                effect: Effect::Memory {
                    act: *act,
                    memory: memory.clone(),
                },
            });
        }
        Fate::Added
    }

    /// Takes the key and the statement of a memory, unless another one that is shown has them.
    fn claim(&mut self, version: &Version) -> bool {
        let (memory, now) = (&version.memory, self.scope.now);
        if !memory.is_current(now) {
            return true;
        }
        let project = memory.project.as_ref();
        let key = memory.key.as_ref().map(|key| key.folded());
        let statement = Fingerprint::of(memory.content.as_str());
        let said = self.view.by_statement(&statement, Lens::of_project(now, project));
        let keyed = key.as_deref().and_then(|key| self.view.keyed(key, project, now));
        let key = key.map(|key| (project.cloned(), key));
        let statement = statement.within(project);
        let is_taken = said.into_iter().chain(keyed).any(|other| other.id != memory.id)
            || self.statements.contains(&statement)
            || key.as_ref().is_some_and(|key| self.keys.contains(key));
        if !is_taken {
            self.keys.extend(key);
            self.statements.insert(statement);
        }
        !is_taken
    }

    fn entity(&mut self, entity: &Entity) -> Fate {
        let known = self.view.entity(&entity.id).cloned();
        let fate = match &known {
            None => {
                let entity = Entity {
                    mentions: Vec::new(),
                    ..entity.clone()
                };
                let act = Act::Remember;
                self.put(Effect::Entity { act, entity });
                Fate::Added
            }
            Some(known) if known.name == entity.name && known.notes == entity.notes => Fate::Known,
            Some(_) => Fate::Kept,
        };
        for mention in &entity.mentions {
            if !known
                .as_ref()
                .is_some_and(|known| known.mentions.contains(mention))
            {
                let (entity, mention) = (entity.id.clone(), mention.clone());
                self.put(Effect::Mention { entity, mention });
            }
        }
        fate
    }

    fn conversation(&mut self, conversation: &Conversation) -> Fate {
        match self.view.conversation(&conversation.id) {
            None => {
                self.put(Effect::Conversation(conversation.clone()));
                Fate::Added
            }
            Some(known) => {
                // Messages of the archive may follow that are later than all that are here.
                if known.last_seq < conversation.last_seq {
                    let grown = Conversation {
                        last_seq: conversation.last_seq,
                        ..Conversation::clone(known)
                    };
                    self.put(Effect::Conversation(grown));
                }
                Fate::Known
            }
        }
    }

    fn message(&mut self, message: &Message) -> Fate {
        match self.stored.messages.get(&message_id(message)) {
            None => {
                self.put(Effect::Message(message.clone()));
                Fate::Added
            }
            Some(known) if known.content == message.content && known.role == message.role => Fate::Known,
            Some(_) => Fate::Kept,
        }
    }

    fn record(&mut self, record: &Record) -> Fate {
        // How often something was recalled elsewhere says nothing of how often it was here.
        if record.kind == RecordKind::Recall {
            return Fate::Known;
        }
        let held = self
            .view
            .record(record.kind, &record.name)
            .map(|record| Record::clone(record));
        let known = match record.kind.is_held() {
            true => held,
            false => self
                .stored
                .records
                .get(&(record.kind, record.name.clone()))
                .cloned(),
        };
        match known {
            None => {
                self.put(Effect::Record(record.clone()));
                if let Some(mark) = self.signature.mark(record) {
                    self.put(mark);
                }
                Fate::Added
            }
            Some(known) if known.value == record.value => Fate::Known,
            Some(_) => Fate::Kept,
        }
    }

    fn document(&mut self, document: &KnowledgeDocument, chunks: &[Chunk]) -> Fate {
        if self.stored.documents.contains(document.id.as_str()) {
            return Fate::Known;
        }
        self.put(Effect::Document {
            document: document.clone(),
            chunks: chunks.to_vec(),
        });
        Fate::Added
    }
}

/// Tells whether a memory of the archive is the one that is here. Its origin may have been lowered
/// because nobody vouches for the archive.
fn is_same(known: &Memory, archived: &Memory) -> bool {
    let lowered = |memory: &Memory| {
        let mut memory = memory.clone();
        Signature::Unverified.lower(&mut memory);
        memory
    };
    known == archived || lowered(known) == *archived
}

/// Tells whether this is what another product exports, read once more: what has no time there is
/// dated anew each time.
fn is_read_again(known: &Memory, versions: &[Version]) -> bool {
    let [Version { memory, .. }] = versions else {
        return false;
    };
    let said = |memory: &Memory| {
        let labels = (memory.key.clone(), memory.category.clone(), memory.tier);
        (
            memory.content.clone(),
            labels,
            memory.origin,
            memory.source.clone(),
        )
    };
    memory.origin == Origin::Import && known.is_active() && said(known) == said(memory)
}
