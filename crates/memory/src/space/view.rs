//! What this process knows of a space: rows, look-ups and the index, folded forward change by
//! change.

mod held_records;
mod known;
mod lookups;
mod meaning;
mod statements;
mod versions;
mod wishes;

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, OnceLock};

use recalld_index::index::{Facets, Field, Index, Snapshot};

use super::facts::Facts;
use crate::change::{Change, Effect, Revision};
use crate::conversation::Conversation;
use crate::document::{Document, Ledger};
use crate::entity::{Entity, EntityKind};
use crate::id::{ConversationId, EntityId, MemoryId};
use crate::lens::Lens;
use crate::memory::{Memory, Project};
use crate::policy::wishes::Bearing;
use crate::ports::{Changed, Embedder};
use crate::record::{Record, RecordKind};
use crate::settings::Settings;
use crate::vector::Vector;
use statements::Statements;

pub(super) use known::{Marked, SNAPSHOT_MIN, VERSION, digest_of};
pub(crate) use lookups::{fingerprints, named_in};

/// The rows of a space at one revision, with what makes them quick to find.
#[derive(Debug)]
pub struct SpaceView {
    revision: Revision,
    /// Whether changes were folded that lead to a revision which was not moved on to yet.
    ahead: bool,
    /// Whether the store has not yet said that the revision is the one of these changes: until then
    /// another server may have given the same number to others.
    is_unconfirmed: bool,
    pub(super) memories: BTreeMap<MemoryId, Arc<Memory>>,
    /// Active memories by project and folded key, see [`named_in`].
    by_key: HashMap<String, MemoryId>,
    by_statement: Statements,
    entities: BTreeMap<EntityId, Arc<Entity>>,
    records: BTreeMap<(RecordKind, String), Arc<Record>>,
    conversations: BTreeMap<ConversationId, Arc<Conversation>>,
    index: Index,
    embedder: Option<Arc<dyn Embedder>>,
    /// Made when first needed: a search does not wait for the token tables.
    ledger: OnceLock<Ledger>,
    /// Made when first needed: to read what every memory is about takes a while.
    facts: OnceLock<Facts>,
    /// Made when first needed, too: the standing wishes among the memories.
    wishes: OnceLock<BTreeMap<MemoryId, Bearing>>,
    /// The most tokens of the document, whatever is stored as part of it.
    document_tokens_max: usize,
    pub(super) text_bytes: usize,
    /// How much was worked out since the last snapshot.
    worked_out: AtomicUsize,
}

/// What a row costs beside its text: the row itself, map entries, ids.
const ROW_BYTES: usize = size_of::<Memory>() + 160;

impl SpaceView {
    /// A space that holds nothing.
    pub fn empty(settings: &Settings) -> SpaceView {
        SpaceView {
            revision: Revision::default(),
            ahead: false,
            is_unconfirmed: false,
            memories: BTreeMap::new(),
            by_key: HashMap::new(),
            by_statement: Statements::default(),
            entities: BTreeMap::new(),
            records: BTreeMap::new(),
            conversations: BTreeMap::new(),
            index: Index::new(settings.bm25()),
            embedder: None,
            ledger: OnceLock::new(),
            facts: OnceLock::new(),
            wishes: OnceLock::new(),
            document_tokens_max: settings.document_tokens_max,
            text_bytes: 0,
            worked_out: AtomicUsize::new(0),
        }
    }

    /// Adds a model for search by meaning. What a model that answers at once makes of the memories
    /// is made here; the vectors of one that takes its time come through [`SpaceView::put_vector`].
    pub fn with_embedder(mut self, embedder: Option<Arc<dyn Embedder>>) -> SpaceView {
        self.index.use_model(embedder.as_deref().map(Embedder::model));
        self.embedder = embedder;
        let ids: Vec<MemoryId> = self.memories.keys().copied().collect();
        ids.into_iter().for_each(|id| self.embed(id));
        self
    }

    /// Gives the model for search by meaning.
    pub fn embedder(&self) -> Option<&dyn Embedder> {
        self.embedder.as_deref()
    }

    /// Tells how far the view has come.
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// Tells whether it is at `revision` and nothing was written since, not even by those who
    /// decided in the same write.
    pub fn is_at(&self, revision: Revision) -> bool {
        self.revision == revision && !self.ahead
    }

    /// Gives back the room that was kept for more: most spaces that are read are not written to
    /// before they are let go.
    pub(super) fn shrink(&mut self) {
        self.index.shrink();
        self.by_key.shrink_to_fit();
    }

    /// Estimates the bytes it holds.
    pub fn bytes(&self) -> usize {
        let rows = self.memories.len() + self.entities.len() + self.records.len() + self.conversations.len();
        self.index.bytes() + self.text_bytes + rows * ROW_BYTES
    }

    /// Finds a memory by id, whatever its standing.
    pub fn memory(&self, id: MemoryId) -> Option<&Arc<Memory>> {
        self.memories.get(&id)
    }

    /// Tells whether all memories have been read for what they say.
    pub(super) fn has_statements(&self) -> bool {
        self.by_statement.are_read()
    }

    /// Gives all memories in the order of their ids, retired and expired ones too.
    pub fn memories(&self) -> impl DoubleEndedIterator<Item = &Arc<Memory>> {
        self.memories.values()
    }

    /// Gives the memories that are seen and shown.
    pub fn current<'v>(&'v self, lens: Lens<'v>) -> impl DoubleEndedIterator<Item = &'v Arc<Memory>> {
        self.memories.values().filter(move |memory| lens.shows(memory))
    }

    /// Finds an entity by id, retired or not.
    pub fn entity(&self, id: &EntityId) -> Option<&Arc<Entity>> {
        self.entities.get(id)
    }

    /// Gives the entities that are shown.
    pub fn entities(&self) -> impl Iterator<Item = &Arc<Entity>> {
        self.entities.values().filter(|entity| !entity.retired)
    }

    /// Gives all entities in the order of their ids, retired ones too.
    pub fn every_entity(&self) -> impl Iterator<Item = &Arc<Entity>> {
        self.entities.values()
    }

    /// Finds a record that is held with the space.
    pub fn record(&self, kind: RecordKind, name: &str) -> Option<&Arc<Record>> {
        // The look-up needs a copy of the name, and most users have no records.
        match self.records.is_empty() {
            true => None,
            false => self.records.get(&(kind, name.to_owned())),
        }
    }

    /// Gives the records of one kind in the order of their names.
    pub fn records(&self, kind: RecordKind) -> impl Iterator<Item = &Arc<Record>> {
        self.records.values().filter(move |record| record.kind == kind)
    }

    /// Finds a conversation.
    pub fn conversation(&self, id: &ConversationId) -> Option<&Arc<Conversation>> {
        self.conversations.get(id)
    }

    /// Gives the conversations in the order of their ids.
    pub fn conversations(&self) -> impl Iterator<Item = &Arc<Conversation>> {
        self.conversations.values()
    }

    /// Gives the index over the active memories.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// Returns the memory document as it stands, within its cap: what of it is seen.
    pub fn document(&self, lens: Lens<'_>) -> Document {
        let ledger = self.ledger();
        let is_part = |memory: &&Arc<Memory>| memory.in_document && lens.sees(memory);
        let facts = self.memories.values().filter(is_part);
        let mut facts: Vec<Arc<Memory>> = facts.filter(|fact| ledger.has_fact(fact)).cloned().collect();
        facts.sort_by_key(|fact| (fact.learned_at, fact.id));
        let places = self.places().filter(|place| ledger.has_place(place));
        let mut places: Vec<Arc<Entity>> = places.cloned().collect();
        places.sort_by(|a, b| (a.added_at, &a.id).cmp(&(b.added_at, &b.id)));
        Document { facts, places }
    }

    /// Gives the token account of the document.
    pub fn ledger(&self) -> &Ledger {
        self.ledger.get_or_init(|| {
            let mut ledger = Ledger::default();
            self.memories
                .values()
                .filter(|memory| memory.in_document)
                .for_each(|fact| ledger.put_fact(fact));
            self.places().for_each(|place| ledger.put_place(place));
            ledger.postpone_evictions(self.document_tokens_max);
            ledger
        })
    }

    /// The token account of the document, for whoever decides what leaves it.
    pub(super) fn ledger_mut(&mut self) -> &mut Ledger {
        self.ledger();
        self.ledger.get_mut().expect("the line above makes it")
    }

    fn places(&self) -> impl Iterator<Item = &Arc<Entity>> {
        self.entities().filter(|entity| belongs_to_document(entity))
    }

    /// Takes over what the store reports, and what a model that takes its time made of it. A memory
    /// whose vector is there is not given one that stands in for it.
    pub fn catch_up(&mut self, changed: Changed, vectors: &[Vector]) {
        self.catch_up_with(changed, vectors, None);
    }

    /// The same with what is known already of some texts.
    pub(super) fn catch_up_with(
        &mut self,
        changed: Changed,
        vectors: &[Vector],
        mut known: Option<Snapshot>,
    ) {
        changed
            .erased_memories
            .into_iter()
            .for_each(|id| self.erase_memory(id));
        changed
            .erased_entities
            .iter()
            .for_each(|id| self.erase_entity(id));
        let put = changed
            .memories
            .into_iter()
            .filter_map(|memory| self.put_row(memory, known.as_mut()));
        let found_anew: Vec<MemoryId> = put.collect();
        vectors.iter().for_each(|vector| self.put_vector(vector));
        found_anew.into_iter().for_each(|id| self.embed(id));
        changed
            .entities
            .into_iter()
            .for_each(|entity| self.put_entity(entity));
        for (kind, name) in &changed.erased_records {
            self.erase_record(*kind, name);
        }
        changed
            .records
            .into_iter()
            .for_each(|record| self.put_record(record));
        changed
            .erased_conversations
            .iter()
            .for_each(|id| self.erase_conversation(id));
        changed
            .conversations
            .into_iter()
            .for_each(|conversation| self.put_conversation(conversation));
        self.revision = changed.revision;
        self.is_unconfirmed = false;
        self.ahead = false;
        self.postpone_evictions();
    }

    /// Brings the document within its cap in this process, where nothing can be written. The next
    /// write stores it.
    pub(super) fn postpone_evictions(&mut self) {
        let cap = self.document_tokens_max;
        if let Some(ledger) = self.ledger.get_mut() {
            ledger.postpone_evictions(cap);
        }
    }

    /// Takes over a write of this process, which leads to the next revision.
    pub fn fold(&mut self, changes: &[Change]) {
        self.ahead |= !changes.is_empty();
        for change in changes {
            match &change.effect {
                Effect::Memory { memory, .. } => self.put_memory(memory.clone()),
                Effect::EraseMemory { id } => self.erase_memory(*id),
                Effect::Entity { entity, .. } => {
                    let mentions = self.entities.get(&entity.id).map(|known| known.mentions.clone());
                    self.put_entity(Entity {
                        mentions: mentions.unwrap_or_default(),
                        ..entity.clone()
                    });
                }
                Effect::Mention { entity, mention } => {
                    if let Some(known) = self.entities.get(entity) {
                        let mut known = Entity::clone(known);
                        known.mentions.push(mention.clone());
                        self.put_entity(known);
                    }
                }
                Effect::EraseEntity { id } => self.erase_entity(id),
                Effect::Record(record) => self.put_record(record.clone()),
                Effect::EraseRecord { kind, name } => self.erase_record(*kind, name),
                Effect::Conversation(conversation) => self.put_conversation(conversation.clone()),
                Effect::EraseConversation { id } => self.erase_conversation(id),
                // Held in indexes of their own, which read what changed from the store.
                Effect::Message(_)
                | Effect::EraseMessage { .. }
                | Effect::Document { .. }
                | Effect::EraseDocument { .. } => {}
                Effect::Vector(vector) => self.put_vector(vector),
            }
        }
    }

    /// Takes over the number that the store has given to the revision.
    pub(super) fn arrive(&mut self, revision: Revision) {
        self.revision = revision;
        self.is_unconfirmed = false;
    }

    /// Moves on to the revision that the changes just folded lead to.
    pub fn advance(&mut self) {
        self.revision = self.revision.next();
        self.ahead = false;
        self.is_unconfirmed = true;
    }

    /// Tells whether its last changes are on their way to the store.
    pub(super) fn is_unconfirmed(&self) -> bool {
        self.is_unconfirmed
    }

    fn put_memory(&mut self, memory: Memory) {
        if let Some(id) = self.put_row(memory, None) {
            self.embed(id);
        }
    }

    /// Puts a memory, and gives its id if it has to be embedded.
    fn put_row(&mut self, memory: Memory, known: Option<&mut Snapshot>) -> Option<MemoryId> {
        let before = self.memories.get(&memory.id);
        let found_before = before.is_some_and(|before| is_found_alike(before, &memory));
        if !found_before {
            self.put_lookups(&memory, known);
        }
        if let Some(ledger) = self.ledger.get_mut() {
            if let Some(known) = self.memories.get(&memory.id) {
                ledger.remove_fact(known.learned_at, known.id);
            }
            if memory.in_document {
                ledger.put_fact(&memory);
            }
        }
        let id = memory.id;
        if let Some(facts) = self.facts.get_mut()
            && !found_before
        {
            facts.put(&memory);
        }
        self.note_wish(&memory);
        self.memories.insert(id, Arc::new(memory));
        (!found_before).then_some(id)
    }

    /// Makes a memory findable as it is now, and no longer as it was.
    fn put_lookups(&mut self, memory: &Memory, known: Option<&mut Snapshot>) {
        let before = self.memories.get(&memory.id);
        let said_before = before.is_some_and(|before| before.content == memory.content);
        self.forget_lookups(memory.id);
        self.text_bytes += memory.content.as_str().len();
        let id = memory.id.to_string();
        if !memory.is_active() {
            self.index.remove(&id);
            return;
        }
        if let Some(key) = &memory.key {
            let name = named_in(memory.project.as_ref(), key.folded());
            self.by_key.insert(name, memory.id);
        }
        self.by_statement.put(memory);
        if let Some(known) = known
            && self.put_known(&id, memory, known)
        {
            return;
        }
        self.count_work();
        let key = memory.key.as_ref().map_or("", |key| key.as_str());
        let fields = [Field::main(memory.content.as_str()), Field::main(key)];
        if said_before {
            self.index.put_with_vector_kept(&id, &fields, facets(memory));
        } else {
            self.index.put(&id, &fields, facets(memory));
        }
    }

    fn erase_memory(&mut self, id: MemoryId) {
        self.forget_lookups(id);
        self.lose_snapshot();
        self.index.remove(&id.to_string());
        if let Some(facts) = self.facts.get_mut() {
            facts.remove(id);
        }
        self.forget_wish(id);
        if let (Some(memory), Some(ledger)) = (self.memories.remove(&id), self.ledger.get_mut()) {
            ledger.remove_fact(memory.learned_at, id);
        }
    }

    /// Takes out what was derived from the earlier state of a memory.
    fn forget_lookups(&mut self, id: MemoryId) {
        let Some(known) = self.memories.get(&id) else {
            return;
        };
        self.text_bytes -= known.content.as_str().len();
        // Another memory may have taken over the key or statement of one that expired.
        let project = known.project.as_ref();
        let key = known.key.as_ref().map(|key| named_in(project, key.folded()));
        if let Some(key) = key.filter(|key| self.by_key.get(key) == Some(&id)) {
            self.by_key.remove(&key);
        }
        self.by_statement.forget(known);
    }

    fn put_entity(&mut self, entity: Entity) {
        if let Some(ledger) = self.ledger.get_mut() {
            if let Some(known) = self.entities.get(&entity.id) {
                ledger.remove_place(known.added_at, &known.id);
            }
            if belongs_to_document(&entity) && !entity.retired {
                ledger.put_place(&entity);
            }
        }
        self.entities.insert(entity.id.clone(), Arc::new(entity));
    }

    fn put_conversation(&mut self, conversation: Conversation) {
        self.conversations
            .insert(conversation.id.clone(), Arc::new(conversation));
    }

    fn erase_conversation(&mut self, id: &ConversationId) {
        self.conversations.remove(id);
    }

    fn erase_entity(&mut self, id: &EntityId) {
        if let (Some(entity), Some(ledger)) = (self.entities.remove(id), self.ledger.get_mut()) {
            ledger.remove_place(entity.added_at, id);
        }
    }
}

fn belongs_to_document(entity: &Entity) -> bool {
    entity.kind == EntityKind::Place && entity.in_document
}

/// Tells whether one state of a memory is found by whatever finds the other: what a cap evicts, for
/// one.
fn is_found_alike(a: &Memory, b: &Memory) -> bool {
    let active = a.is_active() && b.is_active();
    active && a.content == b.content && a.key == b.key && a.project == b.project && facets(a) == facets(b)
}

fn facets(memory: &Memory) -> Facets {
    Facets {
        category: Some(memory.category.shared()),
        project: memory.project.as_ref().map(Project::shared),
        tier: Some(memory.tier.as_str()),
        kind: None,
        confidence: memory.confidence.value() as f32,
        time_ms: memory.learned_at.as_millisecond(),
        expires_ms: memory.expires_at.map(|end| end.as_millisecond()),
    }
}
