//! What is said in tests: conversations and messages.

use recalld_memory::change::{Change, Effect};
use recalld_memory::conversation::{Conversation, Message, MessageText, Role};
use recalld_memory::id::{ConversationId, MessageId};
use recalld_memory::ports::{MessagePage, Store};
use serde_json::json;

use crate::memory_changes::{at, change, space};

pub fn thread(id: &str) -> ConversationId {
    ConversationId::new(id).unwrap()
}

pub fn message_id(id: &str) -> MessageId {
    MessageId::new(id).unwrap()
}

/// A conversation with every field filled.
pub fn conversation(id: &str) -> Conversation {
    Conversation {
        id: thread(id),
        title: Some(format!("About {id}")),
        began_at: at(1),
        touched_at: at(2),
        last_seq: 7,
    }
}

/// A message with every field filled, whose number and id agree.
pub fn message(of: &str, seq: u64, content: &str) -> Message {
    Message {
        conversation: thread(of),
        id: message_id(&format!("m{seq}")),
        seq,
        role: Role::User,
        content: MessageText::new(content.to_owned()).unwrap(),
        sender: Some("Ana".to_owned()),
        at: at(3),
        metadata: Some(json!({ "client": "phone" })),
    }
}

pub fn begin(id: &str) -> Change {
    change(Effect::Conversation(conversation(id)))
}

pub fn say(of: &str, seq: u64, content: &str) -> Change {
    put(message(of, seq, content))
}

pub fn put(message: Message) -> Change {
    change(Effect::Message(message))
}

pub fn erase_message(of: &str, id: &str) -> Change {
    change(Effect::EraseMessage {
        conversation: thread(of),
        id: message_id(id),
    })
}

pub fn erase_conversation(id: &str) -> Change {
    change(Effect::EraseConversation { id: thread(id) })
}

/// Reads what is said in a conversation.
pub async fn read(store: &dyn Store, user: &str, of: &str) -> Vec<String> {
    let page = MessagePage {
        before: None,
        limit: usize::MAX,
    };
    let found = store.messages(&space(user), &thread(of), &page).await;
    texts(&found.unwrap())
}

pub fn texts(messages: &[Message]) -> Vec<String> {
    messages
        .iter()
        .map(|message| message.content.as_str().to_owned())
        .collect()
}
