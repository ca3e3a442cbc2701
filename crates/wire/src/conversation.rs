//! Conversations and messages.

use jiff::Timestamp;
use recalld_memory::conversation::{self, MessageText, Role};
use recalld_memory::conversations::{ConversationContext, MESSAGES_MAX, NewMessage};
use recalld_memory::id::MessageId;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use utoipa::openapi::schema::{OneOfBuilder, Schema};
use utoipa::openapi::{Ref, RefOr};
use utoipa::{PartialSchema, ToSchema};

use crate::context::Tokens;
use crate::field_error::FieldError;

/// A thread of messages.
#[derive(Debug, Serialize, ToSchema)]
pub struct Conversation {
    id: String,
    title: Option<String>,
    began_at: String,
    /// When it last changed.
    touched_at: String,
}

impl From<&conversation::Conversation> for Conversation {
    fn from(conversation: &conversation::Conversation) -> Conversation {
        Conversation {
            id: conversation.id.to_string(),
            title: conversation.title.clone(),
            began_at: conversation.began_at.to_string(),
            touched_at: conversation.touched_at.to_string(),
        }
    }
}

/// Some conversations, and where to go on.
#[derive(Debug, Serialize, ToSchema)]
pub struct ConversationPage {
    pub conversations: Vec<Conversation>,
    /// Give it as `after` to read on; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_page: Option<String>,
}

/// Who speaks.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum MessageRole {
    System,
    User,
    Assistant,
}

impl From<MessageRole> for Role {
    fn from(role: MessageRole) -> Role {
        match role {
            MessageRole::System => Role::System,
            MessageRole::User => Role::User,
            MessageRole::Assistant => Role::Assistant,
        }
    }
}

/// One message.
#[derive(Debug, Serialize, ToSchema)]
pub struct Message {
    id: String,
    conversation: String,
    /// Its place in the conversation; numbers grow and may have gaps.
    seq: u64,
    role: &'static str,
    content: String,
    /// Who typed it, in a group chat.
    sender: Option<String>,
    at: String,
    metadata: Option<Value>,
}

impl From<&conversation::Message> for Message {
    fn from(message: &conversation::Message) -> Message {
        Message {
            id: message.id.to_string(),
            conversation: message.conversation.to_string(),
            seq: message.seq,
            role: message.role.as_str(),
            content: message.content.as_str().to_owned(),
            sender: message.sender.clone(),
            at: message.at.to_string(),
            metadata: message.metadata.clone(),
        }
    }
}

/// Some messages, the oldest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct MessagePage {
    pub messages: Vec<Message>,
    /// Give it as `before` to read what was said earlier; absent when there is no more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_page: Option<u64>,
}

/// The messages as they were kept.
#[derive(Debug, Serialize, ToSchema)]
pub struct Appended {
    pub messages: Vec<Message>,
}

/// A message to append.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewMessageBody {
    /// Your own id; a message with the same id is replaced where it stands.
    #[schema(min_length = 1, max_length = 256)]
    id: Option<String>,
    role: MessageRole,
    #[schema(min_length = 1, max_length = 262144)]
    content: String,
    /// Who typed it, in a group chat.
    #[schema(min_length = 1, max_length = 256)]
    sender: Option<String>,
    /// When it was said; now, if none is given.
    #[schema(format = DateTime)]
    at: Option<String>,
    /// What you keep with it, up to 16 KiB of JSON.
    metadata: Option<Value>,
}

/// Several messages to append in their order, all or none.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewMessageList {
    #[schema(min_items = 1, max_items = 1000)]
    messages: Vec<NewMessageBody>,
}

/// One message, or `{"messages": […]}`.
#[derive(Debug)]
pub enum NewMessages {
    /// One message.
    One(NewMessageBody),
    /// Several messages.
    Many(NewMessageList),
}

impl PartialSchema for NewMessages {
    fn schema() -> RefOr<Schema> {
        let (one, many) = (
            Ref::from_schema_name("NewMessageBody"),
            Ref::from_schema_name("NewMessageList"),
        );
        OneOfBuilder::new().item(one).item(many).into()
    }
}

impl ToSchema for NewMessages {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push(("NewMessageBody".to_owned(), NewMessageBody::schema()));
        schemas.push(("NewMessageList".to_owned(), NewMessageList::schema()));
        NewMessageBody::schemas(schemas);
    }
}

impl<'de> Deserialize<'de> for NewMessages {
    /// Decides by the field `messages`, so that what is wrong is told of the one shape that was
    /// meant.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<NewMessages, D::Error> {
        let value = Value::deserialize(deserializer)?;
        let read = match value.get("messages") {
            Some(_) => NewMessageList::deserialize(value).map(NewMessages::Many),
            None => NewMessageBody::deserialize(value).map(NewMessages::One),
        };
        read.map_err(serde::de::Error::custom)
    }
}

/// The most bytes of what is kept with a message.
const METADATA_BYTES_MAX: usize = 16 * 1024;

impl NewMessages {
    /// Checks every message.
    pub fn checked(self) -> Result<Vec<NewMessage>, FieldError> {
        let all = match self {
            NewMessages::One(message) => return Ok(vec![message.checked("")?]),
            NewMessages::Many(list) => list.messages,
        };
        if !(1..=MESSAGES_MAX).contains(&all.len()) {
            let reason = format!("there must be 1 to {MESSAGES_MAX} messages");
            return Err(FieldError::new("/messages", &reason));
        }
        let place =
            |(number, message): (usize, NewMessageBody)| message.checked(&format!("/messages/{number}"));
        all.into_iter().enumerate().map(place).collect()
    }
}

impl NewMessageBody {
    fn checked(self, place: &str) -> Result<NewMessage, FieldError> {
        let at_field =
            |field: &str, reason: &dyn std::fmt::Display| FieldError::new(format!("{place}/{field}"), reason);
        let id = self
            .id
            .map(MessageId::new)
            .transpose()
            .map_err(|error| at_field("id", &error))?;
        // A sender is an id too: short, and nothing in it that deceives.
        let sender = self.sender.map(MessageId::new).transpose();
        let sender =
            sender.map_err(|_| at_field("sender", &"the sender must be 1 to 256 bytes of plain text"))?;
        let at = self.at.map(|at| at.parse::<Timestamp>()).transpose();
        let metadata_bytes = self
            .metadata
            .as_ref()
            .map_or(0, |metadata| metadata.to_string().len());
        if METADATA_BYTES_MAX < metadata_bytes {
            let reason =
                format!("the metadata is {metadata_bytes} bytes, over the limit of {METADATA_BYTES_MAX}");
            return Err(at_field("metadata", &reason));
        }
        Ok(NewMessage {
            id,
            role: self.role.into(),
            content: MessageText::new(self.content).map_err(|error| at_field("content", &error))?,
            sender: sender.map(|sender| sender.to_string()),
            at: at.map_err(|error| at_field("at", &error))?,
            metadata: self.metadata,
        })
    }
}

/// A conversation, ready to be handed to a model.
#[derive(Debug, Serialize, ToSchema)]
pub struct ConversationText {
    /// The system message: the instructions, the time, what is remembered, what is held in mind.
    system: String,
    /// The last messages that found room, the oldest first.
    messages: Vec<Message>,
    /// Of what memory adds.
    tokens: Tokens,
    /// How many messages, memories and fields of working memory found no room.
    left_out: usize,
}

impl From<ConversationContext> for ConversationText {
    fn from(context: ConversationContext) -> ConversationText {
        ConversationText {
            messages: context.messages.iter().map(Message::from).collect(),
            tokens: context.tokens.into(),
            left_out: context.left_out,
            system: context.system,
        }
    }
}
