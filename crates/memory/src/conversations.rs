//! Conversations: what was said is stored as it was said, in order, and can be taken out again.

mod addressing;
mod context;

use std::sync::Arc;

use jiff::Timestamp;
use serde_json::Value;
use thiserror::Error;

pub use addressing::Addressing;
pub use context::{ContextRequest, ConversationContext, conversation_context};

use crate::change::{Change, Effect};
use crate::conversation::{Conversation, Message, MessageText, Role};
use crate::id::{ConversationId, MessageId};
use crate::ports::{MessagePage, StoreError};
use crate::receipts;
use crate::record::{self, RecordKind};
use crate::scope::Scope;
use crate::screening::secrets;
use crate::space::{Decision, SpaceError, SpaceView};
use crate::wiring::Ports;
use crate::{conversation_items, item_links};

/// How many messages a prompt gets when nobody says otherwise.
pub const HISTORY_DEFAULT: usize = 10;

/// How many messages may be appended or read at once.
pub const MESSAGES_MAX: usize = 1_000;

/// A message to append.
#[derive(Clone, Debug)]
pub struct NewMessage {
    /// The caller's own id; a message with the same id is replaced where it stands.
    pub id: Option<MessageId>,
    pub role: Role,
    pub content: MessageText,
    pub sender: Option<String>,
    /// When it was said; now, if none.
    pub at: Option<Timestamp>,
    pub metadata: Option<Value>,
}

impl NewMessage {
    /// Returns whether `known`, which has its id, is this message, sent before: under an id that
    /// this request made, or under the caller's own and saying the same.
    fn is_stored_as(&self, known: &Message) -> bool {
        let (conversation, id, seq) = (&known.conversation, &known.id, known.seq);
        // As it would be stored: without its secrets, and at the time of the first sending.
        self.id.is_none() || message(conversation, id, seq, self, known.at) == *known
    }
}

/// Why a conversation could not be read or changed.
#[derive(Debug, Error)]
pub enum ConversationError {
    /// There is no such conversation, or no such message in it.
    #[error("there is no {what} {id:?}")]
    NotFound { what: &'static str, id: String },
    /// The messages could not be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The space could not be read or written.
    #[error(transparent)]
    Space(#[from] SpaceError),
}

impl ConversationError {
    fn no_conversation(id: &ConversationId) -> ConversationError {
        ConversationError::NotFound {
            what: "conversation",
            id: id.to_string(),
        }
    }
}

/// Opens a conversation: the one with that id, begun now if there is none. A given title replaces
/// an earlier one; secrets in it are redacted.
pub async fn open(
    ports: &Ports,
    scope: &Scope,
    id: ConversationId,
    title: Option<String>,
) -> Result<Arc<Conversation>, SpaceError> {
    let title = title.map(|title| secrets::redact(&title).into_owned());
    let decided_for = scope.clone();
    let decide = move |view: &SpaceView| {
        let known = view.conversation(&id);
        let retitled = title
            .as_ref()
            .is_some_and(|title| known.is_none_or(|known| known.title.as_ref() != Some(title)));
        if let Some(known) = known.filter(|_| !retitled) {
            return Decision::nothing(Arc::clone(known));
        }
        let mut conversation = known_or_new(view, &decided_for, &id);
        conversation.title = title.clone().or(conversation.title);
        let change = decided_for.change(None, Effect::Conversation(conversation.clone()));
        Decision {
            changes: vec![change],
            outcome: Arc::new(conversation),
        }
    };
    ports.spaces.write(scope.space(), decide).await
}

fn known_or_new(view: &SpaceView, scope: &Scope, id: &ConversationId) -> Conversation {
    let new = || Conversation {
        id: id.clone(),
        title: None,
        began_at: scope.now,
        touched_at: scope.now,
        last_seq: 0,
    };
    let known = view
        .conversation(id)
        .map_or_else(new, |known| Conversation::clone(known));
    Conversation {
        touched_at: scope.now,
        ..known
    }
}

/// Appends messages in their order, all or none, and begins the conversation if there is none.
/// A message under an id that is known replaces the one that has it, where that one stands. Secrets
/// in messages are redacted before anything is stored.
pub async fn append(
    ports: &Ports,
    scope: &Scope,
    conversation: ConversationId,
    messages: Vec<NewMessage>,
) -> Result<Vec<Message>, ConversationError> {
    append_with(ports, scope, conversation, messages, |_| Vec::new()).await
}

/// Appends messages, and in the same write what follows from those that were not stored before.
pub async fn append_with(
    ports: &Ports,
    scope: &Scope,
    conversation: ConversationId,
    messages: Vec<NewMessage>,
    follows: impl Fn(&[Message]) -> Vec<Effect> + Send + 'static,
) -> Result<Vec<Message>, ConversationError> {
    let mut arriving = Vec::with_capacity(messages.len());
    for new in messages {
        arriving.push(arrive(ports, scope, &conversation, new).await?);
    }
    let decided_for = scope.clone();
    let decide = move |view: &SpaceView| {
        let mut thread = known_or_new(view, &decided_for, &conversation);
        let mut said: Vec<Message> = Vec::with_capacity(arriving.len());
        let mut effects = Vec::with_capacity(arriving.len());
        let mut written: Vec<Message> = Vec::with_capacity(arriving.len());
        for Arriving { new, id, known } in &arriving {
            if let Some(known) = known.as_ref().filter(|known| new.is_stored_as(known)) {
                // It was sent before: what is stored stands.
                said.push(known.clone());
                continue;
            }
            let before = said.iter().chain(known).find(|before| before.id == *id);
            let seq = before.map(|before| before.seq).unwrap_or_else(|| {
                thread.last_seq += 1;
                thread.last_seq
            });
            let message = message(&conversation, id, seq, new, decided_for.now);
            effects.push(Effect::Message(message.clone()));
            written.push(message.clone());
            said.push(message);
        }
        if !effects.is_empty() {
            effects.insert(0, Effect::Conversation(thread));
            effects.extend(follows(&written));
        }
        Decision {
            changes: effects
                .into_iter()
                .map(|effect| decided_for.change(None, effect))
                .collect(),
            outcome: said,
        }
    };
    Ok(ports.spaces.write(scope.space(), decide).await?)
}

/// A message on its way in, with the one that has its id already.
struct Arriving {
    new: NewMessage,
    id: MessageId,
    known: Option<Message>,
}

async fn arrive(
    ports: &Ports,
    scope: &Scope,
    conversation: &ConversationId,
    new: NewMessage,
) -> Result<Arriving, StoreError> {
    let fresh = || MessageId::new(scope.fresh_name(&*ports.ids)).expect("a uuid is a valid id");
    let id = new.id.clone().unwrap_or_else(fresh);
    let known = match new.id.is_some() || scope.once.is_some() {
        true => ports.store.message(scope.space(), conversation, &id).await?,
        false => None,
    };
    Ok(Arriving { new, id, known })
}

fn message(
    conversation: &ConversationId,
    id: &MessageId,
    seq: u64,
    new: &NewMessage,
    now: Timestamp,
) -> Message {
    let mut message = Message {
        conversation: conversation.clone(),
        id: id.clone(),
        seq,
        role: new.role,
        content: new.content.clone(),
        sender: new.sender.clone(),
        at: new.at.unwrap_or(now),
        metadata: new.metadata.clone(),
    };
    message.redact();
    message
}

/// Reads the last messages before `page.before`, the oldest first; none for a conversation that
/// nobody began.
pub async fn history(
    ports: &Ports,
    scope: &Scope,
    conversation: &ConversationId,
    page: MessagePage,
) -> Result<Vec<Message>, StoreError> {
    let page = MessagePage {
        limit: page.limit.min(MESSAGES_MAX),
        ..page
    };
    ports.store.messages(scope.space(), conversation, &page).await
}

/// Finds a conversation.
pub async fn find(
    ports: &Ports,
    scope: &Scope,
    id: &ConversationId,
) -> Result<Arc<Conversation>, ConversationError> {
    let found = ports
        .spaces
        .read(scope.space(), |view| view.conversation(id).cloned())
        .await?;
    found.ok_or_else(|| ConversationError::no_conversation(id))
}

/// Lists conversations, the last touched first, after `after` (the time and id of the last one
/// seen).
pub async fn list(
    ports: &Ports,
    scope: &Scope,
    after: Option<(Timestamp, ConversationId)>,
    limit: usize,
) -> Result<Vec<Arc<Conversation>>, SpaceError> {
    let look = |view: &SpaceView| {
        let mut all: Vec<Arc<Conversation>> = view.conversations().cloned().collect();
        all.sort_by(|a, b| (b.touched_at, &b.id).cmp(&(a.touched_at, &a.id)));
        let later = |c: &Arc<Conversation>| {
            after
                .as_ref()
                .is_none_or(|(at, id)| (c.touched_at, &c.id) < (*at, id))
        };
        all.into_iter().filter(later).take(limit).collect()
    };
    ports.spaces.read(scope.space(), look).await
}

/// Removes one message for good.
pub async fn erase_message(
    ports: &Ports,
    scope: &Scope,
    conversation: ConversationId,
    id: MessageId,
) -> Result<(), ConversationError> {
    if ports
        .store
        .message(scope.space(), &conversation, &id)
        .await?
        .is_none()
    {
        return Err(ConversationError::NotFound {
            what: "message",
            id: id.to_string(),
        });
    }
    let learned = |view: &SpaceView| {
        let of_message = |m: &&Arc<crate::memory::Memory>| {
            m.conversation.as_ref() == Some(&conversation) && m.message.as_ref() == Some(&id)
        };
        let derived = view.memories().filter(of_message).map(|m| m.id.to_string());
        derived.chain([id.to_string()]).collect::<Vec<String>>()
    };
    let erased = ports.spaces.read(scope.space(), learned).await?;
    let redacted = receipts::redacted(ports, scope, &erased).await?;
    let summary = summary_of(ports, scope, &conversation).await?;
    let items = conversation_items::erased_with(ports, scope, &conversation, Some(&id)).await;
    let items = items.map_err(SpaceError::from)?;
    let decided_for = scope.clone();
    let decide = move |view: &SpaceView| {
        // What was learned from this message goes with it.
        let of_message = |m: &&Arc<crate::memory::Memory>| {
            m.conversation.as_ref() == Some(&conversation) && m.message.as_ref() == Some(&id)
        };
        let derived = view.memories().filter(of_message).flat_map(|m| {
            let items = item_links::erased_with(view, m.id).into_iter();
            items.chain([Effect::EraseMemory { id: m.id }])
        });
        let message = Effect::EraseMessage {
            conversation: conversation.clone(),
            id: id.clone(),
        };
        let effects = std::iter::once(message).chain(derived);
        let effects = effects.chain(summary.clone()).chain(items.iter().cloned());
        let changes = effects.map(|effect| decided_for.change(None, effect));
        Decision {
            changes: changes.chain(redacted.iter().cloned()).collect(),
            outcome: (),
        }
    };
    Ok(ports.spaces.write(scope.space(), decide).await?)
}

/// What removes the summary of a conversation, if it has one: it may repeat what is erased, and is
/// made again from what is left.
async fn summary_of(
    ports: &Ports,
    scope: &Scope,
    conversation: &ConversationId,
) -> Result<Option<Effect>, StoreError> {
    let (kind, name) = (RecordKind::Summary, conversation.to_string());
    let known = ports.store.record(scope.space(), kind, &name).await?;
    Ok(known.map(|_| Effect::EraseRecord { kind, name }))
}

/// What happens to the memories that came out of a conversation when it is erased.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Derived {
    Erase,
    Keep,
}

/// Removes a conversation with its messages and working memory for good. Gives how many memories
/// went with it.
pub async fn erase(
    ports: &Ports,
    scope: &Scope,
    id: ConversationId,
    derived: Derived,
) -> Result<usize, ConversationError> {
    let name = id.clone();
    let redacted = receipts::redacted(ports, scope, &erased_with(ports, scope, &id, derived).await?).await?;
    let summary = summary_of(ports, scope, &id).await?;
    let items = conversation_items::erased_with(ports, scope, &id, None).await;
    let items = items.map_err(SpaceError::from)?;
    let decided_for = scope.clone();
    let decide = move |view: &SpaceView| {
        if view.conversation(&id).is_none() {
            return Decision::nothing(None);
        }
        let mut effects = vec![Effect::EraseConversation { id: id.clone() }];
        effects.extend(summary.clone());
        effects.extend(items.iter().cloned());
        let (kind, name) = (RecordKind::Item, record::item_of_conversation(&id));
        effects.extend(view.record(kind, &name).map(|_| Effect::EraseRecord {
            kind,
            name: name.clone(),
        }));
        for kind in [RecordKind::WorkingMemory, RecordKind::WorkingMemorySchema] {
            let name = record::of_conversation(&id);
            if view.record(kind, &name).is_some() {
                effects.push(Effect::EraseRecord { kind, name });
            }
        }
        let before = effects.len();
        if derived == Derived::Erase {
            let came_out_of_it = view
                .memories()
                .filter(|memory| memory.conversation.as_ref() == Some(&id));
            effects.extend(came_out_of_it.map(|memory| Effect::EraseMemory { id: memory.id }));
        }
        let erased = effects.len() - before;
        let items: Vec<Effect> = effects[before..]
            .iter()
            .flat_map(|effect| match effect {
                Effect::EraseMemory { id } => item_links::erased_with(view, *id),
                _ => Vec::new(),
            })
            .collect();
        effects.extend(items);
        let changes: Vec<Change> = effects
            .into_iter()
            .map(|effect| decided_for.change(None, effect))
            .chain(redacted.iter().cloned())
            .collect();
        Decision {
            changes,
            outcome: Some(erased),
        }
    };
    let erased = ports.spaces.write(scope.space(), decide).await?;
    erased.ok_or_else(|| ConversationError::no_conversation(&name))
}

/// Names what goes with a conversation: itself, and the memories that came out of it.
async fn erased_with(
    ports: &Ports,
    scope: &Scope,
    id: &ConversationId,
    derived: Derived,
) -> Result<Vec<String>, SpaceError> {
    let look = |view: &SpaceView| {
        let came_out_of_it = view
            .memories()
            .filter(|memory| derived == Derived::Erase && memory.conversation.as_ref() == Some(id))
            .map(|memory| memory.id.to_string());
        came_out_of_it.chain([id.to_string()]).collect()
    };
    ports.spaces.read(scope.space(), look).await
}
