//! Messages from elsewhere: kept, with the promise to learn from what the user says in them.

use super::queue::Promise;
use crate::change::Effect;
use crate::conversation::{Message, Role};
use crate::conversations::{self, ConversationError, NewMessage};
use crate::id::ConversationId;
use crate::ports::Ports;
use crate::scope::Scope;
use crate::settings::Method;
use crate::text::tokens::TokenCount;

/// Appends messages as [`conversations::append`] does, and promises in the same write to read those
/// of the user.
pub async fn append(
    ports: &Ports,
    scope: &Scope,
    conversation: ConversationId,
    messages: Vec<NewMessage>,
) -> Result<Vec<Message>, ConversationError> {
    if ports.settings.extraction.method == Method::Off {
        return conversations::append(ports, scope, conversation, messages).await;
    }
    let id = ports.ids.next(scope.now).to_string();
    let now = scope.now;
    let follows = move |said: &[Message]| -> Vec<Effect> {
        let by_user: Vec<&Message> = said.iter().filter(|message| message.role == Role::User).collect();
        let tokens = by_user
            .iter()
            .map(|message| TokenCount::of(message.content.as_str()).most())
            .sum();
        let Some(first) = by_user.first() else {
            return Vec::new();
        };
        let ids = by_user.iter().map(|message| message.id.clone()).collect();
        let promise = Promise::new(&id, first.conversation.clone(), ids, tokens, now);
        vec![promise.effect(now)]
    };
    let said = conversations::append_with(ports, scope, conversation, messages, follows).await?;
    ports.backlog.remind(scope.space());
    Ok(said)
}
