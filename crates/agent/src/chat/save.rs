//! Stores what the user says before the model is asked, and the reply when there is one: whatever
//! becomes of the model or of this process, what the user said is there.

use std::time::Duration;

use recalld_index::text::tokens::TokenCount;
use recalld_memory::change::Effect;
use recalld_memory::conversation::{Message, MessageText, Role};
use recalld_memory::conversations::{self, NewMessage};
use serde_json::{Map, Value, json};
use tokio::time::timeout;

use super::history::OPENING;
use super::prepared::Prepared;
use super::reply::MemoryState;
use crate::agent_loop::{Ending, Outcome};
use crate::extract::{Requests, Source, found_in, learn_said};
use crate::settings::Method;
use crate::summary::{self, Window};
use crate::task_queue::ExtractionTask;

/// How long storing a message may delay the model, and storing a reply the end of the reply.
const MESSAGE_PATIENCE: Duration = Duration::from_secs(2);
const REPLY_PATIENCE: Duration = Duration::from_secs(5);
const LEARNING_PATIENCE: Duration = Duration::from_secs(2);

/// What became of a write. One that was late may still succeed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Saved {
    Stored,
    Failed(&'static str),
}

/// Stores what the user says, with the task to extract facts from it in the same write. A message
/// that is stored under its id already, because it is sent again, is not stored once more.
pub(super) async fn save_message(prepared: &Prepared) -> Saved {
    append(prepared, from_user(prepared), None, MESSAGE_PATIENCE).await
}

/// Stores the reply: answers only, without the traffic of tools. What the user said is stored with
/// it if that could not be done before.
pub(super) async fn save_reply(
    prepared: &Prepared,
    message: Saved,
    outcome: &Outcome,
    text: &str,
) -> MemoryState {
    let mut messages = match message {
        Saved::Stored => Vec::new(),
        Saved::Failed(_) => from_user(prepared),
    };
    let reply = reply(prepared, outcome, text);
    let summary = reply.as_ref().and_then(|reply| summary_task(prepared, reply));
    messages.extend(reply);
    if messages.is_empty() {
        return MemoryState::On;
    }
    match append(prepared, messages, summary, REPLY_PATIENCE).await {
        Saved::Stored => MemoryState::On,
        Saved::Failed(why) => MemoryState::Off(why),
    }
}

/// Stores what rules find in what the user said, before the reply ends: what they ask to remember
/// as well, unless the model has stored it. A store that is slow or fails loses nothing: the task
/// is still there.
pub(super) async fn learn_from_message(prepared: &Prepared, outcome: &Outcome) {
    if !is_own(prepared) {
        return;
    }
    let was_stored = outcome
        .calls
        .iter()
        .any(|call| call.failure.is_none() && call.is_write);
    let requests = match was_stored {
        true => Requests::Fulfilled,
        false => Requests::Open,
    };
    let (agent, scope, started) = (&prepared.agent, &prepared.job.scope, &prepared.started);
    let source = Source {
        conversation: started.conversation.clone(),
        message: started.message.clone(),
        said_at: scope.now,
        text: prepared.text.as_str().to_owned(),
    };
    // Reading takes no patience: only the store can be slow.
    let findings = found_in(agent, &source, requests);
    let learning = learn_said(agent, scope.space(), &source, findings);
    match timeout(LEARNING_PATIENCE, learning).await {
        Ok(Ok(())) | Err(_) => {}
        Ok(Err(error)) => tracing::warn!(%error, "could not learn from a message at once; will try again"),
    }
}

async fn append(
    prepared: &Prepared,
    messages: Vec<NewMessage>,
    summary: Option<Effect>,
    patience: Duration,
) -> Saved {
    let (agent, scope) = (&prepared.agent, &prepared.job.scope);
    let extraction = extraction_task(prepared);
    let (said, now) = (prepared.started.message.clone(), scope.now);
    let follows = move |written: &[Message]| {
        let is_new = written.iter().any(|message| message.id == said);
        let extraction = extraction.iter().filter(|_| is_new).map(|task| task.effect(now));
        extraction.chain(summary.clone()).collect()
    };
    let conversation = prepared.started.conversation.clone();
    let saving = conversations::append_with(&agent.memory, scope, conversation, messages, follows);
    match timeout(patience, saving).await {
        Ok(Ok(_)) => {
            agent.task_signal.notify(scope.space());
            Saved::Stored
        }
        Ok(Err(error)) => {
            tracing::warn!(%error, "could not store a message");
            Saved::Failed("a message could not be stored")
        }
        Err(_) => Saved::Failed("a message was not stored in time"),
    }
}

/// Whether the user typed it. What somebody else says is not the user's own word.
fn is_own(prepared: &Prepared) -> bool {
    let user = prepared.job.scope.space().user();
    prepared
        .sender
        .as_deref()
        .is_none_or(|sender| Some(sender) == user)
}

/// The task to extract facts from what the user says, unless nobody does.
fn extraction_task(prepared: &Prepared) -> Option<ExtractionTask> {
    let (agent, started) = (&prepared.agent, &prepared.started);
    (agent.settings.extraction.method != Method::Off).then(|| {
        ExtractionTask::new(
            &agent.memory.ids.next(prepared.job.scope.now).to_string(),
            started.conversation.clone(),
            vec![started.message.clone()],
            TokenCount::of(prepared.text.as_str()).most(),
            agent.memory.clock.now(),
        )
        .in_project(prepared.job.scope.project.as_ref())
    })
}

/// The task to summarise, when the next prompt cannot show everything as it was said.
fn summary_task(prepared: &Prepared, reply: &NewMessage) -> Option<Effect> {
    let fill = prepared
        .shown
        .and(prepared.text.as_str())
        .and(reply.content.as_str());
    let is_due = prepared.is_summary_late || !Window::of(&prepared.agent.settings.chat).holds(fill);
    is_due.then(|| summary::task(&prepared.started.conversation, prepared.job.scope.now))
}

/// What the user says, after what a new conversation opens with.
fn from_user(prepared: &Prepared) -> Vec<NewMessage> {
    let opening = prepared.opening.as_ref().filter(|_| prepared.opens);
    let opening = opening.and_then(|text| MessageText::new(text.clone()).ok());
    let opening = opening.map(|text| new(Role::System, text, Some(json!({ "kind": OPENING }))));
    let user = NewMessage {
        id: Some(prepared.started.message.clone()),
        sender: prepared.sender.clone(),
        ..new(Role::User, prepared.text.clone(), None)
    };
    opening.into_iter().chain([user]).collect()
}

/// The reply, if the model gave one.
fn reply(prepared: &Prepared, outcome: &Outcome, text: &str) -> Option<NewMessage> {
    let has_replied = matches!(
        outcome.ending,
        Ending::Replied | Ending::Exhausted | Ending::Failed | Ending::Abandoned
    );
    let text = MessageText::new(shortened(text)).ok().filter(|_| has_replied)?;
    let started = &prepared.started;
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
    Some(NewMessage {
        id: Some(started.reply.clone()),
        ..new(Role::Assistant, text, Some(Value::Object(about)))
    })
}

fn new(role: Role, content: MessageText, metadata: Option<Value>) -> NewMessage {
    NewMessage {
        id: None,
        role,
        content,
        sender: None,
        at: None,
        metadata,
    }
}

/// As much of a reply as a message may have.
fn shortened(text: &str) -> String {
    let text = text.replace('\0', "");
    text[..text.floor_char_boundary(MessageText::BYTES_MAX)].to_owned()
}
