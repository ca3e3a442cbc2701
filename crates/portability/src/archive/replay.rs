//! Plays the log of an archive again, so that an empty space becomes what the archived one was: the
//! same states, the same history, the same log. Of what was erased the log tells only that it was
//! there; it is put as a ghost and erased again.

use std::collections::{HashMap, HashSet, VecDeque};

use recalld_memory::change::{Act, Change, Effect, Stamp, Version};
use recalld_memory::conversation::{Conversation, Message};
use recalld_memory::entity::{Entity, Mention};
use recalld_memory::id::{EntityId, MemoryId};
use recalld_memory::knowledge::{Chunk, KnowledgeDocument};
use recalld_memory::record::{Record, RecordKind};

use super::contents::Contents;
use super::ghosts::{self, erasure};
use super::lines::ArchivedEvent;

/// Makes the changes that lead from nothing to what the archive holds. What the log does not tell
/// of follows at the end, stamped with `late`.
pub(super) fn changes(contents: Contents, late: &Stamp) -> Vec<Change> {
    let mut events = contents.events.clone();
    events.reverse();
    let mut stage = Stage::new(contents, &events);
    for (place, event) in events.iter().enumerate() {
        let effect = match stage.is_ghost(event, place) {
            true => stage.ghost(event),
            false => stage.real(event),
        };
        if let Some(effect) = effect {
            stage.changes.push(Change {
                stamp: event.stamp.clone(),
                effect,
            });
        }
    }
    stage.rest(late);
    stage.changes
}

/// A kind of thing and its id.
type Name = (String, String);

struct Stage {
    changes: Vec<Change>,
    /// Where in the log each thing was erased last.
    erased: HashMap<Name, usize>,
    versions: HashMap<MemoryId, VecDeque<Version>>,
    /// In the order of the archive.
    memories: Vec<MemoryId>,
    entities: HashMap<String, (Entity, VecDeque<Mention>)>,
    records: HashMap<Name, Record>,
    conversations: HashMap<String, Conversation>,
    messages: HashMap<String, Message>,
    documents: HashMap<String, (KnowledgeDocument, Vec<Chunk>)>,
    /// What was put so far and not erased since.
    standing: HashSet<Name>,
    /// What was put as it is in the archive.
    done: HashSet<Name>,
}

impl Stage {
    fn new(contents: Contents, events: &[ArchivedEvent]) -> Stage {
        let mut erased = HashMap::new();
        for (place, event) in events
            .iter()
            .enumerate()
            .filter(|(_, event)| event.verb == "erase")
        {
            erased.insert((event.kind.clone(), event.id.clone()), place);
        }
        let mut versions: HashMap<MemoryId, VecDeque<Version>> = HashMap::new();
        let mut memories = Vec::new();
        for version in contents.versions {
            let id = version.memory.id;
            versions
                .entry(id)
                .or_insert_with(|| {
                    memories.push(id);
                    VecDeque::new()
                })
                .push_back(version);
        }
        let entity = |mut entity: Entity| {
            let mentions = std::mem::take(&mut entity.mentions).into();
            (entity.id.to_string(), (entity, mentions))
        };
        let record = |record: Record| ((record.kind.as_str().to_owned(), record.name.clone()), record);
        Stage {
            changes: Vec::new(),
            erased,
            versions,
            memories,
            entities: contents.entities.into_iter().map(entity).collect(),
            records: contents.records.into_iter().map(record).collect(),
            conversations: contents
                .conversations
                .into_iter()
                .map(|one| (one.id.to_string(), one))
                .collect(),
            messages: contents
                .messages
                .into_iter()
                .map(|one| (format!("{}\n{}", one.conversation, one.id), one))
                .collect(),
            documents: contents
                .documents
                .into_iter()
                .map(|one| (one.0.id.to_string(), one))
                .collect(),
            standing: HashSet::new(),
            done: HashSet::new(),
        }
    }

    /// Tells whether what the event made was erased later.
    fn is_ghost(&self, event: &ArchivedEvent, place: usize) -> bool {
        let gone = |kind: &str, id: &str| {
            let erased = self.erased.get(&(kind.to_owned(), id.to_owned()));
            erased.is_some_and(|last| place <= *last)
        };
        let with_conversation = || {
            let conversation = event.id.split('\n').next().unwrap_or_default();
            event.kind == "message" && gone("conversation", conversation)
        };
        gone(&event.kind, &event.id) || with_conversation()
    }

    /// What the event did to something that is still there.
    fn real(&mut self, event: &ArchivedEvent) -> Option<Effect> {
        let name = (event.kind.clone(), event.id.clone());
        let effect = match event.kind.as_str() {
            "memory" => {
                let queue = self.versions.get_mut(&MemoryId::parse(&event.id).ok()?)?;
                let Version { act, memory, .. } = queue.pop_front()?;
                Effect::Memory { act, memory }
            }
            "entity" => {
                let (entity, mentions) = self.entities.get_mut(&event.id)?;
                match (event.verb.as_str(), Act::parse(&event.verb)) {
                    ("mention", _) => Effect::Mention {
                        entity: entity.id.clone(),
                        mention: mentions.pop_front()?,
                    },
                    (_, Some(act)) => Effect::Entity {
                        act,
                        entity: entity.clone(),
                    },
                    _ => return None,
                }
            }
            "conversation" => Effect::Conversation(self.conversations.get(&event.id)?.clone()),
            "message" => {
                let message = self.messages.get(&event.id)?;
                self.needs("conversation", message.conversation.as_str())?;
                Effect::Message(message.clone())
            }
            "document" => {
                let (document, chunks) = self.documents.get(&event.id)?.clone();
                Effect::Document { document, chunks }
            }
            _ => Effect::Record(self.records.get(&name)?.clone()),
        };
        self.done.insert(name.clone());
        self.standing.insert(name);
        Some(effect)
    }

    /// What the event did to something that was erased since, as far as that can be told.
    fn ghost(&mut self, event: &ArchivedEvent) -> Option<Effect> {
        let name = (event.kind.clone(), event.id.clone());
        if event.verb == "erase" {
            self.standing.remove(&name);
            return erasure(event);
        }
        let act = Act::parse(&event.verb).unwrap_or(Act::Revise);
        let effect = match event.kind.as_str() {
            "memory" => Effect::Memory {
                act,
                memory: ghosts::memory(MemoryId::parse(&event.id).ok()?, &event.stamp),
            },
            "entity" if event.verb == "mention" => {
                self.needs("entity", &event.id)?;
                Effect::Mention {
                    entity: EntityId::new(event.id.as_str()).ok()?,
                    mention: ghosts::mention(&event.stamp),
                }
            }
            "entity" => Effect::Entity {
                act,
                entity: ghosts::entity(&event.id, &event.stamp)?,
            },
            "conversation" => Effect::Conversation(ghosts::conversation(&event.id, &event.stamp)?),
            "message" => {
                let message = ghosts::message(&event.id, &event.stamp)?;
                self.needs("conversation", message.conversation.as_str())?;
                Effect::Message(message)
            }
            "document" => ghosts::document(&event.id, &event.stamp)?,
            kind => Effect::Record(Record {
                kind: RecordKind::parse(kind).filter(|kind| kind.is_audited())?,
                name: event.id.clone(),
                value: serde_json::Value::Null,
                version: 1,
                written_at: event.stamp.at,
            }),
        };
        self.standing.insert(name);
        Some(effect)
    }

    /// Goes on only if that is there already.
    fn needs(&self, kind: &str, id: &str) -> Option<()> {
        self.standing
            .contains(&(kind.to_owned(), id.to_owned()))
            .then_some(())
    }

    /// Puts what the log did not tell of.
    fn rest(&mut self, late: &Stamp) {
        let mut rest: Vec<Change> = Vec::new();
        let mut put = |stamp: &Stamp, effect| {
            rest.push(Change {
                stamp: stamp.clone(),
                effect,
            });
        };
        for id in &self.memories {
            for Version { act, memory, stamp } in self.versions.remove(id).into_iter().flatten() {
                put(&stamp, Effect::Memory { act, memory });
            }
        }
        let untold = |kind: &str, id: &str| !self.done.contains(&(kind.to_owned(), id.to_owned()));
        let mut entities: Vec<_> = self.entities.iter().collect();
        entities.sort_by_key(|(id, _)| id.as_str());
        for (id, (entity, mentions)) in entities {
            if untold("entity", id) {
                let (act, entity) = (Act::Remember, entity.clone());
                put(late, Effect::Entity { act, entity });
            }
            for mention in mentions {
                let (entity, mention) = (entity.id.clone(), mention.clone());
                put(late, Effect::Mention { entity, mention });
            }
        }
        let mut conversations: Vec<_> = self.conversations.values().collect();
        conversations.sort_by_key(|one| one.id.as_str());
        for conversation in conversations {
            if untold("conversation", conversation.id.as_str()) {
                put(late, Effect::Conversation(conversation.clone()));
            }
        }
        let mut messages: Vec<_> = self.messages.iter().collect();
        messages.sort_by_key(|(id, _)| id.as_str());
        for (id, message) in messages {
            if untold("message", id) && self.conversations.contains_key(message.conversation.as_str()) {
                put(late, Effect::Message(message.clone()));
            }
        }
        let mut records: Vec<_> = self.records.iter().collect();
        records.sort_by_key(|(name, _)| *name);
        for ((kind, name), record) in records {
            if untold(kind, name) {
                put(late, Effect::Record(record.clone()));
            }
        }
        let mut documents: Vec<_> = self.documents.iter().collect();
        documents.sort_by_key(|(id, _)| id.as_str());
        for (id, (document, chunks)) in documents {
            if untold("document", id) {
                let (document, chunks) = (document.clone(), chunks.clone());
                put(late, Effect::Document { document, chunks });
            }
        }
        self.changes.extend(rest);
    }
}
