//! The messages of a space, ready to be searched.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use async_trait::async_trait;

use super::shelf::Shelf;
use crate::change::Revision;
use crate::conversation::{Message, Role};
use crate::id::{ConversationId, MessageId, SpaceId};
use crate::index::{Bm25, Facets, Field, Index};
use crate::ports::{ChangedMessages, Store, StoreError};
use crate::settings::Settings;

/// How much counts what stands around a message, beside its own words (which count 1). What counts 0 is not indexed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MessageWeights {
    /// The name of who typed it.
    pub sender: f32,
    /// The day it was said, such as `2026-03-01`.
    pub date: f32,
    /// The message before it.
    pub before: f32,
    /// The message after it.
    pub after: f32,
}

impl Default for MessageWeights {
    fn default() -> MessageWeights {
        MessageWeights {
            sender: 0.5,
            date: 0.0,
            before: 0.0,
            after: 0.0,
        }
    }
}

/// The messages of a space at one revision.
#[derive(Debug)]
pub struct MessageShelf {
    revision: Revision,
    weights: MessageWeights,
    threads: BTreeMap<ConversationId, Thread>,
    index: Index,
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

impl MessageShelf {
    /// A shelf with nothing on it.
    pub fn new(params: Bm25, weights: MessageWeights) -> MessageShelf {
        MessageShelf {
            revision: Revision::default(),
            weights,
            threads: BTreeMap::new(),
            index: Index::new(params),
            bytes: 0,
        }
    }

    /// Gives the index. The facets of an entry hold the conversation as category, and the role as kind.
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
        let mut stirred: BTreeSet<(ConversationId, u64)> = BTreeSet::new();
        for (conversation, id) in changed.erased {
            if let Some(seq) = self.erase(&conversation, &id) {
                stirred.insert((conversation, seq));
            }
        }
        for message in changed.messages {
            stirred.insert((message.conversation.clone(), message.seq));
            self.put(message);
        }
        self.index_again(&stirred);
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

    /// Indexes the messages at these places, and those beside them where neighbours count.
    fn index_again(&mut self, stirred: &BTreeSet<(ConversationId, u64)>) {
        let mut places = stirred.clone();
        for (conversation, seq) in stirred {
            let Some(thread) = self.threads.get(conversation) else {
                continue;
            };
            let (before, after) = thread.beside(*seq);
            let mut beside = Vec::new();
            beside.extend(before.filter(|_| 0.0 < self.weights.after));
            beside.extend(after.filter(|_| 0.0 < self.weights.before));
            places.extend(beside.into_iter().map(|m| (conversation.clone(), m.seq)));
        }
        for (conversation, seq) in &places {
            let Some(thread) = self.threads.get(conversation) else {
                continue;
            };
            let Some(message) = thread.by_seq.get(seq) else {
                continue;
            };
            index(&mut self.index, thread, message, self.weights);
        }
    }
}

impl Thread {
    /// The messages before and after a place.
    fn beside(&self, seq: u64) -> (Option<&Arc<Message>>, Option<&Arc<Message>>) {
        let before = self.by_seq.range(..seq).next_back();
        let after = self.by_seq.range(seq.saturating_add(1)..).next();
        (
            before.map(|(_, message)| message),
            after.map(|(_, message)| message),
        )
    }
}

/// Puts one message in the index. This is where to add what it should be found by.
fn index(index: &mut Index, thread: &Thread, message: &Message, weights: MessageWeights) {
    // Instructions to the model were not said by anybody.
    if message.role == Role::System {
        return;
    }
    let (before, after) = thread.beside(message.seq);
    let text_of = |message: Option<&'_ Arc<Message>>| message.map_or("", |m| m.content.as_str()).to_owned();
    let date = message.at.to_zoned(jiff::tz::TimeZone::UTC).date().to_string();
    let around = [
        (message.sender.clone().unwrap_or_default(), weights.sender),
        (date, weights.date),
        (text_of(before.filter(|_| 0.0 < weights.before)), weights.before),
        (text_of(after.filter(|_| 0.0 < weights.after)), weights.after),
    ];
    let around = around.iter().filter(|(_, weight)| 0.0 < *weight);
    let around = around.map(|(text, weight)| Field {
        text,
        weight: *weight,
    });
    let fields: Vec<Field> = std::iter::once(Field::main(message.content.as_str()))
        .chain(around)
        .collect();
    let facets = Facets {
        category: Some(Arc::clone(&thread.name)),
        kind: Some(message.role.as_str().into()),
        time_ms: message.at.as_millisecond(),
        confidence: 1.0,
        ..Facets::default()
    };
    index.put(&entry(message), &fields, facets);
}

/// Names a message in the index: the two ids, joined by what neither can hold.
fn entry(message: &Message) -> String {
    format!("{}\n{}", message.conversation, message.id)
}

#[async_trait]
impl Shelf for MessageShelf {
    type Changed = ChangedMessages;

    fn empty(settings: &Settings) -> MessageShelf {
        MessageShelf::new(settings.bm25(), MessageWeights::default())
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

    fn catch_up(&mut self, changed: ChangedMessages) {
        self.take(changed);
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

    fn found(shelf: &MessageShelf, query: &str) -> Vec<String> {
        let hits = shelf.index().search(query, &|_| true, 10);
        let said = hits.iter().filter_map(|hit| shelf.message(&hit.id));
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
        let mut shelf = MessageShelf::new(Bm25::default(), MessageWeights::default());
        shelf.take(said(vec![
            message("a", 1, "the ferry leaves at nine"),
            message("a", 2, "fine"),
            message("b", 1, "the ferry is late"),
        ]));
        assert_eq!(found(&shelf, "ferry"), ["b m1", "a m1"]);
        shelf.take(said(vec![message("b", 1, "the train is late")]));
        assert_eq!(found(&shelf, "ferry"), ["a m1"]);
        shelf.take(ChangedMessages {
            erased: vec![(ConversationId::new("a").unwrap(), MessageId::new("m1").unwrap())],
            erased_conversations: vec![ConversationId::new("b").unwrap()],
            ..ChangedMessages::default()
        });
        assert_eq!(found(&shelf, "ferry train"), Vec::<String>::new());
        assert_eq!(shelf.bytes, ROW_BYTES + "fine".len());
    }

    #[test]
    fn neighbours_count_where_they_are_given_weight() {
        let weights = MessageWeights {
            before: 0.5,
            after: 0.5,
            ..MessageWeights::default()
        };
        let mut shelf = MessageShelf::new(Bm25::default(), weights);
        shelf.take(said(vec![message("a", 1, "which pier?")]));
        shelf.take(said(vec![
            message("a", 2, "the third one"),
            message("a", 3, "thanks"),
        ]));
        assert_eq!(found(&shelf, "pier"), ["a m1", "a m2"]);
        shelf.take(said(vec![message("a", 2, "the second one")]));
        assert_eq!(found(&shelf, "third"), Vec::<String>::new());
    }

    #[test]
    fn instructions_to_the_model_are_not_found() {
        let mut shelf = MessageShelf::new(Bm25::default(), MessageWeights::default());
        let instructions = Message {
            role: Role::System,
            ..message("a", 1, "answer briefly")
        };
        shelf.take(said(vec![instructions]));
        assert_eq!(found(&shelf, "briefly"), Vec::<String>::new());
    }
}
