//! Keeps what was said, and tasks in the same write to learn from it.

use std::time::Duration;

use recalld_index::text::tokens::TokenCount;
use recalld_memory::conversation::{Message, MessageText, Role};
use recalld_memory::conversations::{self, NewMessage};
use serde_json::{Map, Value, json};
use tokio::time::timeout;

use super::history::OPENING;
use super::prepared::Prepared;
use super::reply::MemoryState;
use crate::agent_loop::{Ending, Outcome};
use crate::settings::Method;
use crate::summary;
use crate::task_queue::ExtractionTask;

/// How long keeping may take before the reply goes on without it.
const PATIENCE: Duration = Duration::from_secs(5);

/// Keeps the message and the reply: answers only, without the traffic of tools. What has no answer
/// is not kept, for it will be asked again.
pub(super) async fn save(prepared: &Prepared, outcome: &Outcome, text: &str) -> MemoryState {
    let replied = matches!(
        outcome.ending,
        Ending::Replied | Ending::Exhausted | Ending::Failed | Ending::Abandoned
    );
    let Some(reply) = MessageText::new(shortened(text)).ok().filter(|_| replied) else {
        return MemoryState::On;
    };
    let (agent, scope) = (&prepared.agent, &prepared.job.scope);
    let started = &prepared.started;
    let messages = messages(prepared, outcome, reply);
    let task = (agent.settings.extraction.method != Method::Off).then(|| {
        let tokens = TokenCount::of(prepared.text.as_str()).most();
        let id = agent.memory.ids.next(scope.now).to_string();
        let said = vec![started.message.clone()];
        ExtractionTask::new(
            &id,
            started.conversation.clone(),
            said,
            tokens,
            agent.memory.clock.now(),
        )
    });
    let (now, folding) = (scope.now, summary::Folding::of(&agent.settings.chat));
    let follows = move |said: &[Message]| {
        let learning = task.iter().map(|task| task.effect(now));
        learning.chain(folding.promised(said, now)).collect()
    };
    let saving = conversations::append_with(
        &agent.memory,
        scope,
        started.conversation.clone(),
        messages,
        follows,
    );
    match timeout(PATIENCE, saving).await {
        Ok(Ok(_)) => {
            agent.task_signal.notify(scope.space());
            MemoryState::On
        }
        Ok(Err(error)) => {
            tracing::warn!(%error, "a reply was given and could not be kept");
            MemoryState::Off("what was said could not be kept")
        }
        Err(_) => MemoryState::Off("what was said was not kept in time"),
    }
}

fn messages(prepared: &Prepared, outcome: &Outcome, reply: MessageText) -> Vec<NewMessage> {
    let started = &prepared.started;
    let now = prepared.job.scope.now;
    let new = |id, role, content, metadata| NewMessage {
        id,
        role,
        content,
        sender: None,
        at: Some(now),
        metadata,
    };
    let opening = prepared.opening.as_ref().filter(|_| prepared.opens);
    let opening = opening.and_then(|text| MessageText::new(text.clone()).ok());
    let opening = opening.map(|text| new(None, Role::System, text, Some(json!({ "kind": OPENING }))));
    let user = new(
        Some(started.message.clone()),
        Role::User,
        prepared.text.clone(),
        None,
    );
    let mut about = Map::new();
    about.insert("mode".to_owned(), json!(started.choice.mode.as_str()));
    about.insert("arm".to_owned(), json!(started.choice.arm));
    about.insert("model".to_owned(), json!(started.model));
    if let Some(heard) = prepared.job.scope.heard.as_ref().and_then(|heard| heard.least()) {
        about.insert("heard".to_owned(), json!(heard.as_str()));
    }
    if outcome.ending != Ending::Replied {
        about.insert("cut".to_owned(), json!(true));
    }
    let reply = new(
        Some(started.reply.clone()),
        Role::Assistant,
        reply,
        Some(Value::Object(about)),
    );
    opening.into_iter().chain([user, reply]).collect()
}

/// As much of a reply as a message may have.
fn shortened(text: &str) -> String {
    let text = text.replace('\0', "");
    text[..text.floor_char_boundary(MessageText::BYTES_MAX)].to_owned()
}
