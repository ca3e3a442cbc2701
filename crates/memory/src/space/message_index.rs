//! The messages of a space, ready to be searched.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use async_trait::async_trait;
use recalld_index::index::turns::{self, Author, Turn};
use recalld_index::index::{Bm25, Facets, Index};

use super::row_index::RowIndex;
use crate::change::Revision;
use crate::conversation::{Message, Role};
use crate::id::{ConversationId, MessageId, SpaceId};
use crate::ports::{ChangedMessages, Embedder, Store, StoreError, TextRole};
use crate::settings::Settings;
use crate::vector::{Vector, VectorKind, VectorSubject};

/// The messages of a space at one revision.
#[derive(Debug)]
pub struct MessageIndex {
    revision: Revision,
    threads: BTreeMap<ConversationId, Thread>,
    index: Index,
    embedder: Option<Arc<dyn Embedder>>,
    bytes: usize,
}

/// The messages of one conversation.
#[derive(Debug)]
struct Thread {
    /// The conversation's id, shared by the entries of the index.
    name: Arc<str>,
    by_seq: BTreeMap<u64, Arc<Message>>,
    by_id: HashMap<MessageId, u64>,
}

/// What a message costs beside its text.
const ROW_BYTES: usize = size_of::<Message>() + 200;

impl MessageIndex {
    /// An empty index.
    pub fn new(params: Bm25, embedder: Option<Arc<dyn Embedder>>) -> MessageIndex {
        let mut index = Index::new(params);
        index.use_model(embedder.as_deref().map(Embedder::model));
        MessageIndex {
            revision: Revision::default(),
            threads: BTreeMap::new(),
            index,
            embedder,
            bytes: 0,
        }
    }

    /// Gives the index. The facets of an entry hold the conversation as category, and the role as
    /// kind.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// Finds the message of an entry of the index.
    pub fn message(&self, entry: &str) -> Option<&Arc<Message>> {
        let (conversation, id) = entry.split_once('\n')?;
        let thread = self.threads.get(&ConversationId::new(conversation).ok()?)?;
        let seq = thread.by_id.get(&MessageId::new(id).ok()?)?;
        thread.by_seq.get(seq)
    }

    /// Takes over what the store reports.
    pub fn take(&mut self, changed: ChangedMessages) {
        for id in changed.erased_conversations {
            self.erase_thread(&id);
        }
        let mut changed_places: BTreeSet<(ConversationId, u64)> = BTreeSet::new();
        for (conversation, id) in changed.erased {
            if let Some(seq) = self.erase(&conversation, &id) {
                changed_places.insert((conversation, seq));
            }
        }
        for message in changed.messages {
            changed_places.insert((message.conversation.clone(), message.seq));
            self.put(message);
        }
        self.index_again(&changed_places);
        self.revision = changed.revision;
    }

    fn put(&mut self, message: Message) {
        self.erase(&message.conversation, &message.id);
        self.bytes += ROW_BYTES + message.content.as_str().len();
        let new = || Thread {
            name: message.conversation.as_str().into(),
            by_seq: BTreeMap::new(),
            by_id: HashMap::new(),
        };
        let thread = self
            .threads
            .entry(message.conversation.clone())
            .or_insert_with(new);
        thread.by_id.insert(message.id.clone(), message.seq);
        thread.by_seq.insert(message.seq, Arc::new(message));
    }

    fn erase(&mut self, conversation: &ConversationId, id: &MessageId) -> Option<u64> {
        let thread = self.threads.get_mut(conversation)?;
        let seq = thread.by_id.remove(id)?;
        if let Some(message) = thread.by_seq.remove(&seq) {
            self.bytes -= ROW_BYTES + message.content.as_str().len();
            self.index.remove(&entry(&message));
        }
        Some(seq)
    }

    fn erase_thread(&mut self, id: &ConversationId) {
        for message in self
            .threads
            .remove(id)
            .into_iter()
            .flat_map(|t| t.by_seq.into_values())
        {
            self.bytes -= ROW_BYTES + message.content.as_str().len();
            self.index.remove(&entry(&message));
        }
    }

    /// Gives messages that the model has still to make a vector of, with the text it is made of.
    pub fn without_vector(&self) -> impl Iterator<Item = (VectorSubject, String)> {
        let waiting = self.index.waiting().filter_map(|entry| self.message(entry));
        waiting.map(|message| {
            let subject = VectorSubject::Message(message.conversation.clone(), message.id.clone());
            (subject, turns::passage(&turn(message)))
        })
    }

    /// Indexes the messages at these places, and those around them, which are found by them as
    /// well.
    fn index_again(&mut self, changed_places: &BTreeSet<(ConversationId, u64)>) {
        let mut places = changed_places.clone();
        for (conversation, seq) in changed_places {
            if let Some(thread) = self.threads.get(conversation) {
                let around = thread.before(*seq).chain(thread.after(*seq));
                places.extend(around.map(|message| (conversation.clone(), message.seq)));
            }
        }
        for (conversation, seq) in &places {
            let Some(thread) = self.threads.get(conversation) else {
                continue;
            };
            if let Some(message) = thread.by_seq.get(seq).filter(|message| is_said(message)) {
                let as_before = !changed_places.contains(&(conversation.clone(), *seq));
                put(
                    &mut self.index,
                    self.embedder.as_deref(),
                    thread,
                    message,
                    as_before,
                );
            }
        }
    }
}

impl Thread {
    /// What was said just before a place, the nearest first.
    fn before(&self, seq: u64) -> impl Iterator<Item = &Arc<Message>> {
        let before = self.by_seq.range(..seq).rev().map(|(_, message)| message);
        before.filter(|message| is_said(message)).take(turns::REACH)
    }

    /// What was said just after it.
    fn after(&self, seq: u64) -> impl Iterator<Item = &Arc<Message>> {
        let after = self
            .by_seq
            .range(seq.saturating_add(1)..)
            .map(|(_, message)| message);
        after.filter(|message| is_said(message)).take(turns::REACH)
    }
}

/// Instructions to the model were not said by anybody.
fn is_said(message: &Message) -> bool {
    message.role != Role::System
}

fn turn(message: &Message) -> Turn<'_> {
    Turn {
        speaker: message.sender.as_deref(),
        text: message.content.as_str(),
        author: match message.role {
            Role::Assistant => Author::Assistant,
            Role::User | Role::System => Author::Person,
        },
    }
}

/// Puts one message in the index, as a turn among those around it. One that says what it said
/// before keeps its vector.
fn put(
    index: &mut Index,
    embedder: Option<&dyn Embedder>,
    thread: &Thread,
    message: &Message,
    as_before: bool,
) {
    let (session, at) = session_of(thread, message);
    let facets = Facets {
        category: Some(Arc::clone(&thread.name)),
        kind: Some(message.role.as_str()),
        time_ms: message.at.as_millisecond(),
        confidence: 1.0,
        ..Facets::default()
    };
    let (entry, fields) = (entry(message), turns::fields(&session, at));
    if as_before {
        index.put_with_vector_kept(&entry, &fields, facets);
    } else {
        index.put(&entry, &fields, facets);
    }
    let Some(embedder) = embedder else { return };
    if embedder.answers_at_once() {
        if let Some(vector) = blended(&session, at, |text| embedder.embed_now(text, TextRole::Passage)) {
            index.put_vector(&entry, embedder.model(), &vector);
        }
    } else if !index.has_vector(&entry) {
        let provisional = blended(&session, at, |text| embedder.provisional(text));
        index.wait_for_vector(&entry, embedder.model(), provisional.as_deref());
    }
}

/// The vector of a turn with a little of those around it.
fn blended(session: &[Turn], at: usize, vector: impl Fn(&str) -> Option<Vec<f32>>) -> Option<Vec<f32>> {
    let vectors: Vec<Option<Vec<f32>>> = session.iter().map(|turn| vector(&turns::passage(turn))).collect();
    turns::blend(&vectors, at)
}

/// A message and what was said around it, in order, and its own place.
fn session_of<'t>(thread: &'t Thread, message: &'t Message) -> (Vec<Turn<'t>>, usize) {
    let mut session: Vec<Turn> = thread.before(message.seq).map(|near| turn(near)).collect();
    session.reverse();
    let at = session.len();
    session.push(turn(message));
    session.extend(thread.after(message.seq).map(|near| turn(near)));
    (session, at)
}

/// Names a message in the index: the two ids, joined by what neither can hold.
fn entry(message: &Message) -> String {
    format!("{}\n{}", message.conversation, message.id)
}

#[async_trait]
impl RowIndex for MessageIndex {
    type Changed = ChangedMessages;

    const KIND: VectorKind = VectorKind::Message;

    fn empty(settings: &Settings, embedder: Option<Arc<dyn Embedder>>) -> MessageIndex {
        MessageIndex::new(settings.bm25(), embedder)
    }

    fn revision(&self) -> Revision {
        self.revision
    }

    async fn changed(
        store: &dyn Store,
        space: &SpaceId,
        since: Revision,
    ) -> Result<ChangedMessages, StoreError> {
        store.messages_since(space, since).await
    }

    fn entries(&self) -> usize {
        self.index.len()
    }

    fn rows_of(changed: &ChangedMessages) -> usize {
        changed.messages.len() + changed.erased.len()
    }

    fn revision_of(changed: &ChangedMessages) -> Revision {
        changed.revision
    }

    fn catch_up(&mut self, changed: ChangedMessages) {
        self.take(changed);
    }

    fn put_vector(&mut self, vector: &Vector) {
        let VectorSubject::Message(conversation, id) = &vector.subject else {
            return;
        };
        let entry = format!("{conversation}\n{id}");
        let known = self.message(&entry).map(Arc::clone);
        let current =
            known.filter(|known| Vector::digest_of(&turns::passage(&turn(known))) == vector.text_digest);
        let Some(message) = current else { return };
        let mut components = vector.components.clone();
        // What is made at once is made of the turns around it, too.
        if let (Some(thread), Some(embedder)) = (self.threads.get(conversation), &self.embedder) {
            let (session, at) = session_of(thread, &message);
            if let Some(around) = blended(&session, at, |text| embedder.provisional(text)) {
                components = embedder.with_provisional(components, &around);
            }
        }
        self.index.put_vector(&entry, &vector.model, &components);
    }

    fn bytes(&self) -> usize {
        self.index.bytes() + self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conversation::MessageText;

    fn message(conversation: &str, seq: u64, text: &str) -> Message {
        Message {
            conversation: ConversationId::new(conversation).unwrap(),
            id: MessageId::new(format!("m{seq}")).unwrap(),
            seq,
            role: Role::User,
            content: MessageText::new(text.to_owned()).unwrap(),
            sender: None,
            at: jiff::Timestamp::UNIX_EPOCH,
            metadata: None,
        }
    }

    fn found(messages: &MessageIndex, query: &str) -> Vec<String> {
        let hits = messages.index().search(query, &|_| true, 10);
        let said = hits.iter().filter_map(|hit| messages.message(&hit.id));
        said.map(|message| format!("{} {}", message.conversation, message.id))
            .collect()
    }

    fn said(messages: Vec<Message>) -> ChangedMessages {
        ChangedMessages {
            messages,
            ..ChangedMessages::default()
        }
    }

    #[test]
    fn what_is_erased_or_replaced_is_no_longer_found_and_weighs_nothing() {
        let mut messages = MessageIndex::new(Bm25::default(), None);
        messages.take(said(vec![
            message("a", 1, "the ferry leaves at nine"),
            message("a", 2, "fine"),
            message("b", 1, "the ferry is late"),
        ]));
        assert_eq!(found(&messages, "ferry"), ["b m1", "a m1", "a m2"]);
        messages.take(said(vec![message("b", 1, "the train is late")]));
        assert_eq!(found(&messages, "ferry"), ["a m1", "a m2"]);
        messages.take(ChangedMessages {
            erased: vec![(ConversationId::new("a").unwrap(), MessageId::new("m1").unwrap())],
            erased_conversations: vec![ConversationId::new("b").unwrap()],
            ..ChangedMessages::default()
        });
        assert_eq!(found(&messages, "ferry train"), Vec::<String>::new());
        assert_eq!(messages.bytes, ROW_BYTES + "fine".len());
    }

    #[test]
    fn what_was_said_around_a_message_is_what_it_is_found_by_too() {
        let mut messages = MessageIndex::new(Bm25::default(), None);
        messages.take(said(vec![message("a", 1, "which pier?")]));
        messages.take(said(vec![
            message("a", 2, "the third one"),
            message("a", 3, "thanks"),
            message("a", 4, "bye"),
        ]));
        assert_eq!(found(&messages, "pier"), ["a m1", "a m2", "a m3"]);
        messages.take(said(vec![message("a", 2, "the second one")]));
        assert_eq!(found(&messages, "third"), Vec::<String>::new());
    }

    #[test]
    fn a_vector_stays_while_the_message_says_the_same() {
        let model = recalld_index::model::EmbeddingModel {
            name: "slow".to_owned(),
            dimension: 2,
        };
        let mut messages = MessageIndex::new(Bm25::default(), None);
        messages.index.use_model(Some(&model));
        messages.take(said(vec![message("a", 1, "which pier?")]));
        let vector = Vector {
            subject: VectorSubject::Message(ConversationId::new("a").unwrap(), MessageId::new("m1").unwrap()),
            model: model.clone(),
            text_digest: Vector::digest_of("which pier?"),
            components: vec![1.0, 0.0],
        };
        messages.put_vector(&vector);
        messages.take(said(vec![message("a", 2, "the third one")]));
        assert_eq!(messages.index.vectors(), 1, "a neighbour came");
        messages.take(said(vec![message("a", 1, "which quay?")]));
        assert_eq!(messages.index.vectors(), 0);
        messages.put_vector(&vector);
        assert_eq!(messages.index.vectors(), 0, "it is of the older text");
    }

    #[test]
    fn instructions_to_the_model_are_not_found() {
        let mut messages = MessageIndex::new(Bm25::default(), None);
        let instructions = Message {
            role: Role::System,
            ..message("a", 1, "answer briefly")
        };
        messages.take(said(vec![instructions]));
        assert_eq!(found(&messages, "briefly"), Vec::<String>::new());
    }
}
