//! Stores messages from elsewhere together with a task to extract facts from what the user says.

use recalld_index::text::tokens::TokenCount;
use recalld_memory::change::Effect;
use recalld_memory::conversation::{Message, Role};
use recalld_memory::conversations::{self, ConversationError, NewMessage};
use recalld_memory::id::ConversationId;
use recalld_memory::scope::Scope;

use crate::settings::Method;
use crate::task_queue::ExtractionTask;
use crate::wiring::AgentPorts;

/// Appends messages as [`conversations::append`] does, and in the same write adds a task to
/// extract facts from those of the user.
pub async fn append(
    agent: &AgentPorts,
    scope: &Scope,
    conversation: ConversationId,
    messages: Vec<NewMessage>,
) -> Result<Vec<Message>, ConversationError> {
    if agent.settings.extraction.method == Method::Off {
        return conversations::append(&agent.memory, scope, conversation, messages).await;
    }
    let id = agent.memory.ids.next(scope.now).to_string();
    let (now, project) = (scope.now, scope.project.clone());
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
        let task = ExtractionTask::new(&id, first.conversation.clone(), ids, tokens, now)
            .in_project(project.as_ref());
        vec![task.effect(now)]
    };
    let said = conversations::append_with(&agent.memory, scope, conversation, messages, follows).await?;
    agent.task_signal.notify(scope.space());
    Ok(said)
}
