//! Replays the log of an archive, so that an empty space becomes what the archived one was: the
//! same states, the same history, the same log. Of what was erased the log says only that it was
//! there; a placeholder is stored and erased again.

use std::collections::HashMap;
use std::io;
use std::sync::Arc;

use recalld_memory::change::{Act, Change, Effect, Stamp, Version};
use recalld_memory::entity::Entity;
use recalld_memory::id::{EntityId, MemoryId};
use recalld_memory::record::{Record, RecordKind};

use super::kind::{Kind, hash, message_id, record_id};
use super::lines::ArchivedEvent;
use super::placeholder::{self, erasure};
use super::staged::{BATCH_BYTES, BATCH_ITEMS, Staged};

/// The changes that lead from nothing to what the archive holds, made batch by batch.
pub(super) struct Replay {
    staged: Arc<Staged>,
    /// The stamp of what the log does not mention; that comes last.
    late: Stamp,
    /// How many events are left. The log has the newest first.
    events_left: usize,
    rest: Rest,
    /// When in the log each thing was erased last, as the number of the event.
    erased: HashMap<u64, u32>,
    /// The groups of versions in the order of their ids, and how many versions of each are stored.
    groups: Vec<u32>,
    versions_done: Vec<u32>,
    /// How many mentions of each entity are stored.
    mentions_done: HashMap<u32, u32>,
    latest_entity: Option<(usize, Entity)>,
    states: HashMap<u64, State>,
    placed: u64,
    /// The marks of categories of the profile that were imported, by their names.
    marks: HashMap<String, Effect>,
}

/// What is known about a thing that the log mentions.
#[derive(Clone, Copy, Debug, Default)]
struct State {
    /// It was stored, and not erased since.
    is_there: bool,
    /// It was stored as it is in the archive.
    is_done: bool,
}

/// What is looked at next among the things that the log may not mention.
#[derive(Clone, Copy, Debug, Default)]
struct Rest {
    kind: usize,
    index: usize,
}

impl Replay {
    pub(super) fn new(staged: Arc<Staged>, late: Stamp) -> io::Result<Replay> {
        let events = staged.count(Kind::Event);
        let mut erased = HashMap::new();
        for number in 0..events {
            let event = staged.event(number)?;
            if event.verb == "erase" {
                // The newest comes first, and is the last of them.
                let name = hash_of(&staged, &event.kind, &event.id);
                erased.entry(name).or_insert(number as u32);
            }
        }
        let mut groups: Vec<u32> = (0..staged.groups.len() as u32).collect();
        groups.sort_unstable_by_key(|group| staged.groups[*group as usize].id);
        Ok(Replay {
            versions_done: vec![0; staged.groups.len()],
            events_left: events,
            groups,
            erased,
            late,
            rest: Rest::default(),
            mentions_done: HashMap::new(),
            latest_entity: None,
            states: HashMap::new(),
            placed: 0,
            marks: HashMap::new(),
            staged,
        })
    }

    /// Counts the things that are stored as they are in the archive.
    pub(super) fn placed(&self) -> u64 {
        self.placed
    }

    /// Makes the next changes; none when all are made.
    pub(super) fn batch(&mut self) -> io::Result<Vec<Change>> {
        let (mut changes, mut bytes) = (Vec::new(), 0);
        while changes.len() < BATCH_ITEMS && bytes < BATCH_BYTES {
            if let Some(number) = self.events_left.checked_sub(1) {
                self.events_left = number;
                let event = self.staged.event(number)?;
                let effect = match self.is_erased_later(&event, number) {
                    true => self.placeholder(&event),
                    false => self.real(&event, &mut bytes)?,
                };
                let stamp = event.stamp;
                changes.extend(effect.map(|effect| Change { stamp, effect }));
            } else if !self.put_rest(&mut changes, &mut bytes)? {
                let marks = std::mem::take(&mut self.marks);
                changes.extend(marks.into_values().map(|mark| self.late(mark)));
                break;
            }
        }
        self.note_marks(&changes);
        Ok(changes)
    }

    /// Notes the marks of what nobody vouches for. They come last, so that no event of the archive
    /// erases them.
    fn note_marks(&mut self, changes: &[Change]) {
        let marks = changes.iter().filter_map(|change| match &change.effect {
            Effect::Record(record) => Some((record.name.clone(), self.staged.signature.mark(record)?)),
            _ => None,
        });
        self.marks.extend(marks);
    }

    /// Tells whether what the event made was erased later.
    fn is_erased_later(&self, event: &ArchivedEvent, number: usize) -> bool {
        let gone = |kind: &str, id: &str| {
            let erased = self.erased.get(&hash_of(&self.staged, kind, id));
            erased.is_some_and(|last| *last as usize <= number)
        };
        let with_conversation = || {
            let conversation = event.id.split('\n').next().unwrap_or_default();
            event.kind == "message" && gone("conversation", conversation)
        };
        gone(&event.kind, &event.id) || with_conversation()
    }

    /// What the event did to something that is still there.
    fn real(&mut self, event: &ArchivedEvent, bytes: &mut usize) -> io::Result<Option<Effect>> {
        let staged = Arc::clone(&self.staged);
        let effect = match event.kind.as_str() {
            "memory" => self.next_version(&event.id, bytes)?,
            "entity" => self.entity(event, bytes)?,
            kind => {
                let (known, id) = match kind {
                    "conversation" => (Kind::Conversation, event.id.clone()),
                    "message" => (Kind::Message, event.id.clone()),
                    "document" => (Kind::Document, event.id.clone()),
                    kind => (Kind::Record, record_id(kind, &event.id)),
                };
                let Some(index) = staged.find(known, &id) else {
                    return Ok(None);
                };
                *bytes += staged.length(known, index);
                match known {
                    Kind::Conversation => Some(Effect::Conversation(staged.conversation(index)?)),
                    Kind::Message => {
                        let message = staged.message(index)?;
                        let is_there = self.is_there("conversation", message.conversation.as_str());
                        is_there.then_some(Effect::Message(message))
                    }
                    Kind::Document => {
                        let (document, chunks) = staged.document(index)?;
                        Some(Effect::Document { document, chunks })
                    }
                    _ => Some(Effect::Record(staged.record(index)?)),
                }
            }
        };
        // Memories are counted version by version.
        if effect.is_some() && event.kind != "memory" {
            self.note_done(&event.kind, &event.id);
        }
        Ok(effect)
    }

    /// The next version of a memory.
    fn next_version(&mut self, id: &str, bytes: &mut usize) -> io::Result<Option<Effect>> {
        let Ok(id) = MemoryId::parse(id) else {
            return Ok(None);
        };
        let by_id = |group: &u32| self.staged.groups[*group as usize].id;
        let Ok(at) = self.groups.binary_search_by_key(&id, by_id) else {
            return Ok(None);
        };
        let number = self.groups[at] as usize;
        Ok(self.version(number, bytes)?.map(|change| change.effect))
    }

    /// The next version of the memory of that number, with its own stamp.
    fn version(&mut self, number: usize, bytes: &mut usize) -> io::Result<Option<Change>> {
        let group = self.staged.groups[number];
        let done = self.versions_done[number];
        if done == group.count {
            return Ok(None);
        }
        let at = (group.first + done) as usize;
        *bytes += self.staged.length(Kind::Memory, at);
        self.versions_done[number] += 1;
        self.placed += u64::from(done == 0);
        let Version { act, memory, stamp } = self.staged.version(at)?;
        Ok(Some(Change {
            stamp,
            effect: Effect::Memory { act, memory },
        }))
    }

    fn entity(&mut self, event: &ArchivedEvent, bytes: &mut usize) -> io::Result<Option<Effect>> {
        let Some(index) = self.staged.find(Kind::Entity, &event.id) else {
            return Ok(None);
        };
        *bytes += self.staged.length(Kind::Entity, index);
        // Mentions of one entity often follow each other.
        if self
            .latest_entity
            .as_ref()
            .is_none_or(|(known, _)| *known != index)
        {
            self.latest_entity = Some((index, self.staged.entity(index)?));
        }
        let Some((_, entity)) = &self.latest_entity else {
            return Ok(None);
        };
        if event.verb != "mention" {
            let entity = Entity {
                mentions: Vec::new(),
                ..entity.clone()
            };
            return Ok(Act::parse(&event.verb).map(|act| Effect::Entity { act, entity }));
        }
        let done = self.mentions_done.entry(index as u32).or_default();
        let mention = entity.mentions.get(*done as usize).cloned();
        *done += 1;
        Ok(mention.map(|mention| Effect::Mention {
            entity: entity.id.clone(),
            mention,
        }))
    }

    /// What the event did to something that was erased since, as far as that can be known.
    fn placeholder(&mut self, event: &ArchivedEvent) -> Option<Effect> {
        let name = hash_of(&self.staged, &event.kind, &event.id);
        if event.verb == "erase" {
            self.states.entry(name).or_default().is_there = false;
            return erasure(event);
        }
        let act = Act::parse(&event.verb).unwrap_or(Act::Revise);
        let effect = match event.kind.as_str() {
            "memory" => Effect::Memory {
                act,
                memory: placeholder::memory(MemoryId::parse(&event.id).ok()?, &event.stamp),
            },
            "entity" if event.verb == "mention" => {
                let is_there = self.is_there("entity", &event.id);
                is_there.then_some(())?;
                Effect::Mention {
                    entity: EntityId::new(event.id.as_str()).ok()?,
                    mention: placeholder::mention(&event.stamp),
                }
            }
            "entity" => Effect::Entity {
                act,
                entity: placeholder::entity(&event.id, &event.stamp)?,
            },
            "conversation" => Effect::Conversation(placeholder::conversation(&event.id, &event.stamp)?),
            "message" => {
                let message = placeholder::message(&event.id, &event.stamp)?;
                let is_there = self.is_there("conversation", message.conversation.as_str());
                is_there.then_some(Effect::Message(message))?
            }
            "document" => placeholder::document(&event.id, &event.stamp)?,
            kind => Effect::Record(Record {
                kind: RecordKind::parse(kind).filter(|kind| kind.is_audited())?,
                name: event.id.clone(),
                value: serde_json::Value::Null,
                version: 1,
                written_at: event.stamp.at,
            }),
        };
        self.states.entry(name).or_default().is_there = true;
        Some(effect)
    }

    fn is_there(&self, kind: &str, id: &str) -> bool {
        let state = self.states.get(&hash_of(&self.staged, kind, id));
        state.is_some_and(|state| state.is_there)
    }

    fn is_done(&self, kind: &str, id: &str) -> bool {
        let state = self.states.get(&hash_of(&self.staged, kind, id));
        state.is_some_and(|state| state.is_done)
    }

    fn note_done(&mut self, kind: &str, id: &str) {
        let name = hash_of(&self.staged, kind, id);
        let state = self.states.entry(name).or_default();
        self.placed += u64::from(!state.is_done);
        *state = State {
            is_there: true,
            is_done: true,
        };
    }

    /// Stores the next thing of which something is not in the log; nothing when none is left.
    fn put_rest(&mut self, changes: &mut Vec<Change>, bytes: &mut usize) -> io::Result<bool> {
        let Some(kind) = Kind::STORED.get(self.rest.kind).copied() else {
            return Ok(false);
        };
        let index = self.rest.index;
        if self.staged.count(kind) <= index {
            self.rest = Rest {
                kind: self.rest.kind + 1,
                index: 0,
            };
            return Ok(true);
        }
        let staged = Arc::clone(&self.staged);
        if kind == Kind::Memory {
            match self.version(index, bytes)? {
                Some(change) => changes.push(change),
                None => self.rest.index += 1,
            }
            return Ok(true);
        }
        self.rest.index += 1;
        let (kind_name, id, effect) = match kind {
            Kind::Entity => return self.rest_of_entity(index, changes, bytes).map(|()| true),
            Kind::Conversation => {
                let conversation = staged.conversation(index)?;
                let id = conversation.id.to_string();
                ("conversation".to_owned(), id, Effect::Conversation(conversation))
            }
            Kind::Message => {
                let message = staged.message(index)?;
                let id = message_id(&message);
                ("message".to_owned(), id, Effect::Message(message))
            }
            Kind::Record => {
                let record = staged.record(index)?;
                (
                    record.kind.as_str().to_owned(),
                    record.name.clone(),
                    Effect::Record(record),
                )
            }
            Kind::Memory | Kind::Document | Kind::Event => {
                let (document, chunks) = staged.document(index)?;
                let id = document.id.to_string();
                ("document".to_owned(), id, Effect::Document { document, chunks })
            }
        };
        if !self.is_done(&kind_name, &id) {
            *bytes += staged.length(kind, index);
            self.note_done(&kind_name, &id);
            changes.push(self.late(effect));
        }
        Ok(true)
    }

    fn rest_of_entity(
        &mut self,
        index: usize,
        changes: &mut Vec<Change>,
        bytes: &mut usize,
    ) -> io::Result<()> {
        *bytes += self.staged.length(Kind::Entity, index);
        let mut entity = self.staged.entity(index)?;
        let mentions = std::mem::take(&mut entity.mentions);
        let (id, name) = (entity.id.clone(), entity.id.to_string());
        if !self.is_done("entity", &name) {
            self.note_done("entity", &name);
            let act = Act::Remember;
            changes.push(self.late(Effect::Entity { act, entity }));
        }
        let done = self.mentions_done.get(&(index as u32)).copied().unwrap_or(0);
        for mention in mentions.into_iter().skip(done as usize) {
            let entity = id.clone();
            changes.push(self.late(Effect::Mention { entity, mention }));
        }
        Ok(())
    }

    fn late(&self, effect: Effect) -> Change {
        Change {
            stamp: self.late.clone(),
            effect,
        }
    }
}

/// Hashes the name that the log has for a thing: its kind and id.
fn hash_of(staged: &Staged, kind: &str, id: &str) -> u64 {
    hash(&staged.hashes, Kind::Event, &record_id(kind, id))
}
